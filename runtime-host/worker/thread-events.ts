// Who hears of a thread: one after the other. What ended it is told to those, too, who listen later.

import type { FromWorker } from './messages.ts';

export class ThreadEvents {
  #onMessage: (message: FromWorker) => void = () => {};
  #onEnd: (error: Error) => void = () => {};
  #ended: Error | null = null;

  /** What ended it by itself; null while nothing has. */
  get ended(): Error | null {
    return this.#ended;
  }

  listen(onMessage: (message: FromWorker) => void, onEnd: (error: Error) => void): void {
    this.#onMessage = onMessage;
    this.#onEnd = onEnd;
    const ended = this.#ended;
    if (ended !== null) queueMicrotask(() => this.#onEnd(ended));
  }

  message(message: FromWorker): void {
    this.#onMessage(message);
  }

  /** It has ended by itself; said once. */
  end(error: Error): void {
    if (this.#ended !== null) return;
    this.#ended = error;
    this.#onEnd(error);
  }
}
