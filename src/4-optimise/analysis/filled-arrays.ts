// New arrays, of elements that may be null, that are filled before anybody reads them: the loop behind `new T[n]` sets all elements, in their order,
// and nothing else sees the array meanwhile. What leaves the loop early leaves the block too, and all uses with it.
//
//   a = new T[n]
//   for (i = 0; i < n; i++) { …; a[i] = value; … }

import { haveSameForm } from '../../mir/builders.ts';
import { blocksOf, flatten, nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isGet, localsRead, localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, SetElement, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { isNullable } from '../../language/types.ts';
import { every } from '../../mir/effects.ts';
import { inUse } from './element-cursors.ts';
import { findSteps, readComparison, startValueOf } from './counted-loops.ts';

/** The nodes of a function that make such arrays, each with that which sets the elements. */
export function findFilledArrays(fn: MirFunction): ReadonlyMap<Expression, SetElement> {
  const made = new Map<LocalId, number>();
  const reads = new Map<LocalId, number>();
  visitAll(nodesOf(fn), (node) => {
    if (node.kind === 'set-local' && isNewArray(node.value)) made.set(node.local, 0);
  });
  const found = new Map<Expression, SetElement>();
  if (made.size === 0) return found;
  visitAll(nodesOf(fn), (node) => {
    for (const local of localsRead(node)) reads.set(local, (reads.get(local) ?? 0) + 1);
    for (const local of localsSet(node)) if (made.has(local)) made.set(local, made.get(local)! + 1);
  });
  const pending: (readonly Statement[])[] = [flatten(fn.body)];
  for (let block = pending.pop(); block !== undefined; block = pending.pop())
    for (const [at, node] of block.entries()) {
      pending.push(...blocksOf(node).map(flatten));
      if (node.kind !== 'set-local' || !isNewArray(node.value) || made.get(node.local) !== 1) continue;
      const behind = inUse(block.slice(at + 1), node.local, reads.get(node.local) ?? 0);
      const set = behind === null ? null : fillOf(node.local, node.value.lengths[0]!, behind);
      if (set !== null) found.set(node.value, set);
    }
  return found;
}

function isNewArray(node: Expression): node is Expression & { readonly kind: 'new-array' } {
  if (node.kind !== 'new-array' || node.lengths.length > 1 || node.type.kind !== 'array') return false;
  return isNullable(node.type.element);
}

function countReads(nodes: readonly Node[], local: LocalId): number {
  let count = 0;
  visitAll(nodes, (node) => {
    for (const read of localsRead(node)) if (read === local) count += 1;
  });
  return count;
}

/** If the first statement of these that reads the array sets all of its elements: the node that does it. */
function fillOf(array: LocalId, length: Expression, behind: readonly Statement[]): SetElement | null {
  const at = behind.findIndex((node) => countReads([node], array) > 0);
  const first = behind[at];
  return first?.kind === 'loop' ? fillIn(first, array, length, behind.slice(0, at)) : null;
}

/** If the loop goes through all indices, sets the element at each, and does nothing else with the array. */
function fillIn(loop: Loop, array: LocalId, length: Expression, between: readonly Statement[]): SetElement | null {
  const counted = countOf(loop);
  if (counted === null) return null;
  const { variable, limit } = counted;
  const start = startValueOf(variable, between);
  if (start?.kind !== 'int' || start.value !== 0n) return null;
  const isLength =
    limit.kind === 'library-call' && limit.function === 'T[].length' && isGet(limit.arguments[0]!, array);
  if (!isLength && !(haveSameForm(limit, length) && isSame(limit, [...between, loop]))) return null;
  const body = flatten(loop.body);
  const at = body.findIndex((node) => isSet(node, array, variable));
  const set = body[at];
  if (set?.kind !== 'set-element') return null;
  const isEach =
    !body.slice(0, at).some((node) => jumps(node, loop, 'continue')) &&
    !body.some((node) => jumps(node, loop, 'break')) &&
    countReads([loop], array) === (isLength ? 2 : 1);
  return isEach ? set : null;
}

/** The variable and the limit of a loop that counts up by 1 as long as it is less. */
function countOf(loop: Loop): { readonly variable: LocalId; readonly limit: Expression } | null {
  const { condition, testFirst } = loop;
  if (!testFirst || condition?.kind !== 'operate') return null;
  const comparison = readComparison(condition.operator);
  const [left, right] = condition.operands as readonly [Expression, Expression];
  if (comparison !== '<' && comparison !== '>') return null;
  const [variable, limit] = comparison === '<' ? [left, right] : [right, left];
  if (variable.kind !== 'get-local') return null;
  const step = findSteps(loop).get(variable.local);
  return step?.kind === 'int' && step.value === 1n ? { variable: variable.local, limit } : null;
}

function isSet(node: Statement, array: LocalId, variable: LocalId): boolean {
  return node.kind === 'set-element' && isGet(node.array, array) && isGet(node.index, variable);
}

/** Whether a length is worked out from constants and from variables that the statements do not set. */
function isSame(length: Expression, behind: readonly Statement[]): boolean {
  const set = new Set<LocalId>();
  visitAll(behind, (node) => {
    for (const local of localsSet(node)) set.add(local);
  });
  return every([length], (node) =>
    node.kind === 'get-local' ? !set.has(node.local) : node.kind === 'int' || node.kind === 'operate',
  );
}

/** Whether a statement of the body may jump behind the rest of the iteration, or behind the loop. */
function jumps(node: Statement, { id }: Loop, kind: 'break' | 'continue'): boolean {
  let found = false;
  visitAll([node], (part) => void (found ||= part.kind === kind && part.loop === id));
  return found;
}
