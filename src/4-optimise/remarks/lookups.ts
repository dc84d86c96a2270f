// Why an array is looked up in front of a loop, and why not: what loop-invariant code motion says.

import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, Loop } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import type { Span } from '../../source.ts';
import { pathKey } from '../analysis/access-paths.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { findChange, findClobber, isOfIteration } from './clobbers.ts';
import type { Remarks } from './remarks.ts';

/** Whether a part of json is searched for; what a foreach goes through is said of its count. */
export function readsJson(node: Node, locals: readonly Local[]): boolean {
  if (node.kind === 'get-member') return true;
  return node.kind === 'get-item' && !(node.json.kind === 'get-local' && locals[node.json.local]!.origin === 'foreach');
}

/** An array of an access in a loop that has no other in it. */
export interface Lookup {
  readonly fn: MirFunction;
  readonly loop: Loop;
  /** As it is written in the access. */
  readonly array: Expression;
  /** What leads to it, by names that mean the same in front of the loop. */
  readonly path: Expression;
  readonly changes: Changes;
  readonly modRef: ProgramChanges;
}

/** In front of which loop the array is looked up: of this one, or of one around it. */
export function remarkHoisted(remarks: Remarks, { loop, array }: Lookup, { span: outer }: Loop): void {
  const what = array.span;
  if (outer.start === loop.span.start) remarks.add('hoisted', loop.span, { what });
  else remarks.add('hoistedFurther', loop.span, { what, outer });
}

/** Why it is looked up in the loop. */
export function remarkNotHoisted(remarks: Remarks, lookup: Lookup): void {
  const { fn, loop, array, path, changes, modRef } = lookup;
  const { span } = loop;
  const what: Span = array.span;
  // Texts that are written out cost nothing to look up.
  if (array.kind === 'string') return;
  if (array.type.kind === 'array' && array.type.element.kind === 'json')
    return remarks.add('jsonArray', span, { what });
  const change = findChange(path, changes);
  // Another row, or an array of its own, in each iteration: that is what the loop is for.
  if (change?.isIndex === true || isAnother(path, lookup)) return;
  if (change !== null && pathKey(path) !== null) {
    const key = change.kind === 'set' ? 'arrayReplaced' : 'arrayResized';
    return remarks.add(key, span, { what, ...findClobber(change, loop, fn, modRef) });
  }
  remarks.add(pathKey(path) === null ? 'arrayWorkedOut' : 'pathTooLong', span, { what });
}

/** Whether it depends on a local that each iteration sets. */
function isAnother(path: Expression, { fn, loop, changes }: Lookup): boolean {
  let is = false;
  visitAll([path], (node) => {
    if (node.kind !== 'get-local' || !changes.locals.has(node.local)) return;
    is ||= node !== path || isOfIteration(fn, loop, node.local);
  });
  return is;
}
