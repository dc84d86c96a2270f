// The listener of a thread, which can be replaced. A later listener is told too if the thread has ended.

import type { FromWorker } from './messages.ts';

export class ThreadEvents {
  #onMessage: (message: FromWorker) => void = () => {};
  #onEnd: (error: Error) => void = () => {};
  #ended: Error | null = null;

  /** The error if it has ended by itself; null otherwise. */
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

  /** Reports once that it has ended by itself. */
  end(error: Error): void {
    if (this.#ended !== null) return;
    this.#ended = error;
    this.#onEnd(error);
  }
}
