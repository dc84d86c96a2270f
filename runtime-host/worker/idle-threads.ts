// The idle threads of a pool: chooses one for a module, and decides how long they are kept.

import type { Program } from '../run/execution.ts';
import type { PoolThread } from './pool-thread.ts';

/**
 * How long idle threads are kept beyond the number that computes at once, in milliseconds: scripts that wait often
 * continue at the same time.
 */
const extraIdleMs = 500;
/** A longer timer would fire at once. */
const longestTimer = 0x7fff_ffff;

interface Idle {
  readonly thread: PoolThread;
  readonly kind: unknown;
  readonly since: number;
}

export class IdleThreads {
  readonly #mostComputing: number;
  readonly #idleMs: number;
  readonly #discard: (thread: PoolThread) => void;
  /** The one that worked last is at the end. */
  readonly #idle: Idle[] = [];
  /** The timer that ends old ones, and the time that they are kept. */
  #timer: { readonly timer: ReturnType<typeof setTimeout>; readonly keptMs: number } | null = null;

  constructor(mostComputing: number, idleMs: number, discard: (thread: PoolThread) => void) {
    this.#mostComputing = mostComputing;
    this.#idleMs = idleMs;
    this.#discard = discard;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** The one that worked last, preferably one that has the module already; null if there is none. */
  find(kind: unknown, program: Program): PoolThread | null {
    let found: PoolThread | null = null;
    for (let at = this.#idle.length - 1; at >= 0; at--) {
      const idle = this.#idle[at]!;
      if (idle.kind !== kind || !idle.thread.isAlive) continue;
      if (idle.thread.has(program)) return idle.thread;
      found ??= idle.thread;
    }
    return found;
  }

  take(thread: PoolThread): PoolThread {
    this.#idle.splice(
      this.#idle.findIndex((idle) => idle.thread === thread),
      1,
    );
    return thread;
  }

  takeOldest(): PoolThread {
    return this.#idle.shift()!.thread;
  }

  keep(thread: PoolThread, kind: unknown): void {
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
    this.#wind();
  }

  /** Ends all of them. */
  close(): void {
    for (const { thread } of this.#idle.splice(0)) this.#discard(thread);
    if (this.#timer !== null) clearTimeout(this.#timer.timer);
  }

  #wind(): void {
    if (this.#idle.length === 0) return;
    const keptMs = this.#keptMs;
    const left = Math.min(Math.max(this.#idle[0]!.since + keptMs - performance.now(), 0) + 1, longestTimer);
    if (this.#timer !== null) {
      if (this.#timer.keptMs <= keptMs) return;
      clearTimeout(this.#timer.timer);
    }
    const timer = setTimeout(() => {
      this.#timer = null;
      while (this.#idle.length > 0 && this.#idle[0]!.since + this.#keptMs <= performance.now())
        this.#discard(this.takeOldest());
      this.#wind();
    }, left);
    // A timer of Node would keep the process alive; in browsers timers are numbers.
    if (typeof timer === 'object') timer.unref();
    this.#timer = { timer, keptMs };
  }

  /** How long the oldest one is kept. */
  get #keptMs(): number {
    return this.#idle.length > this.#mostComputing ? Math.min(this.#idleMs, extraIdleMs) : this.#idleMs;
  }
}
