// Ends the wait for a worker or process that does not say that it is there.

/** One that has had nothing to do for so long, in milliseconds, has nothing to say: ours speaks before it waits. */
const mostIdleMs = 5_000;
/** One of which nobody knows what it does has so long, on a machine that is busy. */
const mostMs = 60_000;
const lookMs = 500;

export class StartWatch {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #until = performance.now() + mostMs;
  readonly #idleMs: () => number;
  readonly #onSilence: () => void;
  /**
   * How late this thread is given its turns, in all: on a busy machine the other one is, too, and such time looks as if
   * it had nothing to do.
   */
  #lateMs = 0;
  /** What it said while this thread was busy is heard first. */
  #isOverdue = false;

  /** `idleMs` gives for how long it has had nothing to do since it is there; 0 where nothing says so. */
  constructor(idleMs: () => number, onSilence: () => void) {
    this.#idleMs = idleMs;
    this.#onSilence = onSilence;
    this.#wind();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wind(): void {
    const due = performance.now() + lookMs;
    this.#timer = setTimeout(() => {
      const now = performance.now();
      this.#lateMs += Math.max(now - due, 0);
      const wasOverdue = this.#isOverdue;
      this.#isOverdue = this.#idleMs() - this.#lateMs > mostIdleMs || now > this.#until;
      if (this.#isOverdue && wasOverdue) this.#onSilence();
      else this.#wind();
    }, lookMs);
    // Node's timers keep the process alive; those of browsers are numbers.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }
}
