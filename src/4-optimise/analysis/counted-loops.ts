// Finds counted loops: a variable goes up or down by the same amount each iteration until it reaches a limit.

import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { operatorById } from '../../language/operators.ts';
import { intType } from '../../language/types.ts';
import type { Changes } from './mod-ref.ts';
import { arithmetic, inRange, getLocal, int } from '../../mir/builders.ts';
import { flatten, visitAll } from '../../mir/children.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import { localsSet } from '../../mir/locals.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { isUnchanged } from './access-paths.ts';

/**
 * How the loop counts; null if it does not. `changes` are those of the whole loop, `before` are the statements in front
 * of it.
 */
export function findCount(
  loop: Loop,
  changes: Changes,
  before: readonly Statement[],
  registry: LibraryRegistry,
): CountedLoop | null {
  const counted = countOf(loop, changes, registry);
  return counted === null ? null : { ...counted, start: startOf(counted, before) };
}

function countOf(loop: Loop, changes: Changes, registry: LibraryRegistry): CountedLoop | null {
  const { condition } = loop;
  if (!loop.testFirst || condition?.kind !== 'operate') return null;
  const comparison = readComparison(condition.operator);
  if (comparison === null) return null;
  const [left, right] = condition.operands as readonly [Expression, Expression];
  const steps = findSteps(loop);
  return (
    count(left, right, comparison, steps, changes, registry) ??
    count(right, left, flipped[comparison], steps, changes, registry)
  );
}

/** The comparison with its sides changed. */
export const flipped = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** Of two ints. */
export function readComparison(operator: string): CountedLoop['comparison'] | null {
  const { symbol, operands } = operatorById(operator);
  return operands[0]!.kind === 'int' && symbol in flipped ? (symbol as CountedLoop['comparison']) : null;
}

/** The locals that the step of the loop, and nothing else in it, adds to. */
export function findSteps(loop: Loop): ReadonlyMap<LocalId, Expression> {
  const sets = new Map<LocalId, number>();
  visitAll([loop], (node) => {
    for (const local of localsSet(node)) sets.set(local, (sets.get(local) ?? 0) + 1);
  });
  return new Map(
    flatten(loop.step)
      .flatMap((node) => readStep(node) ?? [])
      .filter(([local]) => sets.get(local) === 1),
  );
}

/** The local and what is added to it, of `i = i + x` and `i = i - x`. */
export function readStep(node: Statement): [LocalId, Expression][] | null {
  if (node.kind !== 'set-local' || node.value.kind !== 'operate') return null;
  const [left, right] = node.value.operands as readonly [Expression, Expression];
  if (left.kind !== 'get-local' || left.local !== node.local) return null;
  if (node.value.operator === '+(int,int)') return [[node.local, right]];
  return node.value.operator === '-(int,int)' && right.kind === 'int'
    ? [[node.local, int(-right.value, right.span)]]
    : null;
}

/** Steps of constants stay below this, so that a number of iterations times one is still small. */
export const largestStep = 1n << 20n;

function count(
  variable: Expression,
  limit: Expression,
  comparison: CountedLoop['comparison'],
  steps: ReadonlyMap<LocalId, Expression>,
  changes: Changes,
  registry: LibraryRegistry,
): CountedLoop | null {
  if (variable.kind !== 'get-local') return null;
  const step = steps.get(variable.local);
  if (step === undefined) return null;
  const goesUp = countsUp(comparison);
  if (step.kind === 'int') {
    const towards = goesUp ? step.value : -step.value;
    if (towards <= 0n || towards > largestStep) return null;
  } else if (!goesUp || step.kind !== 'get-local' || changes.locals.has(step.local)) return null;
  if (isLimit(limit, changes, registry))
    return { variable: variable.local, comparison, limit, step, limitStep: 0n, start: null };
  // Two variables that approach each other, one from each end, as in the reversal of an array.
  const limitStep = limit.kind === 'get-local' ? steps.get(limit.local) : undefined;
  const meet =
    (comparison === '<' && isInt(step, 1n) && isInt(limitStep, -1n)) ||
    (comparison === '>' && isInt(step, -1n) && isInt(limitStep, 1n));
  return meet
    ? {
        variable: variable.local,
        comparison,
        limit,
        step,
        limitStep: (limitStep as { readonly value: bigint }).value,
        start: null,
      }
    : null;
}

