// Reads of variables of which more is known where they are than elsewhere.
//
// A loop bounds its counter: where `i < limit` holds whenever an iteration begins, and one step alone adds to `i`, each
// read in front of it gives a number below the limit. The step does so at most once in an iteration.
//
// An array bounds its length: behind `xs = new int[n + 1]`, which fails otherwise, n is small and not below -1.

import { longestArrays } from '../../abi/values.ts';
import { flatten, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Type } from '../../language/types.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { flipped, readComparison, readStep } from './counted-loops.ts';

/** What holds of a variable where it is read: a comparison, or that it is from `low` to `high`. */
export type Bound = Comparison | { readonly low: bigint; readonly high: bigint };

interface Comparison {
  readonly comparison: '<' | '<=' | '>' | '>=';
  readonly limit: Expression;
}

/** The bounds by the reads; of loops in each other, those of the outermost whose step is the only one. */
export function findBoundedReads({ body }: MirFunction): ReadonlyMap<Expression, Bound> {
  const found = new Map<Expression, Bound>();
  readLengths(flatten(body), found);
  visitAll(body, (node) => {
    if (node.kind === 'loop' && node.testFirst && node.condition !== null) readLoop(node, node.condition, found);
  });
  // A node that stands in several places is known in none.
  const seen = new Set<Node>();
  visitAll(body, (node) => {
    if (node.kind !== 'get-local') return;
    if (seen.has(node)) found.delete(node);
    seen.add(node);
  });
  return found;
}

/** What is behind the making of an array, among the statements that a function does one after another. */
function readLengths(statements: readonly Statement[], found: Map<Expression, Bound>): void {
  const sets = new Map<LocalId, number>();
  const setBefore = new Map<LocalId, number>();
  const lengths = new Map<LocalId, Bound>();
  if (!statements.some(({ kind }) => kind === 'set-local' || kind === 'set-global')) return;
  visitAll(statements, (node) => {
    for (const local of localsSet(node)) sets.set(local, (sets.get(local) ?? 0) + 1);
  });
  for (const node of statements) {
    if (lengths.size > 0)
      visitAll([node], (part) => {
        const bound = part.kind === 'get-local' ? lengths.get(part.local) : undefined;
        if (bound !== undefined) found.set(part as Expression, bound);
      });
    for (const local of localsSet(node)) setBefore.set(local, (setBefore.get(local) ?? 0) + 1);
    if ((node.kind !== 'set-local' && node.kind !== 'set-global') || node.value.kind !== 'new-array') continue;
    for (const length of node.value.lengths) {
      const [local, plus] = sumOf(length) ?? [null, 0n];
      // It is what it was then wherever it is read behind that.
      if (local !== null && sets.get(local) === setBefore.get(local))
        lengths.set(local, { low: -plus, high: longestOf(node.value.type) - plus });
    }
  }
}

/** The longest that an array, or one in it, can be. */
function longestOf(type: Type): bigint {
  if (type.kind === 'array' && type.element.kind === 'array') return longestOf(type.element);
  const isOfBooleans = type.kind === 'array' && type.element.kind === 'boolean';
  return BigInt(isOfBooleans ? longestArrays.boolean : longestArrays.other);
}

/** A variable and a constant. */
function sumOf(node: Expression): readonly [LocalId, bigint] | null {
  if (node.kind === 'get-local') return [node.local, 0n];
  if (node.kind !== 'operate') return null;
  const [left, right] = node.operands;
  if (left?.kind !== 'get-local' || right?.kind !== 'int' || right.value > 1n << 20n || right.value < 0n) return null;
  if (node.operator === '+(int,int)') return [left.local, right.value];
  return node.operator === '-(int,int)' ? [left.local, -right.value] : null;
}

function readLoop(loop: Loop, condition: Expression, found: Map<Expression, Bound>): void {
  const bounds = boundsOf(condition);
  if (bounds.size === 0) return;
  const sets = new Map<LocalId, number>();
  visitAll([loop], (node) => {
    for (const local of localsSet(node)) if (bounds.has(local)) sets.set(local, (sets.get(local) ?? 0) + 1);
  });
  const note = (node: Statement | Expression, locals: ReadonlySet<LocalId>): void =>
    visitAll([node], (part) => {
      if (part.kind === 'get-local' && locals.has(part.local)) found.set(part, bounds.get(part.local)!);
    });
  const steps = flatten(loop.step);
  const bounded = new Set<LocalId>();
  for (const node of steps)
    for (const [local] of readStep(node) ?? []) if (sets.get(local) === 1 && bounds.has(local)) bounded.add(local);
  if (bounded.size > 0) for (const node of loop.body) note(node, bounded);
  for (const node of steps) {
    note(node, bounded);
    for (const local of localsSet(node)) bounded.delete(local);
  }
  // A step in the body: what is read behind it is not below the limit any more, but the step itself reads.
  visitOnce(loop.body, (node) => {
    for (const [local] of readStep(node) ?? [])
      if (sets.get(local) === 1 && bounds.has(local)) for (const part of partsOf(node)) note(part, new Set([local]));
  });
}

/** The comparisons that hold in an iteration, by the variables that stand at one side of them alone. */
function boundsOf(condition: Expression): ReadonlyMap<LocalId, Comparison> {
  const bounds = new Map<LocalId, Comparison>();
  for (const test of condition.kind === 'logical' && condition.operator === '&&' ? condition.operands : [condition]) {
    const comparison = test.kind === 'operate' ? readComparison(test.operator) : null;
    if (comparison === null) continue;
    const [left, right] = (test as Expression & { readonly kind: 'operate' }).operands as [Expression, Expression];
    if (left.kind === 'get-local') bounds.set(left.local, { comparison, limit: right });
    else if (right.kind === 'get-local') bounds.set(right.local, { comparison: flipped[comparison], limit: left });
  }
  return bounds;
}

/** Visits statements that run at most once in an iteration: those of no loop inside. */
function visitOnce(statements: readonly Statement[], visit: (node: Statement) => void): void {
  for (const node of statements) {
    visit(node);
    if (node.kind === 'if') for (const { then } of [...node.arms, { then: node.otherwise }]) visitOnce(then, visit);
    else if (node.kind === 'block') visitOnce(node.statements, visit);
    else if (node.kind === 'try')
      for (const body of [node.body, ...node.clauses.map((clause) => clause.body)]) visitOnce(body, visit);
  }
}
