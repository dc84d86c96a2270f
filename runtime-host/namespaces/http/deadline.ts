// One deadline for a whole call, from looking up the host to the last byte, that stands still while a person is asked.

import { max, min, timeNow } from '../../primordials/untampered.ts';

export class Deadline {
  readonly #controller = new AbortController();
  #leftMs: number;
  #limitMs: number;
  #runningSince = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #expired = false;
  readonly #outer: AbortSignal;
  readonly #abort = (): void => this.#controller.abort();

  /** `outer` ends everything too. */
  constructor(timeoutMs: number, outer: AbortSignal) {
    this.#leftMs = timeoutMs;
    this.#limitMs = timeoutMs;
    this.#outer = outer;
    if (outer.aborted) this.#abort();
    outer.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is up. */
  get expired(): boolean {
    return this.#expired;
  }

  /** What was allowed last, and counts. */
  get limitMs(): number {
    return this.#limitMs;
  }

  start(): void {
    this.#runningSince = timeNow();
    this.#timer = setTimeout(
      () => {
        this.#expired = true;
        this.#abort();
      },
      min(this.#leftMs, longestTimer),
    );
  }

  stop(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#leftMs = max(0, this.#leftMs - (timeNow() - this.#runningSince));
  }

  /** There is at most so much time from here on. */
  shorten(timeoutMs: number): void {
    if (timeoutMs >= this.#leftMs) return;
    this.#leftMs = timeoutMs;
    this.#limitMs = timeoutMs;
  }

  /** Lets go of the timer and of the outer signal. */
  end(): void {
    this.stop();
    this.#outer.removeEventListener('abort', this.#abort);
  }
}

/** Timers of JavaScript take 31 bits of milliseconds. */
const longestTimer = 2 ** 31 - 1;
