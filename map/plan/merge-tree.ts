// The tree in which states are merged. It follows from the number of partitions alone: whoever merges, in whatever
// order, a sum of doubles has the same bits.

/** States that are merged into one, the first with the second, what that gives with the third, and so on. */
export interface MergeNode {
  readonly id: string;
  /** Ids of nodes, or of partitions, which are their numbers. */
  readonly inputs: readonly string[];
  /** The first partition whose state is in it, and the last. */
  readonly from: number;
  readonly to: number;
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
  let level = Array.from({ length: partitions }, (_, at): MergeNode => ({
    id: String(at),
    inputs: [],
    from: at,
    to: at,
  }));
  for (let height = 0; level.length > 1; height++) {
    const above: MergeNode[] = [];
    for (let at = 0; at < level.length; at += mergeWidth) {
      const inputs = level.slice(at, at + mergeWidth);
      if (inputs.length === 1) {
        above.push(inputs[0]!);
        continue;
      }
      const node: MergeNode = {
        id: `merge-${height}-${above.length}`,
        inputs: inputs.map(({ id }) => id),
        from: inputs[0]!.from,
        to: inputs.at(-1)!.to,
      };
      nodes.push(node);
      above.push(node);
    }
    level = above;
  }
  return { nodes, root: level[0]!.id };
}
