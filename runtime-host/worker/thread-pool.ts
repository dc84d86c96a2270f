// Places for instances: so many threads compute at once, some more may be there while scripts wait, and whoever finds
// no place waits for a turn. What an instance gets is a lease of one thread (lease.ts).

import { BusyError, HostError } from '../errors/errors.ts';
import { describeRefusedLease } from './busy-messages.ts';
import { IdleThreads } from './idle-threads.ts';
import type { Lease, LeaseRequest, PendingLease } from './lease.ts';
import type { AsyncContext } from './machine.ts';
import { deepestNesting, NestedQueue } from './nested-queue.ts';
import type { PoolThread } from './pool-thread.ts';

/**
 * A script that has waited for so long, in milliseconds, leaves its turn to another: as long as a worker takes to
 * start,
 */
const startMs = 25;
/** or less where one has no work. */
const readyMs = 2;
/** A longer timer would fire at once. */
const longestTimer = 0x7fff_ffff;

export interface ThreadPoolOptions {
  /** What there is a place for, as it is told: a worker. */
  readonly what: string;
  readonly mostComputing: number;
  /** Of all threads, those whose scripts wait included. */
  readonly most: number;
  readonly mostQueued: number;
  /** How long one may be waited for, in milliseconds; null for as long as it takes. */
  readonly mostQueuedMs: number | null;
  readonly idleMs: number;
  /** What tells which runs a script waits for; null where nothing does. */
  readonly context: AsyncContext<Nesting> | null;
}

/** Where a run is among those that wait for each other. */
export interface Nesting {
  /** How many scripts wait for it, one for the other. */
  readonly depth: number;
  /** Whether it has its thread still. */
  isHeld: boolean;
}

interface ActiveLease extends Lease {
  readonly caller: object;
  ended: { readonly error: unknown } | null;
  /** Null while the script computes. */
  waitingSince: number | null;
}

interface Queued {
  readonly request: LeaseRequest;
  readonly depth: number;
  readonly grant: (lease: Lease) => void;
  readonly refuse: (error: unknown) => void;
}

