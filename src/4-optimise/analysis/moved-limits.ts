// Loop heads with a sum around the variable: `i + length <= n` counts as `i <= n - length` does, where no side wraps
// around at any test. That is shown by the ranges of the parts: the variable begins small, what is added to it is small,
// and the other side is far from the ends of the ints, so the loop ends long before a sum could wrap.

import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { arithmetic, chosenOf, int } from '../../mir/builders.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { findSteps, flipped, largestStep, readComparison, startValueOf } from './counted-loops.ts';
import { isInvariant } from './invariant-limits.ts';
import type { Changes } from './mod-ref.ts';
import type { Range, Ranges } from './ranges.ts';

/** Nobody writes more terms. */
const mostTerms = 4;
/** What the variable begins with, and each term, are no further from 0; the other side is no further than that. */
const small = 1n << 53n;
const far = 1n << 61n;

export interface MovedLimitContext {
  readonly fn: MirFunction;
  readonly changes: Changes;
  readonly registry: LibraryRegistry;
  readonly ranges: () => Ranges;
}

/** `variable + terms`, each term with its sign. */
interface Sum {
  readonly variable: LocalId;
  readonly terms: readonly { readonly isPlus: boolean; readonly node: Expression }[];
}

/** How a loop with such a head counts; null if it does not. The limit is to be worked out in front of the loop. */
export function findMovedLimit(
  loop: Loop,
  before: readonly Statement[],
  context: MovedLimitContext,
): CountedLoop | null {
  const { condition } = loop;
  if (!loop.testFirst || condition?.kind !== 'operate') return null;
  const comparison = readComparison(condition.operator);
  if (comparison === null) return null;
  const [left, right] = condition.operands as readonly [Expression, Expression];
  const steps = findSteps(loop);
  return (
    moved(left, right, comparison, steps, before, context) ??
    moved(right, left, flipped[comparison], steps, before, context)
  );
}

function moved(
  side: Expression,
  other: Expression,
  comparison: CountedLoop['comparison'],
  steps: ReadonlyMap<LocalId, Expression>,
  before: readonly Statement[],
  { fn, changes, registry, ranges }: MovedLimitContext,
): CountedLoop | null {
  const sum = readSum(side, steps);
  if (sum === null || sum.terms.length === 0 || sum.terms.length > mostTerms) return null;
  const { variable, terms } = sum;
  const step = steps.get(variable)!;
  if (step.kind !== 'int') return null;
  const towards = countsUp(comparison) ? step.value : -step.value;
  if (towards <= 0n || towards > largestStep) return null;
  const parts = terms.map(({ node }) => node);
  if (![other, ...parts].every((node) => isInvariant(node, changes, registry))) return null;
  // Both sides may fail at the first test: then the first of them is the error.
  if (!isSpeculatable(other, registry) && !parts.every((node) => isSpeculatable(node, registry))) return null;
  const startValue = startValueOf(variable, before);
  const start = startValue === null ? null : rangeOf(startValue);
  if (start === null || !isWithin(start, small)) return null;
  const termRanges = terms.map(({ node }) => rangeOf(node));
  if (!termRanges.every((range) => range !== null && isWithin(range, small))) return null;
  const limit = limitOf(other, start);
  if (limit === null) return null;
  const value = terms.reduce((sofar, { isPlus, node }) => arithmetic(isPlus ? '-' : '+', sofar, node), limit);
  return {
    variable,
    comparison,
    limit: value,
    step,
    limitStep: 0n,
    start: startValue?.kind === 'int' ? startValue.value : null,
  };

  function rangeOf(node: Expression): Range | null {
    return node.kind === 'int' ? { low: node.value, high: node.value } : ranges().of(fn, node);
  }

  /** The other side where that is far from the ends; what nothing is known of, where it may be anything. */
  function limitOf(node: Expression, { low }: Range): Expression | null {
    const range = rangeOf(node);
    if (range !== null && isWithin(range, far)) return node;
    // Steps of one up from 0 or more, and only more added: the sum meets every limit before it wraps. A limit below 0
    // ends the loop at once, as 0 does.
    const isRising = terms.every(({ isPlus }, at) => isPlus && termRanges[at]!.low >= 0n);
    if (comparison !== '<' || towards !== 1n || low < 0n || !isRising) return null;
    return chosenOf('int.max', node, int(0n, node.span));
  }
}

function isWithin({ low, high }: Range, most: bigint): boolean {
  return -most <= low && high <= most;
}

/** A sum with one variable of the steps in it; null for anything else. */
function readSum(node: Expression, steps: ReadonlyMap<LocalId, Expression>): Sum | null {
  if (node.kind === 'get-local') return steps.has(node.local) ? { variable: node.local, terms: [] } : null;
  if (node.kind !== 'operate' || (node.operator !== '+(int,int)' && node.operator !== '-(int,int)')) return null;
  const [left, right] = node.operands as readonly [Expression, Expression];
  const isPlus = node.operator === '+(int,int)';
  const first = readSum(left, steps);
  if (first !== null) return { ...first, terms: [...first.terms, { isPlus, node: right }] };
  const second = isPlus ? readSum(right, steps) : null;
  return second === null ? null : { ...second, terms: [{ isPlus: true, node: left }, ...second.terms] };
}
