// Which loops may be nests, by their shape alone.

import { blocksOf, flatten, visitAll } from '../../mir/children.ts';
import { isReadIn } from '../../mir/locals.ts';
import type { Loop, Statement } from '../../mir/mir.ts';

/** Whether a loop has others in it, or sets elements of a column. */
export function mayBeNest(loop: Loop): boolean {
  return heightOf(loop) > 1 || setsColumns(loop);
}

/**
 * Whether a loop with no other in it sets elements of one row after the other, `a[k][p] = …`: by itself it looks for each
 * row as often as it is written, and checks what it sets.
 */
function setsColumns({ body, step }: Loop): boolean {
  const moved = new Set(flatten(step).flatMap((node) => (node.kind === 'set-local' ? [node.local] : [])));
  let sets = false;
  visitAll(body, (node) => {
    const row = node.kind === 'set-element' ? node.array : null;
    sets ||= row?.kind === 'get-element' && [...moved].some((local) => isReadIn(row.index, local));
  });
  return sets;
}

/** How many loops are in one another, this one included. */
export function heightOf(loop: Loop): number {
  return 1 + Math.max(0, ...loop.body.map(heightIn));
}

function heightIn(node: Statement): number {
  if (node.kind === 'loop') return heightOf(node);
  return node.kind === 'block' || node.kind === 'if' ? Math.max(0, ...blocksOf(node).flat().map(heightIn)) : 0;
}
