// Values on their way from a running script to an async iterator: whoever puts one in learns when it has been dealt
// with.

import type { Unread } from '../limits/meter.ts';

/** A value, and what to call once whoever took it wants the next one. */
export interface Handed<Value> {
  readonly value: Value;
  /** As ValueWriter counts them. */
  readonly bytes: number;
  readonly release: () => void;
}

export class AsyncQueue<Value> {
  readonly #waiting: Handed<Value>[];
  /** How many of them have been taken. */
  #taken = 0;
  /** Of those that wait. */
  #bytes = 0;
  #wake: (() => void) | null = null;
  #closed = false;

  /** `values` come first; nobody waits for what becomes of them. */
  constructor(values: readonly Omit<Handed<Value>, 'release'>[] = []) {
    this.#waiting = values.map((kept) => ({ ...kept, release: () => {} }));
    for (const { bytes } of values) this.#bytes += bytes;
  }

  /** The values that wait to be taken. */
  get unread(): Unread {
    return { items: this.#waiting.length - this.#taken, bytes: this.#bytes };
  }

  /** The promise is kept when the value has been taken and released. */
  put(value: Value, bytes: number): Promise<void> {
    return new Promise((release) => {
      this.#bytes += bytes;
      this.#waiting.push({ value, bytes, release });
      this.#notify();
    });
  }

  /** No more values come. */
  close(): void {
    this.#closed = true;
    this.#notify();
  }

  /** The next value, in the order of putting; null when there are no more. */
  async take(): Promise<Handed<Value> | null> {
    while (this.#waiting.length === this.#taken) {
      if (this.#closed) return null;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const handed = this.#waiting[this.#taken++]!;
    this.#bytes -= handed.bytes;
    // To remove one from the front takes as long as what is behind it is long: half of all at a time does not.
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
