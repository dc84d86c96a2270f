// A queue of values from a running script to an async iterator: the producer learns when a value has been consumed.

import type { Unread } from '../limits/meter.ts';

/** A value, and the function to call once its consumer wants the next one. */
export interface Handed<Value> {
  readonly value: Value;
  /** Counted as by ValueWriter. */
  readonly bytes: number;
  readonly release: () => void;
}

export class AsyncQueue<Value> {
  readonly #waiting: Handed<Value>[];
  /** How many values at the front have been taken. */
  #taken = 0;
  /** The bytes of the waiting values. */
  #bytes = 0;
  #wake: (() => void) | null = null;
  #closed = false;

  /** `values` come first; nobody waits for them to be consumed. */
  constructor(values: readonly Omit<Handed<Value>, 'release'>[] = []) {
    this.#waiting = values.map((kept) => ({ ...kept, release: () => {} }));
    for (const { bytes } of values) this.#bytes += bytes;
  }

  /** The values that have not been taken. */
  get unread(): Unread {
    return { items: this.#waiting.length - this.#taken, bytes: this.#bytes };
  }

  /** The promise resolves when the value has been taken and released. */
  put(value: Value, bytes: number): Promise<void> {
    return new Promise((release) => {
      this.#bytes += bytes;
      this.#waiting.push({ value, bytes, release });
      this.#notify();
    });
  }

  /** No more values follow. */
  close(): void {
    this.#closed = true;
    this.#notify();
  }

  /** The next value in order; null if there are no more. */
  async take(): Promise<Handed<Value> | null> {
    while (this.#waiting.length === this.#taken) {
      if (this.#closed) return null;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const handed = this.#waiting[this.#taken++]!;
    this.#bytes -= handed.bytes;
    // Removing a single value from the front of an array moves all others, so half of the array is removed at a time.
    if (this.#taken * 2 >= this.#waiting.length) {
      this.#waiting.splice(0, this.#taken);
      this.#taken = 0;
    }
    return handed;
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
