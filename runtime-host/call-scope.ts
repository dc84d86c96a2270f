// One call of a script to the library while it goes on: whether anybody waits for it still. A call is given up when its run is
// aborted, and when its time is up, which a clause of the script may take.

import { AbortError } from './errors.ts';

export class CallScope {
  readonly #run: AbortSignal;
  #isOver = false;
  /** Made when somebody wants its signal. */
  #controller: AbortController | null = null;
  readonly #giveUp = (): void => this.giveUp();

  /** `run` is aborted when the run is. */
  constructor(run: AbortSignal) {
    this.#run = run;
  }

  /** Aborted when the call is given up. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#isOver || this.#run.aborted) this.#controller.abort();
      else this.#run.addEventListener('abort', this.#giveUp, { once: true });
    }
    return this.#controller.signal;
  }

  /** Throws what no script sees once nobody waits for the call any more. */
  readonly throwIfOver = (): void => {
    if (this.#isOver || this.#run.aborted) throw new AbortError('the run was aborted');
  };

  /** Nobody waits for the call any more: nothing is begun for it, and what it waits for ends. */
  giveUp(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.close();
  }

  /** The call has answered or failed. */
  close(): void {
    if (this.#controller !== null) this.#run.removeEventListener('abort', this.#giveUp);
  }
}
