// How often calls of a plugin's functions of numbers look whether the run may go on: each would cost more than many of
// the functions do. Slow ones look each time, fast ones now and then, and an abort makes the next one look.

/** Between two looks there should pass about so much time, in milliseconds. */
const betweenLooks = 0.2;
/** More calls than these are never made without a look: the next one may be slow. */
const mostCalls = 64;
const unlimited = 2 ** 30;

/** The run that calls. */
export interface PacedRun {
  readonly signal: AbortSignal;
  /** Throws if the run may not go on. */
  readonly throwIfEnded: () => void;
  /** Milliseconds of its time that are left; null where that is not limited. */
  readonly timeLeft: () => number | null;
}

export class CallPace {
  /** A call that makes this less than zero looks. */
  left = 0;
  readonly #run: PacedRun;
  #calls = 1;
  #lastLeft = 0;

  constructor(run: PacedRun) {
    this.#run = run;
    run.signal.addEventListener('abort', () => {
      this.left = 0;
    });
  }

  /** Throws what ends the run; otherwise says when to look again. */
  look(): void {
    const { signal, timeLeft, throwIfEnded } = this.#run;
    const milliseconds = timeLeft();
    if (signal.aborted || milliseconds === 0) throwIfEnded();
    if (milliseconds === null) {
      this.left = unlimited;
      return;
    }
    this.#calls =
      this.#lastLeft - milliseconds < betweenLooks
        ? Math.min(this.#calls * 2, mostCalls)
        : Math.max(this.#calls >> 1, 1);
    this.#lastLeft = milliseconds;
    this.left = this.#calls - 1;
  }
}
