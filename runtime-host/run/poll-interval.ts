// How often the calls of a plugin's functions poll whether the run may go on. To poll costs more than many of these
// functions, which take and return numbers: slow ones poll at each call, fast ones at some, and an abort makes the next
// call poll.

/** About so many milliseconds should pass between two polls. */
const betweenPollsMs = 0.2;
/** At least every so many calls one polls: the next one may be slow. */
const mostCalls = 64;
const unlimited = 2 ** 30;

/** The run that calls. */
export interface PolledRun {
  readonly signal: AbortSignal;
  /** Throws if the run may not go on. */
  readonly throwIfEnded: () => void;
  /** Milliseconds of its time that are left; null where that is not limited. */
  readonly timeLeft: () => number | null;
}

export class PollInterval {
  /** A call that makes this less than zero polls. */
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

  /** Throws what ends the run; otherwise sets when to poll again. */
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
