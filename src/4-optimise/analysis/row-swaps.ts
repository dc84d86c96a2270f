// Swaps of two rows: `t = a[i]; a[i] = a[j]; a[j] = t`, right behind one another. A matrix whose rows are stored in no
// other way keeps rows that are there, equally long and different: between the two stores nobody can look, and the
// second cannot fail, since its place has just been read.

import { haveSameForm } from '../../mir/builders.ts';
import { blocksOf, flatten } from '../../mir/children.ts';
import { every } from '../../mir/effects.ts';
import type { Node } from '../../mir/kinds.ts';
import type { Expression, Statement } from '../../mir/mir.ts';
import { pathKey } from './access-paths.ts';

/** The stores of all such swaps. */
export function rowSwapsIn(statements: readonly Statement[], found: Set<Node> = new Set()): ReadonlySet<Node> {
  const flat = flatten(statements);
  flat.forEach((node, at) => {
    const [one, other] = [flat[at + 1], flat[at + 2]];
    if (one !== undefined && other !== undefined && isSwap(node, one, other)) found.add(one).add(other);
    for (const block of blocksOf(node)) rowSwapsIn(block, found);
  });
  return found;
}

function isSwap(held: Statement, one: Statement, other: Statement): boolean {
  if (held.kind !== 'set-local' || one.kind !== 'set-element' || other.kind !== 'set-element') return false;
  const [first, second] = [held.value, one.value];
  if (first.kind !== 'get-element' || second.kind !== 'get-element' || first.type.kind !== 'array') return false;
  const matrix = pathKey(first.array);
  return (
    matrix !== null &&
    [one.array, second.array, other.array].every((array) => pathKey(array) === matrix) &&
    isPlain(first.index) &&
    isPlain(second.index) &&
    haveSameForm(first.index, one.index) &&
    haveSameForm(second.index, other.index) &&
    other.value.kind === 'get-local' &&
    other.value.local === held.local
  );
}

/** Whether an index is the same wherever in the swap it is worked out. */
function isPlain(index: Expression): boolean {
  return every([index], ({ kind }) => kind === 'int' || kind === 'get-local' || kind === 'operate');
}
