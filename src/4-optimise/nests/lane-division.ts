// Quotients of ints that are not negative by constants, in the lanes of vectors, which have no instruction for them: a
// shift, or a product and a shift where that fits in 32 bits.
//
//   x / 9, for x from 0 to 2295      x * 3641 >> 15
// Source: Granlund, Montgomery, "Division by Invariant Integers using Multiplication" (PLDI 1994).

import type { Expression } from '../../mir/mir.ts';
import { int } from '../../mir/builders.ts';
import type { Range } from '../analysis/ranges.ts';
import { laneWise, splat } from './lane-values.ts';

/** What is asked of whoever makes the vectors. */
export interface LaneDivision {
  readonly rangeOf: (node: Expression) => Range | null;
  readonly vector: (node: Expression) => Expression | null;
  /** Whether vectors have four ints of 32 bits. */
  readonly isOfSmall: () => boolean;
}

/** `x / divisor` is `x * factor >> shift`. */
interface Reciprocal {
  readonly factor: bigint;
  readonly shift: bigint;
}

/** For ints from 0 to `most`; null where no product fits in 32 bits that is exact for all of them. */
function reciprocalOf(divisor: bigint, most: bigint): Reciprocal | null {
  for (let shift = 0n; shift < 32n; shift++) {
    const factor = ((1n << shift) + divisor - 1n) / divisor;
    if (most * factor >= 1n << 32n) return null;
    // What the rounded factor adds stays below the next whole number.
    const error = factor * divisor - (1n << shift);
    if (error * most < 1n << shift) return { factor, shift };
  }
  return null;
}

/** Of a power of two the exponent; null for others. */
function exponentOf(value: bigint): bigint | null {
  return value > 0n && (value & (value - 1n)) === 0n ? BigInt(value.toString(2).length - 1) : null;
}

/** A quotient or a remainder by a constant, of what is not negative; null for others. */
export function divideInLanes(
  { operator, operands, span }: Expression & { readonly kind: 'operate' },
  { rangeOf, vector, isOfSmall }: LaneDivision,
): Expression | null {
  const isQuotient = operator === '/(int,int)';
  const [value, by] = operands as readonly [Expression, Expression];
  if ((!isQuotient && operator !== '%(int,int)') || operands.length !== 2 || by.kind !== 'int' || by.value < 1n)
    return null;
  const range = rangeOf(value);
  if (range === null || range.low < 0n) return null;
  const exponent = exponentOf(by.value);
  const reciprocal = exponent === null && isQuotient && isOfSmall() ? reciprocalOf(by.value, range.high) : null;
  const divided = exponent === null && reciprocal === null ? null : vector(value);
  if (divided === null) return null;
  const { type } = divided;
  const all = (number: bigint): Expression => splat(int(number, span), type);
  if (!isQuotient) return laneWise('&(int,int)', [divided, all(by.value - 1n)], type, span);
  const product = reciprocal === null ? divided : laneWise('*(int,int)', [divided, all(reciprocal.factor)], type, span);
  const shift = int(exponent ?? reciprocal!.shift, span);
  return { kind: 'lane-wise', operator: '>>>(int,int)', operands: [product, shift], type, span };
}
