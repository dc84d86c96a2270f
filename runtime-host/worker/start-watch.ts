// Ends the wait for a worker or process that does not report that it has started.

/** After so many idle milliseconds, nothing will come: our own file reports before it first waits. */
const mostIdleMs = 5_000;
/** The longest wait if nothing is known about the other side, on a busy machine. */
const mostMs = 60_000;
const lookMs = 500;

export class StartWatch {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #until = performance.now() + mostMs;
  readonly #idleMs: () => number;
  readonly #onSilence: () => void;
  /**
   * By how much this thread's turns came late in total: on a busy machine those of the other side come late too, and
   * such time looks idle.
   */
  #lateMs = 0;
  /** Set when the time is up: messages that came while this thread was busy are handled first. */
  #isOverdue = false;

  /** `idleMs` answers how long the other side has been idle since its start; 0 if unknown. */
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
    // A timer of Node would keep the process alive; in browsers timers are numbers.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }
}
