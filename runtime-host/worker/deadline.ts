// The time limit of one piece of work, seen from outside: for a worker that does not end by itself. Time in which the script
// waits for a person or its consumer does not count.

import { max, min, timeNow } from '../primordials/untampered.ts';

/** How much later than the limit, in milliseconds: a clause of the script that takes the error has some grace. */
const allowanceMs = 150;
/** A longer timer would fire at once. */
const longestTimer = 0x7fff_ffff;

export class Deadline {
  #limitMs: number;
  readonly #onEnd: (limitMs: number) => void;
  #started: number | null = null;
  #pausedSince: number | null = null;
  #pausedFor = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limitMs: number, onEnd: (limitMs: number) => void) {
    this.#limitMs = limitMs;
    this.#onEnd = onEnd;
  }

  start(): void {
    this.#started = timeNow();
    this.#wind();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#started = null;
  }

  pause(): void {
    this.#pausedSince ??= timeNow();
    clearTimeout(this.#timer);
  }

  /** Gives the milliseconds since the pause began. */
  resume(): number {
    if (this.#pausedSince === null) return 0;
    const paused = timeNow() - this.#pausedSince;
    this.#pausedFor += paused;
    this.#pausedSince = null;
    this.#wind();
    return paused;
  }

  /** So many milliseconds were not the script's; the timer finds out when it goes off. */
  discount(milliseconds: number): void {
    this.#pausedFor += milliseconds;
  }

  /** The limit is another one now. */
  extend(limitMs: number): void {
    this.#limitMs = limitMs;
    if (this.#pausedSince === null) this.#wind();
  }

  #wind(): void {
    clearTimeout(this.#timer);
    if (this.#started === null) return;
    this.#timer = setTimeout(() => {
      if (this.#left() > 0) this.#wind();
      else this.#onEnd(this.#limitMs);
    }, min(max(Math.ceil(this.#left()), 0), longestTimer));
  }

  #left(): number {
    return this.#limitMs + allowanceMs - (timeNow() - this.#started! - this.#pausedFor);
  }
}