export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #queue = new NestedQueue<object, Queued>();
  readonly #held = new Set<ActiveLease>();
  /** They look at their heaps after a run. */
  readonly #resting = new Set<PoolThread>();
  readonly #idle: IdleThreads;
  /** They take memory until they are gone. */
  readonly #ending = new Map<PoolThread, Promise<void>>();
  #turnTimer: ReturnType<typeof setTimeout> | null = null;
  /** Keeps the process alive while somebody is in the queue: threads whose scripts wait do not. */
  #queueTimer: ReturnType<typeof setInterval> | null = null;
  /** Whether somebody was passed over for lack of room alone. */
  #lacksRoom = false;
  #isClosed = false;
  #served = 0;
  #refused = 0;
  #started = 0;
  #replaced = 0;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#idle = new IdleThreads(options.mostComputing, options.idleMs, (thread) => this.#discard(thread));
  }

  get stats(): {
    readonly threads: number;
    readonly idle: number;
    readonly running: number;
    readonly waiting: number;
    readonly queued: number;
    readonly served: number;
    readonly refused: number;
    readonly started: number;
    readonly replaced: number;
  } {
    return {
      threads: this.#threads,
      idle: this.#idle.size,
      running: this.#held.size,
      waiting: this.#waiting,
      queued: this.#queue.size,
      served: this.#served,
      refused: this.#refused,
      started: this.#started,
      replaced: this.#replaced,
    };
  }

  enter(request: LeaseRequest): PendingLease {
    if (this.#isClosed)
      return {
        lease: Promise.reject(new HostError('this pool is closed: make another with createPool()')),
        leave: () => {},
      };
    const { context, mostQueued, mostQueuedMs } = this.#options;
    const waitsForIt = context?.getStore();
    const depth = waitsForIt?.isHeld === true ? waitsForIt.depth + 1 : 0;
    const { promise, resolve, reject } = Promise.withResolvers<Lease>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isQueued = true;
    const leaveQueue = (): void => {
      isQueued = false;
      clearTimeout(timer);
    };
    const queued: Queued = {
      request,
      depth,
      grant: (lease) => {
        leaveQueue();
        resolve(lease);
      },
      refuse: (error) => {
        leaveQueue();
        reject(error);
      },
    };
    const remove = this.#queue.put(request.caller, queued, depth);
    const leave = (error: unknown): void => {
      remove();
      queued.refuse(error);
      this.#holdProcess();
    };
    if (mostQueuedMs !== null)
      timer = setTimeout(
        () => {
          this.#refused += 1;
          leave(this.#busyError('queue-time'));
        },
        Math.min(mostQueuedMs, longestTimer),
      );
    this.#fill();
    // Nothing would ever come free for it, if they all wait for each other. Whoever waits for one that is about to be
    // gone, or free, waits for no others.
    if (isQueued && depth > deepestNesting && !this.#hasRoom(depth)) {
      this.#refused += 1;
      leave(this.#busyError('nesting'));
    } else if (this.#queue.size > mostQueued + this.#resting.size + this.#ending.size) {
      this.#refused += 1;
      this.#queue.takeFromLongest()!.refuse(this.#busyError('queue-length'));
      this.#holdProcess();
    }
    return { lease: promise, leave };
  }

  #busyError(why: 'queue-length' | 'queue-time' | 'nesting'): BusyError {
    const doAllWait = this.#held.size > 0 && this.#waiting === this.#held.size && !this.#hasRoom(0);
    return new BusyError(describeRefusedLease(why, { ...this.#options, doAllWait }));
  }

  /** Has a thread ready by the time that it is wanted, if there is a place. */
  warm(request: LeaseRequest): void {
    if (
      this.#isClosed ||
      this.#idle.find(request.kind, request.program) !== null ||
      this.#busy() + this.#idle.size >= this.#options.mostComputing ||
      !this.#hasRoom(0)
    )
      return;
    this.#idle.keep(this.#start(request.start), request.kind);
  }

  /** Ends all there is; gives when nothing of it is left. */
  async close(error: unknown): Promise<void> {
    this.#isClosed = true;
    for (let queued = this.#queue.take(); queued !== null; queued = this.#queue.take()) queued.refuse(error);
    this.#holdProcess();
    for (const held of Array.from(this.#held)) {
      held.ended = { error };
      held.onClose(error);
      held.release(false);
    }
    for (const thread of this.#resting) this.#discard(thread);
    this.#resting.clear();
    this.#idle.close();
    // Whoever waits for it is not to be ended meanwhile.
    for (const thread of this.#ending.keys()) thread.keepAlive(true);
    while (this.#ending.size > 0) await Promise.all(this.#ending.values());
  }

  get #threads(): number {
    return this.#held.size + this.#resting.size + this.#idle.size;
  }

  get #waiting(): number {
    let waiting = 0;
    for (const { waitingSince } of this.#held) if (waitingSince !== null) waiting += 1;
    return waiting;
  }

  /** How many compute: those that have just begun to wait may go on at once. */
  #busy(): number {
    const patient = performance.now() - this.#patienceMs;
    let busy = this.#resting.size;
    for (const { waitingSince } of this.#held) if (waitingSince === null || waitingSince > patient) busy += 1;
    return busy;
  }

  get #patienceMs(): number {
    return this.#idle.size > 0 ? readyMs : startMs;
  }

  /**
   * Whether there may be one thread more. Where all are taken by scripts that wait, those that they wait for may have
   * one more for each of them that waits for the other: so there is always one that can go on.
   */
  #hasRoom(depth: number): boolean {
    return this.#threads + this.#ending.size < this.#options.most + Math.min(depth, deepestNesting);
  }

  /** Gives places to those who wait, as far as there are some. */
  #fill(): void {
    while (this.#queue.size > 0 && this.#busy() < this.#options.mostComputing) {
      this.#lacksRoom = false;
      const queued = this.#queue.take(this.#mayHave);
      if (queued === null) {
        // One without work is of no use to those who wait: it leaves its place, and there is room once it is gone.
        if (!this.#lacksRoom || this.#idle.size === 0 || this.#ending.size > 0) break;
        this.#replaceIdle();
        if (this.#ending.size > 0) break;
        continue;
      }
      const { request, depth, grant, refuse } = queued;
      try {
        grant(this.#lease(this.#threadFor(request), request, depth));
      } catch (error) {
        refuse(error);
      }
    }
    this.#holdProcess();
    this.#windTurns();
  }

  /** Whether there is a place for it. */
  readonly #mayHave = (caller: object, { request, depth }: Queued): boolean => {
    if (depth === 0 && !this.#mayHaveMore(caller)) return false;
    if (this.#idle.find(request.kind, request.program) !== null || this.#hasRoom(depth)) return true;
    this.#lacksRoom = true;
    return false;
  };

  /** The last place is for others than who has all the rest: what that one's instances wait for may be theirs. */
  #mayHaveMore(caller: object): boolean {
    const { mostComputing, most } = this.#options;
    let count = 0;
    for (const held of this.#held) if (held.caller === caller) count += 1;
    return count < Math.max(mostComputing, most - 1);
  }

  #holdProcess(): void {
    if (this.#queue.size > 0) this.#queueTimer ??= setInterval(() => {}, longestTimer);
    else if (this.#queueTimer !== null) {
      clearInterval(this.#queueTimer);
      this.#queueTimer = null;
    }
  }

  /** Looks again once somebody has waited for long enough. */
  #windTurns(): void {
    if (this.#turnTimer !== null) clearTimeout(this.#turnTimer);
    this.#turnTimer = null;
    if (this.#queue.size === 0) return;
    const patienceMs = this.#patienceMs;
    const patient = performance.now() - patienceMs;
    let first = Infinity;
    for (const { waitingSince } of this.#held)
      if (waitingSince !== null && waitingSince > patient) first = Math.min(first, waitingSince);
    if (first !== Infinity)
      this.#turnTimer = setTimeout(() => this.#fill(), Math.max(first + patienceMs - performance.now(), 0) + 1);
  }

  /** One that has the module already, or else any that may run it, or a new one. */
  #threadFor({ program, kind, start }: LeaseRequest): PoolThread {
    const idle = this.#idle.find(kind, program);
    if (idle !== null) return this.#idle.take(idle);
    // It takes the place of the one that has had no work for longest.
    if (this.#idle.size > 0 && this.#busy() + this.#idle.size >= this.#options.mostComputing) this.#replaceIdle();
    return this.#start(start);
  }

  #replaceIdle(): void {
    this.#replaced += 1;
    this.#discard(this.#idle.takeOldest());
  }

  #start(start: () => PoolThread): PoolThread {
    const thread = start();
    this.#started += 1;
    return thread;
  }

  #lease(thread: PoolThread, request: LeaseRequest, depth: number): Lease {
    this.#served += 1;
    const nesting: Nesting = { depth, isHeld: true };
    const { context } = this.#options;
    const held: ActiveLease = {
      thread,
      caller: request.caller,
      waitingSince: null,
      ended: null,
      onClose: () => {},
      setWaiting: (isWaiting) => {
        if (isWaiting === (held.waitingSince !== null) || !this.#held.has(held)) return;
        held.waitingSince = isWaiting ? performance.now() : null;
        if (isWaiting && this.#turnTimer === null) this.#windTurns();
      },
      answer: (work) => (context === null ? work() : context.run(nesting, work)),
      release: (isSound) => {
        nesting.isHeld = false;
        if (this.#held.delete(held)) this.#takeBack(thread, request, isSound);
      },
    };
    this.#held.add(held);
    return held;
  }

  #takeBack(thread: PoolThread, request: LeaseRequest, isSound: boolean): void {
    const rested = isSound && !this.#isClosed && thread.rest();
    if (typeof rested === 'boolean') {
      this.#settle(thread, request, rested);
      return;
    }
    this.#resting.add(thread);
    void rested.then((canGoOn) => {
      if (this.#resting.delete(thread)) this.#settle(thread, request, canGoOn);
    });
  }

  #settle(thread: PoolThread, request: LeaseRequest, canGoOn: boolean): void {
    if (!canGoOn && !this.#isClosed) this.#replaced += 1;
    if (canGoOn && this.#threads < this.#options.most) this.#idle.keep(thread, request.kind);
    else this.#discard(thread);
    if (this.#isClosed) return;
    this.#fill();
    if (canGoOn || !request.startsAhead) return;
    try {
      this.warm(request);
    } catch {
      // The next that wants one is told.
    }
  }

  #discard(thread: PoolThread): void {
    const gone = thread.end();
    if (gone === undefined) return;
    const forget = (): void => {
      this.#ending.delete(thread);
      if (!this.#isClosed) this.#fill();
    };
    this.#ending.set(thread, gone.then(forget, forget));
  }
}
