// Orders in which a check merges the states of pieces. A merge that is sound gives the same in each that keeps the
// order of records.

import { mergeTree } from './merge-tree.ts';

/** The number of a piece, or what is merged into one: the first with the second, what that gives with the third. */
export type Merged = number | readonly Merged[];

export interface MergeOrder {
  /** For people, behind "merged". */
  readonly what: string;
  readonly merged: Merged;
  /** Whether pieces stand in the order of their records, as they do in each run. */
  readonly isInOrder: boolean;
}

/** For two pieces at least. */
export function mergeOrders(pieces: number): readonly MergeOrder[] {
  const all = Array.from({ length: pieces }, (_, at) => at);
  return [
    { what: 'as a run does', merged: asInRun(pieces), isInOrder: true },
    { what: 'one after the other', merged: all, isInOrder: true },
    { what: 'in pairs', merged: inPairs(all), isInOrder: true },
    { what: 'from the last to the first', merged: fromLast(all), isInOrder: true },
    { what: 'in reverse order', merged: all.toReversed(), isInOrder: false },
  ];
}

function asInRun(pieces: number): Merged {
  const { nodes, root } = mergeTree(pieces);
  const found = new Map<string, Merged>();
  for (const { id, inputs } of nodes)
    found.set(
      id,
      inputs.map((input) => found.get(input) ?? Number(input)),
    );
  return found.get(root)!;
}

function inPairs(level: readonly Merged[]): Merged {
  if (level.length === 1) return level[0]!;
  const above: Merged[] = [];
  for (let at = 0; at < level.length; at += 2)
    above.push(at + 1 < level.length ? [level[at]!, level[at + 1]!] : level[at]!);
  return inPairs(above);
}

/** The first with what all others give. */
function fromLast(pieces: readonly number[]): Merged {
  return pieces.slice(0, -1).reduceRight<Merged>((rest, piece) => [piece, rest], pieces.at(-1)!);
}
