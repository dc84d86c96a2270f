// A queue that is fair to those who share it: each takes a turn, however many things it has waiting.

interface Entry<Item> {
  readonly item: Item;
  isRemoved: boolean;
}

/** What one of them has waiting, the oldest first. */
interface Line<Item> {
  entries: Entry<Item>[];
  /** Where the oldest is; what stands before it is gone. */
  head: number;
  /** Without what was removed. */
  count: number;
}

export class FairQueue<Caller, Item> {
  /** In the order of their turns; each has something waiting. */
  readonly #lines = new Map<Caller, Line<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Gives what removes the item again, wherever it is by then. */
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

  /** The oldest item of whoever's turn it is, of those who may have theirs; null if there is none. */
  take(mayHave: (caller: Caller, oldest: Item) => boolean = () => true): Item | null {
    for (const [caller, line] of this.#lines) {
      while (line.entries[line.head]!.isRemoved) line.head += 1;
      const entry = line.entries[line.head]!;
      if (!mayHave(caller, entry.item)) continue;
      // The others come first from now on.
      this.#lines.delete(caller);
      if (line.count > 1) this.#lines.set(caller, line);
      this.#forget(caller, line, entry);
      return entry.item;
    }
    return null;
  }

  /** Takes the newest item of whoever has most waiting. */
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
    // What is gone is not kept for long.
    else if (line.entries.length > 2 * line.count + 64) {
      line.entries = line.entries.filter(({ isRemoved }) => !isRemoved);
      line.head = 0;
    }
  }
}
