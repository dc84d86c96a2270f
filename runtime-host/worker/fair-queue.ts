// A fair queue: its callers take turns, however many items each has waiting.

interface Entry<Item> {
  readonly item: Item;
  isRemoved: boolean;
}

/** The waiting items of one caller, the oldest first. */
interface Line<Item> {
  entries: Entry<Item>[];
  /** The index of the oldest item; those before it were taken. */
  head: number;
  /** The number of items, without removed ones. */
  count: number;
}

export class FairQueue<Caller, Item> {
  /** In the order of their turns; each caller has at least one item. */
  readonly #lines = new Map<Caller, Line<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns a function that removes the item, wherever it is by then. */
  put(caller: Caller, item: Item): () => void {
    let line = this.#lines.get(caller);
    if (line === undefined) this.#lines.set(caller, (line = { entries: [], head: 0, count: 0 }));
    const entry: Entry<Item> = { item, isRemoved: false };
    line.entries.push(entry);
    line.count += 1;
    this.#size += 1;
    const of = line;
    return () => {
      if (!entry.isRemoved) this.#forget(caller, of, entry);
    };
  }

  /** The oldest item of the caller whose turn it is, among those that `mayHave` allows; null if there is none. */
  take(mayHave: (caller: Caller, oldest: Item) => boolean = () => true): Item | null {
    for (const [caller, line] of this.#lines) {
      while (line.entries[line.head]!.isRemoved) line.head += 1;
      const entry = line.entries[line.head]!;
      if (!mayHave(caller, entry.item)) continue;
      // The caller goes to the end of the order.
      this.#lines.delete(caller);
      if (line.count > 1) this.#lines.set(caller, line);
      this.#forget(caller, line, entry);
      return entry.item;
    }
    return null;
  }

  /** Takes the newest item of the caller with the most items. */
  takeFromLongest(): Item | null {
    let longest: readonly [Caller, Line<Item>] | null = null;
    for (const each of this.#lines) if (longest === null || each[1].count >= longest[1].count) longest = each;
    if (longest === null) return null;
    const [caller, line] = longest;
    const entry = line.entries.findLast(({ isRemoved }) => !isRemoved)!;
    this.#forget(caller, line, entry);
    return entry.item;
  }

  #forget(caller: Caller, line: Line<Item>, entry: Entry<Item>): void {
    entry.isRemoved = true;
    line.count -= 1;
    this.#size -= 1;
    if (line.count === 0) this.#lines.delete(caller);
    // Frees the memory of items that were taken.
    else if (line.entries.length > 2 * line.count + 64) {
      line.entries = line.entries.filter(({ isRemoved }) => !isRemoved);
      line.head = 0;
    }
  }
}
