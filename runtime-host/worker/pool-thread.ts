// The threads that a pool hands out, workers or processes, with the modules that each of them knows.

import type { Program } from '../run/execution.ts';
import type { PackedProgram, ProgramReference, ToWorker, WorkerThread } from './messages.ts';

/** A worker or process that a pool hands out. */
export interface PoolThread extends WorkerThread {
  /** The memory through which it waits for its owner; null if memory cannot be shared. */
  readonly mailbox: SharedArrayBuffer | null;
  /** False once it has ended by itself. */
  readonly isAlive: boolean;
  /** Whether it has the module already. */
  has(program: Program): boolean;
  /** The reference to the module for an opening; it is about to run the module. */
  open(program: Program, isForeign: boolean): ProgramReference;
  /** Called when its work is done; answers whether it can serve again. */
  rest(): boolean | Promise<boolean>;
}

/** Without the parts that stay with the owner. */
export function packProgram({ module, manifest, imports, plugins }: Program): PackedProgram {
  return { module, manifest, imports, plugins: plugins.map((used) => ({ ...used, bytes: null, owned: null })) };
}

/** Forwards to the platform's thread. */
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
