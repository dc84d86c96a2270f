// Keeps one place of a pool from a script whose runs take long, while others come too: turns alone would give it every
// place between two short runs of another script, which then waits for one of the long ones to end.

/** Shorter runs give their places back soon enough. */
const longMs = 25;
/** A place is kept for so many times the length of such a run after another script came, */
const keptTimes = 4;
/** and no longer than this, in milliseconds. */
const longestKept = 10_000;

export class LongRuns {
  /** How long a script has computed at a time of late, in milliseconds. */
  readonly #lengths = new WeakMap<object, number>();
  /** The script that came last, and the last other one. */
  #last: { readonly caller: object; at: number } | null = null;
  #other: { readonly caller: object; at: number } | null = null;

  /** A run of the script is requested. */
  noteRequest(caller: object, at: number): void {
    if (this.#last?.caller === caller) this.#last.at = at;
    else [this.#last, this.#other] = [{ caller, at }, this.#last];
  }

  /** A run of the script has computed for so long. */
  noteEnd(caller: object, ms: number): void {
    const before = this.#lengths.get(caller) ?? 0;
    this.#lengths.set(caller, before + (ms - before) / 4);
  }

  /**
   * Until when the last place is for others than this script, whose runs have computed for `runningMs` at this moment;
   * -Infinity if it is not.
   */
  keptUntil(caller: object, runningMs: number): number {
    const other = this.#last?.caller === caller ? this.#other : this.#last;
    const length = Math.max(this.#lengths.get(caller) ?? 0, runningMs);
    return other === null || length < longMs ? -Infinity : other.at + Math.min(length * keptTimes, longestKept);
  }
}
