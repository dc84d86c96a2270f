// Which places in memory a loop sets in each iteration, and why: what scalar promotion says.

import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isSilent } from '../../mir/effects.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, Loop } from '../../mir/mir.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import type { Remarks } from './remarks.ts';
import { placeOf, sourceText } from './source-text.ts';

/** Why the globals and fields that a loop sets are not in variables meanwhile, where calls or failures are why. */
export function remarkInMemory(remarks: Remarks, loop: Loop, registry: LibraryRegistry): void {
  const nodes: Node[] = [];
  visitAll(
    [...(loop.condition === null ? [] : [loop.condition]), ...loop.body, ...loop.step],
    (node) => void nodes.push(node),
  );
  nodes.sort((a, b) => a.span.start - b.span.start);
  const places = nodes.filter((node) => setsNumber(node, loop)).map(placeOf);
  const call = nodes.find((node) => {
    const { calls, waits } = effectsOf(node, registry);
    return calls !== null || waits;
  });
  const failing = nodes.find((node) => !isSilent(effectsOf(node, registry)));
  for (const what of places) {
    if (call !== undefined) remarks.add('callBetween', loop.span, { what, call: sourceText(call.span), at: call.span });
    else if (failing !== undefined)
      remarks.add('mayFailBetween', loop.span, { what, other: sourceText(failing.span), at: failing.span });
  }
}

/** Whether it sets a number that is at one place all the time: a global, or a field of one object. */
function setsNumber(node: Node, loop: Loop): boolean {
  if (node.kind !== 'set-global' && node.kind !== 'set-field') return false;
  const { kind } = node.value.type;
  if (kind !== 'int' && kind !== 'double' && kind !== 'boolean') return false;
  return node.kind === 'set-global' || stays(node.object, loop);
}

/** Whether an object is in a variable that the loop does not set, or in a temporary that is set to such a one. */
function stays(object: Expression, loop: Loop): boolean {
  if (object.kind === 'check-null') return stays(object.operand, loop);
  if (object.kind !== 'get-local') return false;
  const settings: Node[] = [];
  visitAll([loop], (node) => void (localsSet(node).includes(object.local) && settings.push(node)));
  const [only] = settings;
  if (only === undefined) return true;
  const { kind } = only;
  return settings.length === 1 && kind === 'set-local' && only.value.type.kind === 'struct' && stays(only.value, loop);
}
