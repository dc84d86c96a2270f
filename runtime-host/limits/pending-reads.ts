// Values whose reader has returned a promise: they count as unread until it settles.

import type { Unread } from './meter.ts';

export class PendingReads {
  readonly #onFailure: (error: unknown) => void;
  #failure: { readonly error: unknown } | null = null;
  #size = 0;
  #bytes = 0;
  #wake: (() => void) | null = null;

  /** `onFailure` gets the reason of the first promise that rejects. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** The number of the values, and their bytes. */
  get unread(): Unread {
    return { items: this.#size, bytes: this.#bytes };
  }

  /**
   * Takes a reader's answer for a value of so many bytes. If it is a promise, the result is a promise that never
   * rejects.
   */
  note(given: unknown, bytes: number): Promise<void> | undefined {
    if (typeof given !== 'object' || given === null || !('then' in given)) return undefined;
    this.#size += 1;
    this.#bytes += bytes;
    // Wrapped in a promise of our own, since the reader's may have another `then`.
    return new Promise((resolve) => resolve(given))
      .then(
        () => {},
        (error: unknown) => this.#fail(error),
      )
      .then(() => {
        this.#size -= 1;
        this.#bytes -= bytes;
        if (this.#size === 0) this.#wake?.();
      });
  }

  /** Waits until all are settled. Rejects with the first failure. */
  async settled(): Promise<void> {
    if (this.#size > 0) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  #fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = { error };
    this.#onFailure(error);
  }
}
