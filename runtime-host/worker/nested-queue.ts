// The queue for a pool's threads, ordered by nesting: a run that the handler of a waiting script began, and which that
// script waits for, is one level deeper than the script. The deepest come first, since their ends free the threads of
// the others.

import { FairQueue } from './fair-queue.ts';

/** Deeper levels are treated like this one. */
export const deepestNesting = 8;

export class NestedQueue<Caller, Item> {
  /** By depth. */
  readonly #queues: readonly FairQueue<Caller, Item>[] = Array.from(
    { length: deepestNesting + 1 },
    () => new FairQueue<Caller, Item>(),
  );

  get size(): number {
    let size = 0;
    for (const queue of this.#queues) size += queue.size;
    return size;
  }

  /** Returns a function that removes the item, wherever it is by then. */
  put(caller: Caller, item: Item, depth: number): () => void {
    return this.#queues[Math.min(depth, deepestNesting)]!.put(caller, item);
  }

  /** The next item whose caller may have a turn; null if there is none. */
  take(mayHave: (caller: Caller, item: Item) => boolean = () => true): Item | null {
    for (let depth = deepestNesting; depth >= 0; depth--) {
      const item = this.#queues[depth]!.take(mayHave);
      if (item !== null) return item;
    }
    return null;
  }

  /** Takes the newest item of the caller with the most items, at the lowest level of nesting. */
  takeFromLongest(): Item | null {
    for (const queue of this.#queues) {
      const item = queue.takeFromLongest();
      if (item !== null) return item;
    }
    return null;
  }
}
