// Statement sinking: a statement in front of an inner loop that takes the greater or the lesser of an element and a value
// goes behind the loop, if that does nothing else with the element: of ints the order makes no difference. Where it reads
// what the iteration before has set, the loops of several iterations can be jammed then.
//
//   t[i][j] = max(t[i][j], t[i][j - 1])            loop k  t[i][j] = max(t[i][j], …)
//   loop k  t[i][j] = max(t[i][j], …)              t[i][j] = max(t[i][j], t[i][j - 1])
//
// Source: code sinking, Allen, Kennedy, "Optimizing Compilers for Modern Architectures", section 5.9, for reductions.

import type { Expression, SetElement, Statement } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { elementKey } from './accesses.ts';
import { domainOf, equateAccesses } from './dependences.ts';
import type { Distinct } from './dependences.ts';
import { isSatisfiable } from './difference-constraints.ts';
import type { Access, Accesses, NestLoop, Part } from './tree.ts';

/** The loop with such statements behind the loops inside, at any depth. */
export function sinkReductions(loop: NestLoop, accesses: Accesses, around: readonly NestLoop[] = []): NestLoop {
  const parts: Part[] = [];
  let changes = false;
  for (const part of loop.parts) {
    const inner = part.kind === 'loop' ? sinkReductions(part, accesses, [...around, loop]) : part;
    const last = parts.at(-1);
    const sunk =
      inner.kind === 'loop' && last?.kind === 'straight' && last.control === undefined
        ? sinkable(last.statements, inner, [...around, loop], accesses)
        : [];
    changes ||= inner !== part || sunk.length > 0;
    if (sunk.length === 0 || last?.kind !== 'straight') {
      parts.push(inner);
      continue;
    }
    parts.pop();
    const kept = last.statements.slice(0, last.statements.length - sunk.length);
    if (kept.length > 0) parts.push({ kind: 'straight', statements: kept });
    parts.push(inner, { kind: 'straight', statements: sunk });
  }
  return changes ? { ...loop, parts } : loop;
}

/** The last of the statements, as many as can go behind the loop, if one of them is such a reduction. */
function sinkable(
  statements: readonly Statement[],
  inner: NestLoop,
  around: readonly NestLoop[],
  accesses: Accesses,
): readonly Statement[] {
  const reduction = reductionIn(inner, accesses);
  if (reduction === null) return [];
  const at = statements.findLastIndex((node) => !canSink(node, reduction, inner, around, accesses));
  const sunk = statements.slice(at + 1);
  return sunk.some((node) => countReductions(node, reduction, accesses) > 0) ? sunk : [];
}

/** What an innermost loop does with one element: the function of two ints, and the key of the element. */
interface Reduction {
  readonly function: string;
  readonly key: string;
}

/** The reduction that is all an innermost loop does. */
function reductionIn({ parts }: NestLoop, accesses: Accesses): Reduction | null {
  const [only, ...others] = parts;
  if (only?.kind !== 'straight' || others.length > 0) return null;
  const [statement, ...further] = only.statements;
  if (statement?.kind !== 'set-element' || further.length > 0) return null;
  return reductionOf(statement, accesses);
}

/** `e = max(e, value)`, whose value does not read the element. */
function reductionOf(node: SetElement, accesses: Accesses): Reduction | null {
  const { value } = node;
  const access = accesses.get(node);
  if (access === undefined || value.kind !== 'library-call') return null;
  if (value.function !== 'int.max' && value.function !== 'int.min') return null;
  const key = elementKey(access);
  const reads = (part: Expression): number => countAccesses([part], key, accesses);
  const isOne = value.arguments.some((part) => isAccess(part, key, accesses)) && reads(value) === 1;
  return isOne ? { function: value.function, key } : null;
}

function isAccess(node: Node, key: string, accesses: Accesses): boolean {
  const access = accesses.get(node);
  return access !== undefined && elementKey(access) === key;
}

function countAccesses(nodes: readonly Node[], key: string, accesses: Accesses): number {
  let count = 0;
  visitAll(nodes, (node) => void (count += isAccess(node, key, accesses) ? 1 : 0));
  return count;
}

function countReductions(node: Statement, { key }: Reduction, accesses: Accesses): number {
  let count = 0;
  visitAll([node], (part) => void (count += part.kind === 'set-element' && isAccess(part, key, accesses) ? 1 : 0));
  return count;
}

/** Whether a statement does the same behind the loop. */
function canSink(
  statement: Statement,
  reduction: Reduction,
  inner: NestLoop,
  around: readonly NestLoop[],
  accesses: Accesses,
): boolean {
  const inside = inner.parts.flatMap((part) => (part.kind === 'straight' ? part.statements : []));
  const named = new Set([inner.variable, ...(inner.ranges?.keys() ?? [])]);
  const set = new Set<number>();
  visitAll(inside, (node) => {
    for (const local of [...localsRead(node), ...localsSet(node)]) named.add(local);
    for (const local of localsSet(node)) set.add(local);
  });
  const others: Access[] = [];
  visitAll(inside, (node) => {
    const access = accesses.get(node);
    if (access !== undefined && elementKey(access) !== reduction.key) others.push(access);
  });
  let can = true;
  let ofReductions = 0;
  visitAll([statement], (node) => {
    if (node.kind === 'set-element') {
      const own = reductionOf(node, accesses);
      can &&= own !== null && own.key === reduction.key && own.function === reduction.function;
      ofReductions += 2;
    } else if (!('type' in node)) can &&= node.kind === 'set-local' || node.kind === 'if';
    can &&= localsSet(node).every((local) => !named.has(local));
    can &&= localsRead(node).every((local) => local !== inner.variable && !set.has(local));
    const access = accesses.get(node);
    if (access === undefined || elementKey(access) === reduction.key) return;
    can &&= !mayBeReduced(access, inside, inner, around, accesses);
  });
  // What the loop reads is not what the statement sets; nothing but reductions reads the element.
  const isOwn = countAccesses([statement], reduction.key, accesses) === ofReductions;
  const written = inside.map((node) => accesses.get(node)).find((access) => access !== undefined);
  return can && isOwn && written !== undefined && others.every((other) => !meet(written, other, inner, around));
}

/** Whether an access of the statement may be to the element that the loop sets. */
function mayBeReduced(
  access: Access,
  inside: readonly Statement[],
  inner: NestLoop,
  around: readonly NestLoop[],
  accesses: Accesses,
): boolean {
  return inside.some((node) => {
    const written = accesses.get(node);
    return written !== undefined && meet(written, access, inner, around);
  });
}

/** Whether two accesses in one iteration of the loops around may be to one element. */
function meet(one: Access, other: Access, inner: NestLoop, around: readonly NestLoop[]): boolean {
  const distinct: Distinct = new Map();
  const same = equateAccesses({ access: one }, { access: other }, String, String, distinct);
  // Arrays that would have to be looked at in front of the nest are taken to be one.
  if (distinct.size > 0) return true;
  if (same === null) return false;
  return isSatisfiable([...same, ...[...around, inner].flatMap((loop) => domainOf(loop, String))]);
}
