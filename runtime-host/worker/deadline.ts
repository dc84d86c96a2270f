// The time limit of one piece of work, enforced from outside: for a worker that does not end by itself. Time in which
// the script waits for a person or its consumer does not count.

import { max, min, timeNow } from '../primordials/untampered.ts';

/** The extra milliseconds after the limit: a clause of the script that catches the error has some grace. */
const allowanceMs = 150;
/** In this time, in milliseconds, a thread that had a turn must report the script's place. */
const lastWordMs = 50;
/** On a busy machine, a thread waits at most this long for its turn. */
const longestWordMs = 1_000;
/** A longer timer would fire at once. */
const longestTimer = 0x7fff_ffff;

export class Deadline {
  #limitMs: number;
  readonly #onEnd: (limitMs: number) => void;
  /**
   * Settles once the worker's thread has had a turn, for a script that then ends itself and reports its place; null for
   * other scripts.
   */
  readonly #lastTurn: () => Promise<void> | null;
  #started: number | null = null;
  #pausedSince: number | null = null;
  #pausedFor = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limitMs: number, onEnd: (limitMs: number) => void, lastTurn: () => Promise<void> | null = () => null) {
    this.#limitMs = limitMs;
    this.#onEnd = onEnd;
    this.#lastTurn = lastTurn;
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

  /** Returns the milliseconds since the pause began. */
  resume(): number {
    if (this.#pausedSince === null) return 0;
    const paused = timeNow() - this.#pausedSince;
    this.#pausedFor += paused;
    this.#pausedSince = null;
    this.#wind();
    return paused;
  }

  /** Subtracts milliseconds that were not the script's; the timer takes them into account when it fires. */
  discount(milliseconds: number): void {
    this.#pausedFor += milliseconds;
  }

  /** Sets a new limit. */
  extend(limitMs: number): void {
    this.#limitMs = limitMs;
    if (this.#pausedSince === null) this.#wind();
  }

  #wind(): void {
    clearTimeout(this.#timer);
    if (this.#started === null) return;
    this.#after(min(max(Math.ceil(this.#left()), 0), longestTimer), () => {
      if (this.#left() > 0) this.#wind();
      else this.#expire();
    });
  }

  #expire(): void {
    const end = (): void => {
      if (this.#left() > 0) this.#wind();
      else this.#onEnd(this.#limitMs);
    };
    // Messages that the worker sent while this thread was busy are handled first.
    const turn = this.#lastTurn();
    if (turn === null) {
      this.#after(0, end);
      return;
    }
    this.#after(longestWordMs, end);
    const timer = this.#timer;
    const giveLastWord = (): void => {
      if (this.#timer === timer && this.#started !== null && this.#pausedSince === null) this.#after(lastWordMs, end);
    };
    turn.then(giveLastWord, giveLastWord);
  }

  #after(milliseconds: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, milliseconds);
  }

  #left(): number {
    return this.#limitMs + allowanceMs - (timeNow() - this.#started! - this.#pausedFor);
  }
}
