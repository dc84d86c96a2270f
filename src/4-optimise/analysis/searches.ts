// Searches for the index of the least or greatest element, `if (x[i] < x[at]) at = i`: what the condition compares is
// loaded from where the last choice was. A branch is foreseen nearly always, since better elements get rare; a choice
// without one makes each iteration wait for the load of the one before.

import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isReadIn } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';

/** The conditionals of a function that choose such an index. */
export function findSearches({ body }: MirFunction): ReadonlySet<Expression> {
  const found = new Set<Expression>();
  visitStatements(body, (node) => {
    if (node.kind === 'loop' && !hasLoop(node.body)) addSearches(node, found);
  });
  return found;
}

function addSearches(loop: Loop, found: Set<Expression>): void {
  const values = new Map<LocalId, Expression[]>();
  visitAll([loop], (node) => {
    if (node.kind === 'set-local') values.set(node.local, [...(values.get(node.local) ?? []), node.value]);
  });
  for (const [local, [value, ...others]] of values) {
    if (value?.kind !== 'conditional' || others.length > 0 || value.type.kind !== 'int') continue;
    const isKept = [value.then, value.otherwise].some((one) => one.kind === 'get-local' && one.local === local);
    if (isKept && dependsOnElement(value.condition, local, values, new Set())) found.add(value);
  }
}

/** Whether a value is made of an element at the index, by way of variables of the loop too. */
function dependsOnElement(
  value: Expression,
  index: LocalId,
  values: ReadonlyMap<LocalId, readonly Expression[]>,
  seen: Set<LocalId>,
): boolean {
  let depends = false;
  visitAll([value], (node) => {
    depends ||= isElementAt(node, index);
    if (depends || node.kind !== 'get-local' || seen.has(node.local)) return;
    seen.add(node.local);
    depends = (values.get(node.local) ?? []).some((one) => dependsOnElement(one, index, values, seen));
  });
  return depends;
}

function isElementAt(node: Node, index: LocalId): boolean {
  return (node.kind === 'get-element' || node.kind === 'get-hoisted') && isReadIn(node.index, index);
}
