// Random numbers from a seed, so that a failing test fails again.

/** Numbers from 0 to 1 (mulberry32 of Tommy Ettinger, public domain). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number below the limit. */
export function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit);
}

export function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[below(random, items.length)]!;
}
