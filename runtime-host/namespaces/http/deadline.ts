// The deadline of a whole call, from the lookup of the host to the last byte. It stands still while a person is asked.

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

  /** When `outer` aborts, this ends too. */
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

  /** The last limit that was set, which is the valid one. */
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

  /** Allows at most so much time from now on. */
  shorten(timeoutMs: number): void {
    if (timeoutMs >= this.#leftMs) return;
    this.#leftMs = timeoutMs;
    this.#limitMs = timeoutMs;
  }

  /** Releases the timer and the outer signal. */
  end(): void {
    this.stop();
    this.#outer.removeEventListener('abort', this.#abort);
  }
}

/** JavaScript timers have 31 bits of milliseconds. */
const longestTimer = 2 ** 31 - 1;
