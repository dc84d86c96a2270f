// The tree in which states are merged. It follows from the number of partitions alone: whoever merges, in whatever
// order, a sum of doubles has the same bits.

/** States that are merged into one, the first with the second, what that gives with the third, and so on. */
export interface MergeNode {
  readonly id: string;
  /** Ids of nodes, or of partitions, which are their numbers. */
  readonly inputs: readonly string[];
}

export interface MergeTree {
  /** Each stands behind those that it merges. */
  readonly nodes: readonly MergeNode[];
  /** What `finish` takes. */
  readonly root: string;
}

/** Inputs of a node, at most: states are read and written once for each level. */
export const mergeWidth = 8;

/** Neighbours are merged, level by level. One partition is its own root. */
export function mergeTree(partitions: number): MergeTree {
  const nodes: MergeNode[] = [];
  let ids = Array.from({ length: partitions }, (_, at) => String(at));
  for (let level = 0; ids.length > 1; level++) {
    const above: string[] = [];
    for (let from = 0; from < ids.length; from += mergeWidth) {
      const inputs = ids.slice(from, from + mergeWidth);
      const [only, other] = inputs;
      if (other === undefined) {
        above.push(only!);
        continue;
      }
      const id = `merge-${level}-${above.length}`;
      nodes.push({ id, inputs });
      above.push(id);
    }
    ids = above;
  }
  return { nodes, root: ids[0]! };
}
