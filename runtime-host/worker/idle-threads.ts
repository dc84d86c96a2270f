// The threads of a pool that have no work: which of them serves a module, and how long they are kept.

import type { Program } from '../run/execution.ts';
import type { PoolThread } from './pool-thread.ts';

/**
 * Threads beyond those that compute at once are kept for so long, in milliseconds: scripts that wait tend to go on
 * together.
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
  /** The one that had work last at the end. */
  readonly #idle: Idle[] = [];
  /** What looks after them, and how long it keeps them. */
  #timer: { readonly timer: ReturnType<typeof setTimeout>; readonly keptMs: number } | null = null;

  constructor(mostComputing: number, idleMs: number, discard: (thread: PoolThread) => void) {
    this.#mostComputing = mostComputing;
    this.#idleMs = idleMs;
    this.#discard = discard;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** The one that had work last, if possible of those that have the module already; null if there is none. */
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

  /** Ends them. */
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
    // Node's timers keep the process alive; those of browsers are numbers.
    if (typeof timer === 'object') timer.unref();
    this.#timer = { timer, keptMs };
  }

  /** How long the one that had no work for longest is kept. */
  get #keptMs(): number {
    return this.#idle.length > this.#mostComputing ? Math.min(this.#idleMs, extraIdleMs) : this.#idleMs;
  }
}
