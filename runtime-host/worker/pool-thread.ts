// What a pool hands out: a thread, in this process or as one of its own, and what it knows of modules.

import type { Program } from '../run/execution.ts';
import type { PackedProgram, ProgramReference, ToWorker, WorkerThread } from './messages.ts';

/** A worker or process that a pool hands out. */
export interface PoolThread extends WorkerThread {
  /** By which it waits for its owner; null where memory cannot be shared. */
  readonly mailbox: SharedArrayBuffer | null;
  /** Whether it has not ended by itself. */
  readonly isAlive: boolean;
  /** Whether it has the module already. */
  has(program: Program): boolean;
  /** What an opening says of the module; it is about to run it. */
  open(program: Program, isForeign: boolean): ProgramReference;
  /** Its work is done: gives whether it can go on. */
  rest(): boolean | Promise<boolean>;
}

/** Without what stays with the owner. */
export function packProgram({ module, manifest, imports, plugins }: Program): PackedProgram {
  return { module, manifest, imports, plugins: plugins.map((used) => ({ ...used, bytes: null, owned: null })) };
}

/** What a thread of a pool hands on to that of the platform. */
export abstract class ForwardingThread {
  protected readonly thread: WorkerThread;

  constructor(thread: WorkerThread) {
    this.thread = thread;
  }

  post(message: ToWorker): void {
    this.thread.post(message);
  }

  keepAlive(keeps: boolean): void {
    this.thread.keepAlive(keeps);
  }

  extendMemory(bytes: number): void {
    this.thread.extendMemory?.(bytes);
  }
}
