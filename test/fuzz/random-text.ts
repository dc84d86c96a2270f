// Where random programs and texts come from, and how they get smaller: fast-check draws, names each draw by its seed,
// and walks through the smaller ones as long as one of them still shows what the first one showed. Which texts are
// smaller is said here by whoever writes them: choices that are made smaller one by one give another program, hardly
// ever a shorter one.

import fc from 'fast-check';

/** What generators draw from. */
export class Dice {
  readonly #random: fc.Random;

  constructor(random: fc.Random) {
    this.#random = random;
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return this.#random.nextInt(0, limit - 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

/** A text to try in the place of a larger one, and where to go on if it will do. */
export type Smaller<From> = readonly [text: string, from: From];

/** Texts that `write` draws; `smaller` begins where the one before came from, if that was one of its own. */
export class RandomText<From> extends fc.Arbitrary<string> {
  readonly #write: (dice: Dice) => string;
  readonly #smaller: (text: string, from: From | undefined) => Iterable<Smaller<From>>;

  constructor(
    write: (dice: Dice) => string,
    smaller: (text: string, from: From | undefined) => Iterable<Smaller<From>>,
  ) {
    super();
    this.#write = write;
    this.#smaller = smaller;
  }

  override generate(random: fc.Random): fc.Value<string> {
    return new fc.Value(this.#write(new Dice(random)), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is string {
    return typeof value === 'string';
  }

  override shrink(text: string, from: unknown): fc.Stream<fc.Value<string>> {
    return fc.stream(this.#values(text, from as From | undefined));
  }

  *#values(text: string, from: From | undefined): Generator<fc.Value<string>> {
    for (const [smaller, at] of this.#smaller(text, from)) yield new fc.Value(smaller, at);
  }
}

/** The text of a seed. */
export function textOf(texts: fc.Arbitrary<string>, seed: number): string {
  return fc.sample(texts, { seed, numRuns: 1 })[0]!;
}
