// A worker that serves one instance after the other: keeps track of the modules that it knows, of what it has run, and
// whether it can serve again.

import type { Program } from '../run/execution.ts';
import { InternalError } from '../errors/errors.ts';
import { describeThrown } from '../errors/failures.ts';
import { canShareMemory, makeMailbox, wipeMailbox } from './mailbox.ts';
import { workerVersion } from './messages.ts';
import type { FromWorker, ProgramReference, WorkerThread } from './messages.ts';
import { ForwardingThread, packProgram } from './pool-thread.ts';
import type { PoolThread } from './pool-thread.ts';
import { StartWatch } from './start-watch.ts';
import { ThreadEvents } from './thread-events.ts';
import { failedToStart, otherVersion, silent } from './worker-file.ts';

/** The most modules that a worker keeps. */
const mostPrograms = 64;
/** A worker whose heap has grown by so much collects its garbage before it serves again. */
const garbageBytes = 32 * 2 ** 20;
/** A worker whose heap is larger by so much after that is replaced. */
const grownBytes = 16 * 2 ** 20;

export class PooledWorker extends ForwardingThread implements PoolThread {
  readonly mailbox: SharedArrayBuffer | null = canShareMemory() ? makeMailbox() : null;
  /** The option workerUrl; empty without one. */
  readonly #file: string;
  readonly #events = new ThreadEvents();
  /** Numbers of the modules that the worker has; the one that was used last is at the end. */
  readonly #programs = new Map<Program, number>();
  #nextProgram = 0;
  /** Whether it ran a module that its owner did not compile: nothing else runs in it afterwards. */
  #hasRunForeign = false;
  #onCollected: ((heapBytes: number | null) => void) | null = null;
  /** Null if nothing measures the heap, and until it has started. */
  #heapAtStart: number | null = null;
  #heapBytes: number | null = null;
  #hasBegun = false;
  readonly #startWatch: StartWatch;
  /** Set once its events are not reported any more. */
  #isOver = false;
  #gone: Promise<void> | void = undefined;

  constructor(thread: WorkerThread, file: string) {
    super(thread);
    this.#file = file;
    thread.listen(
      (message) => {
        // An invalid message must end the worker, not the process.
        try {
          this.#take(message);
        } catch (error) {
          this.#fail(
            this.#hasBegun ? new InternalError('what the worker said cannot be read', [], error) : otherVersion(file),
          );
        }
      },
      (error) => this.#fail(this.#describeEnd(error)),
    );
    this.#startWatch = new StartWatch(
      () => thread.idleMs?.() ?? 0,
      () => this.#fail(silent(file)),
    );
  }

  get isAlive(): boolean {
    return this.#events.ended === null;
  }

  has(program: Program): boolean {
    return this.#programs.has(program);
  }

  open(program: Program, isForeign: boolean): ProgramReference {
    this.#hasRunForeign ||= isForeign;
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

  /** Checks its heap if that may have grown. */
  rest(): boolean | Promise<boolean> {
    this.listen(
      () => {},
      () => {},
    );
    this.keepAlive(false);
    if (!this.isAlive || this.#hasRunForeign) return false;
    if (this.#grownBy(this.#heapBytes) <= garbageBytes) return true;
    // Somebody may be waiting for it.
    this.keepAlive(true);
    return new Promise((resolve) => {
      this.listen(
        () => {},
        () => resolve(false),
      );
      this.#onCollected = (heapBytes) => {
        this.#heapBytes = heapBytes;
        this.keepAlive(false);
        resolve(this.isAlive && this.#grownBy(heapBytes) <= grownBytes);
      };
      this.post({ kind: 'collect' });
    });
  }

  #grownBy(heapBytes: number | null): number {
    return heapBytes === null || this.#heapAtStart === null ? 0 : heapBytes - this.#heapAtStart;
  }

  listen(...listeners: Parameters<WorkerThread['listen']>): void {
    this.#events.listen(...listeners);
  }

  whenResponsive(): Promise<void> {
    return this.thread.whenResponsive?.() ?? Promise.resolve();
  }

  /** Resolves when it has ended. */
  end(): Promise<void> | void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#startWatch.stop();
      this.#gone = this.thread.end();
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
    this.#events.message(message);
  }

  /** The first message must come from a worker of this version. */
  #begin(message: FromWorker): void {
    if (message.kind !== 'ready' || message.version !== workerVersion) {
      this.#fail(otherVersion(this.#file));
      return;
    }
    this.#startWatch.stop();
    this.#hasBegun = true;
    this.#heapAtStart = message.heapBytes;
  }

  /** The package's own file has no reason to end before it begins; another file may have any reason. */
  #describeEnd(error: Error): Error {
    if (this.#hasBegun || this.#file === '' || !(error instanceof InternalError)) return error;
    return failedToStart(this.#file, error.cause === null ? 'it ended by itself' : describeThrown(error.cause));
  }

  #fail(error: Error): void {
    if (!this.isAlive || this.#isOver) return;
    void this.end();
    this.#events.end(error);
  }
}
