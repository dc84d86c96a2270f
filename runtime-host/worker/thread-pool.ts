// The places of a pool: so many threads compute at once, some more may exist while scripts wait, and requests without a
// place wait for their turn. An instance gets a lease of one thread (lease.ts).

import { BusyError, HostError } from '../errors/errors.ts';
import { describeRefusedLease } from './busy-messages.ts';
import { IdleThreads } from './idle-threads.ts';
import type { Lease, LeaseRequest, PendingLease } from './lease.ts';
import { LongRuns } from './long-runs.ts';
import type { AsyncContext } from './machine.ts';
import { deepestNesting, NestedQueue } from './nested-queue.ts';
import type { PoolThread } from './pool-thread.ts';

/** A script that has waited so long, in milliseconds, passes its turn on: as long as a worker takes to start. */
const startMs = 25;
/** The same if there is an idle thread. */
const readyMs = 2;
/** A longer timer would fire at once. */
const longestTimer = 0x7fff_ffff;

export interface ThreadPoolOptions {
  /** The name in messages of what the pool has: a worker. */
  readonly what: string;
  readonly mostComputing: number;
  /** The limit of all threads, those with waiting scripts included. */
  readonly most: number;
  readonly mostQueued: number;
  /** How long a request may wait, in milliseconds; null for no limit. */
  readonly mostQueuedMs: number | null;
  readonly idleMs: number;
  /** Tells which script waits for which run; null if the engine cannot tell. */
  readonly context: AsyncContext<Nesting> | null;
}

/** The position of a run among runs that wait for each other. */
export interface Nesting {
  /** How many scripts wait for it, directly or for each other. */
  readonly depth: number;
  /** Whether it still has its thread. */
  isHeld: boolean;
}

interface ActiveLease extends Lease {
  readonly caller: object;
  ended: { readonly error: unknown } | null;
  /** Null while the script computes. */
  waitingSince: number | null;
  /** When it began to compute, or went on. */
  computesSince: number;
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
  /** Threads that check their heaps after a run. */
  readonly #resting = new Set<PoolThread>();
  readonly #idle: IdleThreads;
  /** Threads that are ending: they take memory until they are gone. */
  readonly #ending = new Map<PoolThread, Promise<void>>();
  #turnTimer: ReturnType<typeof setTimeout> | null = null;
  /** When it fires; Infinity if there is none. */
  #turnAt = Infinity;
  /** Keeps the process alive while there are queued requests: threads with waiting scripts do not. */
  #queueTimer: ReturnType<typeof setInterval> | null = null;
  readonly #long = new LongRuns();
  /** When a place is no longer kept for others; Infinity if none is. */
  #keptUntil = Infinity;
  /** Whether a request was passed over only for lack of room. */
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
    this.#long.noteRequest(request.caller, performance.now());
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
    // If all threads wait for each other, none would ever become free for this request, so it is refused. A request
    // that waits for a thread that is about to end or become free has room.
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

  /** Makes a thread ready in advance, if there is a place. */
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

  /** Ends all threads; resolves when none is left. */
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
    // The process must not end while somebody waits for them.
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

  /** How many compute; scripts that have only just begun to wait count, since they may continue at once. */
  #busy(now = performance.now()): number {
    const patient = now - this.#patienceMs;
    let busy = this.#resting.size;
    for (const { waitingSince } of this.#held) if (waitingSince === null || waitingSince > patient) busy += 1;
    return busy;
  }

