// Who waits for a thread of a pool, by how deep they are nested: a run that the handler of a waiting script began, and
// which that script waits for, is one deeper than the script. The deepest come first, since threads come free by them.

import { FairQueue } from './fair-queue.ts';

/** Deeper ones are as these. */
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

  /** Gives what removes the item again, wherever it is by then. */
  put(caller: Caller, item: Item, depth: number): () => void {
    return this.#queues[Math.min(depth, deepestNesting)]!.put(caller, item);
  }

  /** The next whose turn it is, of those that may have one; null if there is none. */
  take(mayHave: (caller: Caller, item: Item) => boolean = () => true): Item | null {
    for (let depth = deepestNesting; depth >= 0; depth--) {
      const item = this.#queues[depth]!.take(mayHave);
      if (item !== null) return item;
    }
    return null;
  }

  /** Takes the newest item of whoever has most waiting, of those that are nested least. */
  takeFromLongest(): Item | null {
    for (const queue of this.#queues) {
      const item = queue.takeFromLongest();
      if (item !== null) return item;
    }
    return null;
  }
}
