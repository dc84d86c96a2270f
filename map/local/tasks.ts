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

const idPattern = /^(?:\d{1,9}|merge-\d{1,3}-\d{1,9}|summary)$/;

/** Whether a task may be committed as this. */
export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value);
}

/** What the task is that is committed as this. */
export function kindOf(id: string): Task['kind'] {
  if (id === summaryId) return 'finish';
  return /^\d/.test(id) ? 'partition' : 'merge';
}

/** For people. */
export function describeTask(task: Task): string {
  switch (task.kind) {
    case 'partition': {
      const { source, from, to } = task.partition;
      return `${source}, records ${from + 1} to ${to}`;
    }
    case 'merge':
      return `merge of partitions ${task.node.from} to ${task.node.to}`;
    case 'finish':
      return 'finish of the summary';
  }
}

/** What is neither committed nor failed, and needs nothing that failed: in its order. */
export function tasksLeft(
  tasks: readonly PlannedTask[],
  committed: ReadonlySet<string>,
  failed: Pick<ReadonlySet<string>, 'has'>,
): readonly PlannedTask[] {
  const never = new Set<string>();
  return tasks.filter(({ id, after }) => {
    if (committed.has(id)) return false;
    if (!failed.has(id) && !after.some((input) => never.has(input))) return true;
    never.add(id);
    return false;
  });
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
