// What stays the same while a loop runs, of what is worked out from locals alone.

import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId } from '../../mir/mir.ts';

/** The locals that anything in the nodes sets. */
export function localsSetIn(...parts: readonly Node[]): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  visitAll(parts, (node) => {
    for (const local of localsSet(node)) found.add(local);
  });
  return found;
}

/** Whether a value reads none of the locals that a loop changes. */
export function isInvariant(value: Expression, changed: ReadonlySet<LocalId>): boolean {
  let isSame = true;
  visitAll([value], (node) => {
    if (node.kind === 'get-local' && changed.has(node.local)) isSame = false;
  });
  return isSame;
}
