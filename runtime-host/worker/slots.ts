// Places for instances: so many threads compute at once, some more may be there while scripts wait, and whoever finds
// no place waits for a turn. What an instance gets is a lease of one thread.

import type { Program } from '../run/execution.ts';
import { BusyError, HostError } from '../errors/errors.ts';
import { FairQueue } from './fair-queue.ts';
import type { PoolThread } from './pooled-worker.ts';

/**
 * A script that has waited for so long, in milliseconds, leaves its turn to another: as long as a worker takes to
 * start,
 */
const startMs = 25;
/** or less where one has no work. */
const readyMs = 2;
/**
 * Threads beyond those that compute at once are kept for so long, in milliseconds: scripts that wait tend to go on
 * together.
 */
const extraIdleMs = 500;
/** A longer timer would fire at once. */
const longestTimer = 0x7fff_ffff;

export interface SlotOptions {
  /** What there is a place for, as it is told: a worker. */
  readonly what: string;
  readonly mostComputing: number;
  /** Of all threads, those whose scripts wait included. */
  readonly most: number;
  readonly mostQueued: number;
  readonly idleMs: number;
}

/** What an instance wants. */
export interface LeaseRequest {
  /** Whose turn it takes. */
  readonly caller: object;
  readonly program: Program;
  /** Whether the module's owner did not compile it. */
  readonly isForeign: boolean;
  /** Threads of another kind do not serve it. */
  readonly kind: unknown;
  readonly start: () => PoolThread;
}

/** A place that is waited for. */
export interface PendingLease {
  /** Rejects with BusyError, HostError, or with what it is left with. */
  readonly lease: Promise<Lease>;
  /** Nobody wants it any more; does nothing once there is a lease. */
  leave(error: unknown): void;
}

/** A thread that an instance has to itself. */
export interface Lease {
  readonly thread: PoolThread;
  /** What ended the pool; null while it lives. */
  readonly ended: { readonly error: unknown } | null;
  /** Hears of that. */
  onClose: (error: unknown) => void;
  /** The script waits for somebody outside of its thread, or no longer does. */
  setWaiting(isWaiting: boolean): void;
  /** The thread is free; `isSound` says whether it may serve others. */
  release(isSound: boolean): void;
}

interface ActiveLease extends Lease {
  readonly caller: object;
  ended: { readonly error: unknown } | null;
  /** Null while the script computes. */
  waitingSince: number | null;
}

interface Idle {
  readonly thread: PoolThread;
  readonly kind: unknown;
  readonly since: number;
}

interface Queued {
  readonly request: LeaseRequest;
  readonly grant: (lease: Lease) => void;
  readonly refuse: (error: unknown) => void;
}

export class Slots {
  readonly #options: SlotOptions;
  readonly #queue = new FairQueue<object, Queued>();
  readonly #held = new Set<ActiveLease>();
  /** They look at their heaps after a run. */
  readonly #resting = new Set<PoolThread>();
  /** The one that had work last at the end. */
  readonly #idle: Idle[] = [];
  readonly #ending = new Map<PoolThread, Promise<void>>();
  /** What looks after those without work, and how long it keeps them. */
  #idleTimer: { readonly timer: ReturnType<typeof setTimeout>; readonly keptMs: number } | null = null;
  #turnTimer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;
  #served = 0;
  #refused = 0;
  #started = 0;
  #replaced = 0;

