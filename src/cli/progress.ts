// Shows a person at a terminal that a run still goes on after a while without output: one line on standard error, which
// disappears before the next output. Nothing is shown elsewhere.

import type { OutputStream } from './output.ts';

const silentMs = 2_000;
const betweenMs = 1_000;
const timerMs = 250;

/** The clock and streams, which tests replace. */
export interface Surroundings {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly now: () => number;
}

export class Progress {
  readonly #surroundings: Surroundings;
  #begun = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When the next status is due. */
  #due = Infinity;
  #isShown = false;
  /** Set while a question waits for its answer. */
  #isPaused = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Called when the run begins. */
  begin(): void {
    const { stdout, stderr, now } = this.#surroundings;
    this.#begun = now();
    this.#due = this.#begun + silentMs;
    for (const stream of [stdout, stderr]) stream.watch(() => this.#makeRoom());
    this.#timer = setInterval(this.refresh, timerMs);
    this.#timer.unref();
  }

  /** Called often: by a timer, and by the script while it occupies the thread. */
  readonly refresh = (): void => {
    const { now, stderr } = this.#surroundings;
    const time = now();
    if (time < this.#due || this.#isPaused) return;
    this.#due = time + betweenMs;
    this.#isShown = true;
    stderr.status(`running for ${Math.floor((time - this.#begun) / 1000)} s; Ctrl-C ends it`);
  };

  /** Shows nothing while a question waits for a person. */
  async pauseDuring<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#isPaused = true;
    try {
      return await work();
    } finally {
      this.#isPaused = false;
      this.#due = this.#surroundings.now() + silentMs;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#makeRoom();
    for (const stream of [this.#surroundings.stdout, this.#surroundings.stderr]) stream.watch(null);
  }

  #makeRoom(): void {
    this.#due = this.#surroundings.now() + silentMs;
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#surroundings.stderr.status('');
  }
}