function isInt(node: Expression | undefined, value: bigint): boolean {
  return node?.kind === 'int' && node.value === value;
}

function isLimit(limit: Expression, changes: Changes, registry: LibraryRegistry): boolean {
  if (limit.kind !== 'library-call') return isSpeculatable(limit, registry) && isUnchanged(limit, changes);
  if (limit.function !== 'T[].length' && limit.function !== 'string.length') return false;
  const [array] = limit.arguments as readonly [Expression];
  const isVariable = array.kind === 'get-local' || array.kind === 'get-global';
  return isVariable && isUnchanged(array, changes) && isSizeUnchanged(array, changes);
}

/** So many statements in front of a loop are searched for the start of its variable. */
const mostBefore = 16;

/** The constant at which the variable begins, if that is set shortly before the loop. */
export function startOf({ variable }: Pick<CountedLoop, 'variable'>, before: readonly Statement[]): bigint | null {
  const value = startValueOf(variable, before);
  return value?.kind === 'int' ? value.value : null;
}

/** What the variable is set to shortly before the loop. */
export function startValueOf(variable: LocalId, before: readonly Statement[]): Expression | null {
  for (const node of before.slice(-mostBefore).toReversed()) {
    if (node.kind !== 'set-local') return null;
    if (node.local === variable) return node.value;
    let isPure = true;
    visitAll([node.value], (part) => (isPure &&= localsSet(part).length === 0));
    if (!isPure) return null;
  }
  return null;
}

/** Loops of constant length up to this are short by themselves. */
const fewIterations = 256n;

/** Whether it can be seen that the loop has few iterations: it counts up from a constant to another. */
export function hasFewIterations(counted: CountedLoop): boolean {
  const most = mostIterations(counted);
  return most !== null && most < fewIterations;
}

/** About how many iterations it makes if none leaves it, where that is known and they count up. */
export function mostIterations({ comparison, limit, step, limitStep, start }: CountedLoop): bigint | null {
  if (start === null) return null;
  if (limit.kind !== 'int' || step.kind !== 'int' || limitStep !== 0n || !countsUp(comparison)) return null;
  return limit.value < 2n ** 62n ? (limit.value - start) / step.value : null;
}

/** Other limits may be evaluated anywhere; the length of an array or a text fails if that is null. */
function isLength(limit: Expression): boolean {
  return limit.kind === 'library-call';
}

/** The limit as an expression that cannot fail, or null; the length of null is 0. */
export function plainLimit({ limit, textLength }: CountedLoop): Expression | null {
  if (!isLength(limit)) return limit;
  return textLength === undefined ? null : getLocal(textLength, intType, limit.span);
}

/**
 * What must hold besides for a loop to count up to that limit, in steps that lead nowhere else, if it makes an
 * iteration.
 */
export function conditionsOfCount({ limit, textLength, step }: CountedLoop): readonly Expression[] {
  const { span } = limit;
  // A text that is not hoisted as a whole has the length 0 here, and the loop makes iterations nevertheless.
  const isWhole =
    !isLength(limit) || textLength === undefined ? [] : [inRange(int(0n, span), getLocal(textLength, intType, span))];
  const isSmall = step.kind === 'int' ? [] : [inRange(arithmetic('-', step, int(1n, span)), int(1n << 31n, span))];
  return [...isWhole, ...isSmall];
}

/** Whether the array keeps its length; texts always do. */
export function isSizeUnchanged(array: Expression, changes: Changes): boolean {
  if (array.type.kind === 'string') return true;
  return array.type.kind === 'array' && !changes.mayResize(array);
}
