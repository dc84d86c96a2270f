// Values on their way from a running script to an async iterator: whoever puts one in learns when it has been dealt with.

/** A value, and what to call once whoever took it wants the next one. */
export interface Handed<Value> {
  readonly value: Value;
  readonly release: () => void;
}

export class Handover<Value> {
  readonly #waiting: Handed<Value>[];
  /** How many of them have been taken. */
  #taken = 0;
  #wake: (() => void) | null = null;
  #closed = false;

  /** `values` come first; nobody waits for what becomes of them. */
  constructor(values: readonly Value[] = []) {
    this.#waiting = values.map((value) => ({ value, release: () => {} }));
  }

  /** How many values wait to be taken. */
  get size(): number {
    return this.#waiting.length - this.#taken;
  }

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
    while (this.size === 0) {
      if (this.#closed) return null;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const handed = this.#waiting[this.#taken++]!;
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
