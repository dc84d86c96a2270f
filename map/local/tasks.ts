// The graph of a run: partitions, the merges of their states, and the finish. It follows from the number of partitions
// alone, and each task commits under its id, so that whoever runs them, in whatever order, gives the same.

import { summaryId } from '../commit/store.ts';
import { mergeTree } from '../plan/merge-tree.ts';
import type { MergeNode } from '../plan/merge-tree.ts';
import type { Partition } from '../plan/plan.ts';

/** A piece of a run: what it needs is committed, and so is what it gives. */
export type Task =
  | { readonly kind: 'partition'; readonly partition: Partition }
  | { readonly kind: 'merge'; readonly node: MergeNode }
  /** `root`: whose states are finished. */
  | { readonly kind: 'finish'; readonly root: string };

export interface PlannedTask {
  /** What it is committed as. */
  readonly id: string;
  /** Ids of tasks whose commits it needs. */
  readonly after: readonly string[];
  readonly task: Task;
}

/** All tasks, each behind those that it needs. `isFolded`: there are states, which become a summary. */
export function tasksOf(partitions: readonly Partition[], isFolded: boolean): readonly PlannedTask[] {
  const parts = partitions.map((partition): PlannedTask => ({
    id: String(partition.at),
    after: [],
    task: { kind: 'partition', partition },
  }));
  if (!isFolded) return parts;
  const { nodes, root } = mergeTree(partitions.length);
  return [
    ...parts,
    ...nodes.map((node): PlannedTask => ({ id: node.id, after: node.inputs, task: { kind: 'merge', node } })),
    { id: summaryId, after: [root], task: { kind: 'finish', root } },
  ];
}
