// Values on their way from a running script to an async iterator: whoever puts one in learns when it has been dealt with.

/** A value, and what to call once whoever took it wants the next one. */
export interface Handed<Value> {
  readonly value: Value;
  readonly release: () => void;
}

export class Handover<Value> {
  readonly #waiting: Handed<Value>[] = [];
  #wake: (() => void) | null = null;
  #closed = false;

  /** The promise is kept when the value has been taken and released. */
  put(value: Value): Promise<void> {
    return new Promise((release) => {
      this.#waiting.push({ value, release });
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
    while (this.#waiting.length === 0) {
      if (this.#closed) return null;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    return this.#waiting.shift()!;
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
