// A worker that serves one instance after the other: the modules that it knows, what it has run, and whether it can go
// on.

import type { Program } from '../run/execution.ts';
import { HostError, InternalError } from '../errors/errors.ts';
import { canShareMemory, makeMailbox, wipeMailbox } from './mailbox.ts';
import { workerVersion } from './messages.ts';
import type { FromWorker, PackedProgram, ProgramReference, ToWorker, WorkerThread } from './messages.ts';

/** So many modules are kept in a worker. */
const mostPrograms = 64;
/** A worker whose heap has grown by so much collects its garbage before it serves again, */
const garbageBytes = 32 * 2 ** 20;
/** and one that keeps so much is replaced. */
const grownBytes = 16 * 2 ** 20;
/** A worker has so long until it says something, on a machine that is busy. */
const silenceMs = 60_000;

/** Without what stays with the owner. */
export function packProgram({ module, manifest, imports, plugins }: Program): PackedProgram {
  return { module, manifest, imports, plugins: plugins.map((used) => ({ ...used, bytes: null, owned: null })) };
}

/** A worker or process that a pool hands out. */
export interface PoolThread extends WorkerThread {
  /** By which it waits for its owner; null where memory cannot be shared. */
  readonly mailbox: SharedArrayBuffer | null;
  /** Whether it may run this module after what it has run. */
  mayRun(program: Program): boolean;
  /** Whether it has the module already. */
  has(program: Program): boolean;
  /** What an opening says of the module; it is about to run it. */
  open(program: Program, isForeign: boolean): ProgramReference;
  /** Its work is done: gives whether it can go on. */
  rest(): boolean | Promise<boolean>;
}

/** A process serves one instance, and is started for one module. */
export function singleUse(thread: WorkerThread, own: Program): PoolThread {
  return {
    mailbox: null,
    mayRun: (program) => program === own,
    has: () => true,
    open: (program) => ({ id: 0, program: packProgram(program), forget: [] }),
    rest: () => false,
    post: (message) => thread.post(message),
    listen: (onMessage, onEnd) => thread.listen(onMessage, onEnd),
    keepAlive: (keeps) => thread.keepAlive(keeps),
    extendMemory: (bytes) => thread.extendMemory?.(bytes),
    end: () => thread.end(),
  };
}

export class PooledWorker implements PoolThread {
  readonly mailbox: SharedArrayBuffer | null = canShareMemory() ? makeMailbox() : null;
  readonly #thread: WorkerThread;
  /** Numbers of the modules that the worker has, the one that was used last at the end. */
  readonly #programs = new Map<Program, number>();
  #nextProgram = 0;
  /** The only one that it may serve from now on, once it ran what its owner did not compile. */
  #foreign: Program | null = null;
  #onMessage: (message: FromWorker) => void = () => {};
  #onEnd: (error: Error) => void = () => {};
  #onCollected: ((heapBytes: number | null) => void) | null = null;
  /** Null where nothing measures the heap, and until it has begun. */
  #heapAtStart: number | null = null;
  #heapBytes: number | null = null;
  #hasBegun = false;
  readonly #silence: ReturnType<typeof setTimeout>;
  /** What ended it by itself. */
  #ended: Error | null = null;
  /** Nobody hears of it any more. */
  #isOver = false;
  #gone: Promise<void> | void = undefined;

  constructor(thread: WorkerThread) {
    this.#thread = thread;
    thread.listen(
      (message) => {
        // Whatever is wrong with a message is the end of the worker, and not of the process.
        try {
          this.#take(message);
        } catch (error) {
          this.#fail(
            this.#hasBegun ? new InternalError('what the worker said cannot be read', [], error) : otherVersion(),
          );
        }
      },
      (error) => this.#fail(error),
    );
    this.#silence = setTimeout(() => this.#fail(new HostError(`the worker does not begin: ${wrongFile}`)), silenceMs);
    // Node's timers keep the process alive; those of browsers are numbers.
    if (typeof this.#silence === 'object') this.#silence.unref();
  }

