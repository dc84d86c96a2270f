// The elements that the nodes of a nest come to, told apart by their subscripts.

import { visitAll } from '../../mir/children.ts';
import type { Expression } from '../../mir/mir.ts';
import { keyOf } from './affine-forms.ts';
import type { Access, Accesses } from './tree.ts';

/** The same for accesses to one element in an iteration. */
export function elementKey({ array, subscripts }: Access): string {
  return [array.key, ...subscripts.map(keyOf)].join('; ');
}

/** The keys of the elements that a value is worked out from. */
export function elementsIn(value: Expression, accesses: Accesses): readonly string[] {
  const found: string[] = [];
  visitAll([value], (node) => {
    const access = accesses.get(node);
    if (access !== undefined) found.push(elementKey(access));
  });
  return found;
}