  constructor(options: SlotOptions) {
    this.#options = options;
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
    let waiting = 0;
    for (const { waitingSince } of this.#held) if (waitingSince !== null) waiting += 1;
    return {
      threads: this.#threads,
      idle: this.#idle.length,
      running: this.#held.size,
      waiting,
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
    const { promise, resolve, reject } = Promise.withResolvers<Lease>();
    const queued: Queued = { request, grant: resolve, refuse: reject };
    const remove = this.#queue.put(request.caller, queued);
    this.#fill();
    if (this.#queue.size > this.#options.mostQueued) {
      this.#refused += 1;
      this.#queue.takeFromLongest()!.refuse(new BusyError(this.#busyMessage()));
    }
    return {
      lease: promise,
      leave: (error) => {
        remove();
        reject(error);
      },
    };
  }

  #busyMessage(): string {
    const { what, mostQueued } = this.#options;
    const why =
      mostQueued === 0
        ? `every ${what} is in use, and none may be waited for`
        : `${mostQueued.toLocaleString('en-US')} ${mostQueued === 1 ? 'other waits' : 'others wait'} for a ${what} ` +
          'already';
    return (
      `the pool is busy: ${why}. Try again later, or let more of them wait with the option maxQueue of ` +
      'createPool()'
    );
  }

  /** Has a thread ready by the time that it is wanted, if there is a place. */
  warm({ program, kind, start }: Omit<LeaseRequest, 'caller' | 'isForeign'>): void {
    const isThere = this.#idle.some((idle) => idle.kind === kind && idle.thread.mayRun(program));
    if (
      this.#isClosed ||
      isThere ||
      this.#busy() + this.#idle.length >= this.#options.mostComputing ||
      this.#threads >= this.#options.most
    )
      return;
    this.#keep(this.#start(start), kind);
  }

  /** Ends all there is; gives when nothing of it is left. */
  async close(error: unknown): Promise<void> {
    this.#isClosed = true;
    for (let queued = this.#queue.take(); queued !== null; queued = this.#queue.take()) queued.refuse(error);
    for (const held of Array.from(this.#held)) {
      held.ended = { error };
      held.onClose(error);
      held.release(false);
    }
    for (const thread of this.#resting) this.#discard(thread);
    for (const { thread } of this.#idle.splice(0)) this.#discard(thread);
    this.#resting.clear();
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer.timer);
    // Whoever waits for it is not to be ended meanwhile.
    for (const thread of this.#ending.keys()) thread.keepAlive(true);
    while (this.#ending.size > 0) await Promise.all(this.#ending.values());
  }

  get #threads(): number {
    return this.#held.size + this.#resting.size + this.#idle.length;
  }

  /** How many compute: those that have just begun to wait may go on at once. */
  #busy(): number {
    const patient = performance.now() - this.#patienceMs;
    let busy = this.#resting.size;
    for (const { waitingSince } of this.#held) if (waitingSince === null || waitingSince > patient) busy += 1;
    return busy;
  }

  get #patienceMs(): number {
    return this.#idle.length > 0 ? readyMs : startMs;
  }

  /** Gives places to those who wait, as far as there are some. */
  #fill(): void {
    while (this.#queue.size > 0 && this.#hasPlace && this.#busy() < this.#options.mostComputing) {
      const queued = this.#queue.take(this.#mayHaveMore);
      if (queued === null) break;
      const { request, grant, refuse } = queued;
      try {
        grant(this.#lease(this.#threadFor(request), request));
      } catch (error) {
        refuse(error);
      }
    }
    this.#windTurns();
  }

  /** The last place is for others than who has all the rest: what that one's instances wait for may be theirs. */
  readonly #mayHaveMore = (caller: object): boolean => {
    const { mostComputing, most } = this.#options;
    let count = 0;
    for (const held of this.#held) if (held.caller === caller) count += 1;
    return count < Math.max(mostComputing, most - 1);
  };

  get #hasPlace(): boolean {
    return this.#idle.length > 0 || this.#threads < this.#options.most;
  }

  /** Looks again once somebody has waited for long enough. */
  #windTurns(): void {
    if (this.#turnTimer !== null) clearTimeout(this.#turnTimer);
    this.#turnTimer = null;
    if (this.#queue.size === 0 || !this.#hasPlace) return;
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
    let at = -1;
    this.#idle.forEach((idle, index) => {
      if (
        idle.kind === kind &&
        idle.thread.mayRun(program) &&
        (at === -1 || idle.thread.has(program) || !this.#idle[at]!.thread.has(program))
      )
        at = index;
    });
    if (at >= 0) {
      return this.#idle.splice(at, 1)[0]!.thread;
    }
    // It takes the place of the one that has had no work for longest.
    if (
      this.#idle.length > 0 &&
      (this.#busy() + this.#idle.length >= this.#options.mostComputing || this.#threads >= this.#options.most)
    ) {
      this.#replaced += 1;
      this.#discard(this.#idle.shift()!.thread);
    }
    return this.#start(start);
  }

  #start(start: () => PoolThread): PoolThread {
    const thread = start();
    this.#started += 1;
    return thread;
  }

  #lease(thread: PoolThread, { caller, kind }: LeaseRequest): Lease {
    this.#served += 1;
    const held: ActiveLease = {
      thread,
      caller,
      waitingSince: null,
      ended: null,
      onClose: () => {},
      setWaiting: (isWaiting) => {
        if (isWaiting === (held.waitingSince !== null) || !this.#held.has(held)) return;
        held.waitingSince = isWaiting ? performance.now() : null;
        if (isWaiting && this.#turnTimer === null) this.#windTurns();
      },
      release: (isSound) => {
        if (this.#held.delete(held)) this.#takeBack(thread, kind, isSound);
      },
    };
    this.#held.add(held);
    return held;
  }

  #takeBack(thread: PoolThread, kind: unknown, isSound: boolean): void {
    const rested = isSound && !this.#isClosed && thread.rest();
    if (typeof rested === 'boolean') {
      this.#settle(thread, kind, rested);
      return;
    }
    this.#resting.add(thread);
    void rested.then((canGoOn) => {
      if (this.#resting.delete(thread)) this.#settle(thread, kind, canGoOn);
    });
  }

  #settle(thread: PoolThread, kind: unknown, canGoOn: boolean): void {
    if (!canGoOn && !this.#isClosed) this.#replaced += 1;
    if (canGoOn && this.#threads < this.#options.most) this.#keep(thread, kind);
    else this.#discard(thread);
    if (!this.#isClosed) this.#fill();
  }

  #keep(thread: PoolThread, kind: unknown): void {
    thread.keepAlive(false);
    const idle: Idle = { thread, kind, since: performance.now() };
    thread.listen(
      () => {},
      () => {
        const at = this.#idle.indexOf(idle);
        if (at < 0) return;
        this.#idle.splice(at, 1);
        this.#discard(thread);
      },
    );
    this.#idle.push(idle);
    this.#windIdle();
  }

  #windIdle(): void {
    if (this.#idle.length === 0) return;
    const keptMs = this.#keptMs;
    const left = Math.min(Math.max(this.#idle[0]!.since + keptMs - performance.now(), 0) + 1, longestTimer);
    if (this.#idleTimer !== null) {
      if (this.#idleTimer.keptMs <= keptMs) return;
      clearTimeout(this.#idleTimer.timer);
    }
    const timer = setTimeout(() => {
      this.#idleTimer = null;
      while (this.#idle.length > 0 && this.#idle[0]!.since + this.#keptMs <= performance.now())
        this.#discard(this.#idle.shift()!.thread);
      this.#windIdle();
    }, left);
    // Node's timers keep the process alive; those of browsers are numbers.
    if (typeof timer === 'object') timer.unref();
    this.#idleTimer = { timer, keptMs };
  }

  /** How long the one that had no work for longest is kept. */
  get #keptMs(): number {
    const { idleMs, mostComputing } = this.#options;
    return this.#idle.length > mostComputing ? Math.min(idleMs, extraIdleMs) : idleMs;
  }

  #discard(thread: PoolThread): void {
    const gone = thread.end();
    if (gone === undefined) return;
    this.#ending.set(
      thread,
      gone
        .then(
          () => {},
          () => {},
        )
        .finally(() => this.#ending.delete(thread)),
    );
  }
}
