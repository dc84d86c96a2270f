// What a condition says of indices where it is true. An unchecked access must stand behind a condition on its array;
// whether that condition is enough, only the passes know.

import type { Expression, LocalId } from '../mir.ts';
import { visitAll } from '../children.ts';
import type { Guard } from './function-verifier.ts';

/** Of all that is joined by `&&`; what `!` and `||` say is left out. */
export function guardOf(condition: Expression | null): Guard {
  const locals = new Set<LocalId>();
  let isLength = false;
  const joined = condition?.kind === 'logical' && condition.operator === '&&' ? condition.operands : [condition];
  for (const test of joined) {
    if (test === null) continue;
    if (test.kind === 'in-range' && test.length.kind === 'get-local') locals.add(test.length.local);
    if (test.kind === 'in-bounds' && test.elements.kind === 'get-local') locals.add(test.elements.local);
    if (test.kind === 'operate') visitAll([test], (node) => (isLength ||= isLengthOfArray(node)));
  }
  return { locals, isLength };
}

function isLengthOfArray(node: Parameters<Parameters<typeof visitAll>[1]>[0]): boolean {
  return node.kind === 'library-call' && node.function === 'T[].length';
}