  get #patienceMs(): number {
    return this.#idle.size > 0 ? readyMs : startMs;
  }

  /**
   * Whether there may be another thread. If all threads have waiting scripts, each level of nesting may have one more:
   * so some script can always continue.
   */
  #hasRoom(depth: number): boolean {
    return this.#threads + this.#ending.size < this.#options.most + Math.min(depth, deepestNesting);
  }

  /** Gives free places to queued requests. */
  #fill(): void {
    this.#keptUntil = Infinity;
    let now = performance.now();
    while (this.#queue.size > 0 && this.#busy((now = performance.now())) < this.#options.mostComputing) {
      this.#lacksRoom = false;
      const queued = this.#queue.take(this.#mayHave);
      if (queued === null) {
        // An idle thread that no request can use gives up its place; there is room once it has ended.
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
    // A script whose patience ends between two looks at the clock would be waited for no more.
    this.#windTurns(now);
  }

  /** Whether there is a place for the request. */
  readonly #mayHave = (caller: object, { request, depth }: Queued): boolean => {
    if (depth === 0 && (!this.#mayHaveMore(caller) || this.#isKeptFrom(caller))) return false;
    if (this.#idle.find(request.kind, request.program) !== null || this.#hasRoom(depth)) return true;
    this.#lacksRoom = true;
    return false;
  };

  /** The last place is not for a caller that has all the others: its instances may wait for runs of other callers. */
  #mayHaveMore(caller: object): boolean {
    const { mostComputing, most } = this.#options;
    let count = 0;
    for (const held of this.#held) if (held.caller === caller) count += 1;
    return count < Math.max(mostComputing, most - 1);
  }

  /** Whether the place is kept for others: the script computes in all the rest, and its runs take long. */
  #isKeptFrom(caller: object): boolean {
    const now = performance.now();
    let count = 0;
    let runningMs = 0;
    for (const held of this.#held) {
      if (held.caller !== caller || held.waitingSince !== null) continue;
      count += 1;
      runningMs = Math.max(runningMs, now - held.computesSince);
    }
    if (count === 0 || count < this.#options.mostComputing - 1) return false;
    const until = this.#long.keptUntil(caller, runningMs);
    if (until <= now) return false;
    this.#keptUntil = Math.min(this.#keptUntil, until);
    return true;
  }

  #holdProcess(): void {
    if (this.#queue.size > 0) this.#queueTimer ??= setInterval(() => {}, longestTimer);
    else if (this.#queueTimer !== null) {
      clearInterval(this.#queueTimer);
      this.#queueTimer = null;
    }
  }

  /** Sets the timer for the moment when a script has waited long enough, or a place is no longer kept. */
  #windTurns(now: number): void {
    this.#wind(Infinity);
    if (this.#queue.size === 0) return;
    const patienceMs = this.#patienceMs;
    const patient = now - patienceMs;
    let first = Infinity;
    for (const { waitingSince } of this.#held)
      if (waitingSince !== null && waitingSince > patient) first = Math.min(first, waitingSince);
    this.#wind(Math.min(first + patienceMs, this.#keptUntil));
  }

  #wind(at: number): void {
    if (this.#turnTimer !== null) clearTimeout(this.#turnTimer);
    this.#turnAt = at;
    this.#turnTimer = at === Infinity ? null : setTimeout(() => this.#fill(), Math.max(at - performance.now(), 0) + 1);
  }

  /** A thread that has the module already, or any other that may run it, or a new one. */
  #threadFor({ program, kind, start }: LeaseRequest): PoolThread {
    const idle = this.#idle.find(kind, program);
    if (idle !== null) return this.#idle.take(idle);
    // It replaces the thread that has been idle for longest.
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
      computesSince: performance.now(),
      ended: null,
      onClose: () => {},
      setWaiting: (isWaiting) => {
        if (isWaiting === (held.waitingSince !== null) || !this.#held.has(held)) return;
        const now = performance.now();
        if (isWaiting) this.#long.noteEnd(request.caller, now - held.computesSince);
        else held.computesSince = now;
        held.waitingSince = isWaiting ? now : null;
        const turn = now + this.#patienceMs;
        if (isWaiting && this.#queue.size > 0 && turn < this.#turnAt) this.#wind(turn);
      },
      answer: (work) => (context === null ? work() : context.run(nesting, work)),
      release: (isSound) => {
        nesting.isHeld = false;
        if (!this.#held.delete(held)) return;
        if (held.waitingSince === null) this.#long.noteEnd(request.caller, performance.now() - held.computesSince);
        this.#takeBack(thread, request, isSound);
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
      // The next request gets the error.
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
