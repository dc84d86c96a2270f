// Dependences: whether two accesses in a counted loop can be to one element. One of the two stays where it is while the
// loop runs; the other may move. They are compared dimension by dimension, and are different elements if they differ in
// one. Where that cannot be told from the text, there may be a condition in front of the loop that tells it.
//
// In a fixed matrix two rows are one array only if matrix and subscript are the same (fixed-matrices.ts), so that rows
// are a dimension; of other matrices the rows are compared as arrays.
//
// Source: Goff, Kennedy, Tseng, "Practical dependence testing" (1991): the tests named ZIV and weak-zero SIV there.

import type { CountedLoop, Expression, LocalId } from '../../mir/mir.ts';
import { countsUp } from '../../mir/mir.ts';
import { areDifferent, arithmetic, either, getLocal, inRange, int, not } from '../../mir/builders.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { pathKey } from './access-paths.ts';
import { rootOf } from './alias-classes.ts';
import type { ArrayClass } from './alias-classes.ts';
import { plainLimit } from './counted-loops.ts';
import { readSum } from './loop-nests.ts';
import type { NestFacts, Row } from './loop-nests.ts';

/** An element, by names that mean the same in all of the loop, the counted variable apart. */
export interface Place {
  /** The class of the array. */
  readonly class: ArrayClass;
  /** The local with the elements of the array; null where the array is known as a row alone. */
  readonly elements: LocalId | null;
  /** The row of a fixed matrix that it is, if that is known. */
  readonly row: Row | null;
  readonly subscript: Expression;
}

/** Where accesses are compared. */
export interface Iterations {
  readonly counted: CountedLoop;
  /** In the body. */
  readonly facts: NestFacts;
  readonly isUnchanged: (node: Expression) => boolean;
  readonly typeOf: (local: LocalId) => Expression['type'];
}

/**
 * What two accesses have to do with each other: always to the same element, never, or never if a condition holds in
 * front of the loop, all subscripts in range and one iteration to come. Null where nothing is known.
 */
export type Dependence = 'same' | 'never' | Expression | null;

/** Of an element that stays where it is and another. */
export function compare(still: Place, other: Place, iterations: Iterations): Dependence {
  if (!still.class.isUnknown && !other.class.isUnknown && rootOf(still.class) !== rootOf(other.class)) return 'never';
  const inRow = compareSubscripts(still.subscript, other.subscript, iterations);
  // Whatever the arrays are.
  if (inRow === 'never') return 'never';
  if (still.row !== null && other.row !== null) {
    const rows = compareSubscripts(still.row.subscript, other.row.subscript, iterations);
    if (rows === 'never') return 'never';
    const { matrix } = still.row;
    if (matrix !== other.row.matrix) return differ(matrix, other.row.matrix, iterations);
    if (rows === 'same') return inRow;
    return inRow === 'same' ? rows : eitherOf(inRow, rows);
  }
  if (still.elements !== null && still.elements === other.elements) return inRow;
  if (still.elements === null || other.elements === null) return inRow === 'same' ? null : inRow;
  return differ(still.elements, other.elements, iterations);
}

function eitherOf(one: Expression | null, other: Expression | null): Expression | null {
  return one === null || other === null ? (one ?? other) : either(one, other);
}

/** Whether two locals hold the elements of different arrays. */
function differ(one: LocalId, other: LocalId, { typeOf, counted: { limit } }: Iterations): Dependence {
  const { span } = limit;
  const [left, right] = [one, other].map((local) => getLocal(local, typeOf(local), span)) as [Expression, Expression];
  const test = areDifferent(left, right, span);
  return test.kind === 'boolean' ? 'never' : test;
}

function compareSubscripts(still: Expression, other: Expression, iterations: Iterations): Dependence {
  const { counted, facts, isUnchanged } = iterations;
  const { span } = counted.limit;
  const [a, b] = [readSum(still), readSum(other)];
  if (isUnchanged(other)) {
    const key = pathKey(still);
    if (key !== null && key === pathKey(other)) return 'same';
    if (a === null || b === null) return differentInts(still, other, span);
    // Sums that wrap differ just as much.
    if (a.local === b.local) return a.offset === b.offset ? 'same' : 'never';
    return isApart(a, b, facts) ? 'never' : differentInts(still, other, span);
  }
  if (b === null || b.local !== counted.variable) return null;
  if (a !== null && isApart(a, b, facts)) return 'never';
  return isOutside(still, b.offset, counted, span);
}

type Sum = NonNullable<ReturnType<typeof readSum>>;

/** Whether one of two subscripts in range is known to be below the other. */
function isApart(a: Sum, b: Sum, facts: NestFacts): boolean {
  const isBelow = (less: Sum, more: Sum): boolean => {
    const distance = facts.distance(less.local, more.local);
    return distance !== null && less.offset + distance < more.offset;
  };
  return isBelow(a, b) || isBelow(b, a);
}

function differentInts(left: Expression, right: Expression, span: Span): Expression | null {
  if (!isPlain(left) || !isPlain(right)) return null;
  return { kind: 'operate', operator: '!=(int,int)', operands: [left, right], type: booleanType, span };
}

/** Worked out from locals, so that it costs nothing in front of the loop. */
function isPlain(node: Expression): boolean {
  return readSum(node) !== null;
}

/** Whether a subscript is none of `variable + offset` in all iterations. */
function isOutside(still: Expression, offset: bigint, counted: CountedLoop, span: Span): Expression | null {
  const { variable, comparison, limitStep } = counted;
  const limit = plainLimit(counted);
  if (limit === null || limitStep !== 0n || !isPlain(still)) return null;
  const first = getLocal(variable, intType, span);
  const one = int(1n, span);
  const isOpen = comparison === '<' || comparison === '>';
  const [least, count] = countsUp(comparison)
    ? [first, arithmetic('-', isOpen ? limit : arithmetic('+', limit, one), first)]
    : [
        isOpen ? arithmetic('+', limit, one) : limit,
        arithmetic('-', isOpen ? first : arithmetic('+', first, one), limit),
      ];
  return not(inRange(arithmetic('-', arithmetic('-', still, least), int(offset, span)), count));
}