  mayRun(program: Program): boolean {
    return this.#ended === null && (this.#foreign === null || this.#foreign === program);
  }

  has(program: Program): boolean {
    return this.#programs.has(program);
  }

  open(program: Program, isForeign: boolean): ProgramReference {
    if (isForeign) this.#foreign = program;
    if (this.mailbox !== null) wipeMailbox(this.mailbox);
    const known = this.#programs.get(program);
    const id = known ?? this.#nextProgram++;
    this.#programs.delete(program);
    this.#programs.set(program, id);
    if (known !== undefined) return { id, program: null, forget: [] };
    const forget: number[] = [];
    for (const [old, number] of this.#programs) {
      if (this.#programs.size <= mostPrograms) break;
      this.#programs.delete(old);
      forget.push(number);
    }
    return { id, program: packProgram(program), forget };
  }

  /** Looks at its heap where that has grown. */
  rest(): boolean | Promise<boolean> {
    this.listen(
      () => {},
      () => {},
    );
    this.keepAlive(false);
    // What a module of somebody else's has beside the heap, such as a memory of its own, goes with a collection too,
    // and shows nowhere.
    if (this.#ended !== null || (this.#foreign === null && this.#grownBy(this.#heapBytes) <= garbageBytes))
      return this.#ended === null;
    // Somebody may be waiting for it.
    this.keepAlive(true);
    return new Promise((resolve) => {
      this.#onEnd = () => resolve(false);
      this.#onCollected = (heapBytes) => {
        this.#heapBytes = heapBytes;
        this.keepAlive(false);
        resolve(this.#ended === null && this.#grownBy(heapBytes) <= grownBytes);
      };
      this.post({ kind: 'collect' });
    });
  }

  #grownBy(heapBytes: number | null): number {
    return heapBytes === null || this.#heapAtStart === null ? 0 : heapBytes - this.#heapAtStart;
  }

  post(message: ToWorker): void {
    this.#thread.post(message);
  }

  listen(onMessage: (message: FromWorker) => void, onEnd: (error: Error) => void): void {
    this.#onMessage = onMessage;
    this.#onEnd = onEnd;
    const ended = this.#ended;
    if (ended !== null) queueMicrotask(() => this.#onEnd(ended));
  }

  keepAlive(keeps: boolean): void {
    this.#thread.keepAlive(keeps);
  }

  extendMemory(bytes: number): void {
    this.#thread.extendMemory?.(bytes);
  }

  whenResponsive(): Promise<void> {
    return this.#thread.whenResponsive?.() ?? Promise.resolve();
  }

  /** Gives when it is gone. */
  end(): Promise<void> | void {
    if (!this.#isOver) {
      this.#isOver = true;
      clearTimeout(this.#silence);
      this.#gone = this.#thread.end();
    }
    return this.#gone;
  }

  #take(message: FromWorker): void {
    if (this.#isOver) return;
    if (!this.#hasBegun) {
      this.#begin(message);
      return;
    }
    if (message.kind === 'collected') {
      this.#onCollected?.(message.heapBytes);
      this.#onCollected = null;
      return;
    }
    if (message.kind === 'ended') this.#heapBytes = message.heapBytes;
    this.#onMessage(message);
  }

  /** Whatever speaks first must be a worker of this version. */
  #begin(message: FromWorker): void {
    if (message.kind !== 'ready' || message.version !== workerVersion) {
      this.#fail(otherVersion());
      return;
    }
    clearTimeout(this.#silence);
    this.#hasBegun = true;
    this.#heapAtStart = message.heapBytes;
  }

  #fail(error: Error): void {
    if (this.#ended !== null || this.#isOver) return;
    this.#ended = error;
    void this.end();
    this.#onEnd(error);
  }
}

const wrongFile = 'its file must be that of sluice-host/worker, of the same version as the host';

export function otherVersion(): HostError {
  return new HostError(`the worker speaks otherwise than this host: ${wrongFile}`);
}
