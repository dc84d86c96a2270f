// How often the calls of a plugin's functions poll whether the run may go on. To poll costs more than many of these
// functions, which take and return numbers: slow ones poll at each call, fast ones at some, and an abort makes the next
// call poll.

/** The intended time between two polls, in milliseconds. */
const betweenPollsMs = 0.2;
/** Polls at least once in so many calls: the next call may be slow. */
const mostCalls = 64;
const unlimited = 2 ** 30;

/** The run that calls. */
export interface PolledRun {
  readonly signal: AbortSignal;
  /** Throws if the run may not go on. */
  readonly throwIfEnded: () => void;
  /** The remaining milliseconds; null if time is not limited. */
  readonly timeLeft: () => number | null;
}

export class PollInterval {
  /** A call that takes this below zero polls. */
  left = 0;
  readonly #run: PolledRun;
  #calls = 1;
  #lastLeft = 0;

  constructor(run: PolledRun) {
    this.#run = run;
    run.signal.addEventListener('abort', () => {
      this.left = 0;
    });
  }

  /** Throws the error that ends the run; otherwise decides when to poll again. */
  poll(): void {
    const { signal, timeLeft, throwIfEnded } = this.#run;
    const milliseconds = timeLeft();
    if (signal.aborted || milliseconds === 0) throwIfEnded();
    if (milliseconds === null) {
      this.left = unlimited;
      return;
    }
    this.#calls =
      this.#lastLeft - milliseconds < betweenPollsMs
        ? Math.min(this.#calls * 2, mostCalls)
        : Math.max(this.#calls >> 1, 1);
    this.#lastLeft = milliseconds;
    this.left = this.#calls - 1;
  }
}
