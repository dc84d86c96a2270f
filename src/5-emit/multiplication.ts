// Multiplication of ints by a constant. A product takes three cycles, a shift and a sum take two, and the values of a
// hash are a chain of products: `hash * 31 + code`. Engines do this for powers of two alone.
//
// Source: Bernstein, "Multiplication by Integer Constants" (Software: Practice and Experience 16, 1986).

import type { Expression } from '../mir/mir.ts';
import { i32, i64 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';

/** `(x << bits) + x`, or minus x, where x is the operand that is no constant. */
interface ShiftedProduct {
  readonly value: Expression;
  readonly bits: number;
  readonly operation: 'add' | 'sub';
}

/** Engines compute products by 3, 5 and 9 in one instruction. */
const shortestSum = 4;
const shortestDifference = 3;

/** A product by a power of two that is one more or one less, as a shift; null where the result does not fit one. */
function shiftedProduct(
  { operator, operands: [left, right] }: Expression & { readonly kind: 'operate' },
  width: 32 | 64,
): ShiftedProduct | null {
  if (operator !== '*(int,int)') return null;
  const [value, factor] = left!.kind === 'int' ? [right!, left] : [left!, right!];
  if (factor.kind !== 'int' || factor.value < 2n) return null;
  const isSum = isPowerOfTwo(factor.value - 1n);
  if (!isSum && !isPowerOfTwo(factor.value + 1n)) return null;
  const bits = (factor.value + (isSum ? -1n : 1n)).toString(2).length - 1;
  if (bits < (isSum ? shortestSum : shortestDifference) || bits >= width) return null;
  return { value, bits, operation: isSum ? 'add' : 'sub' };
}

function isPowerOfTwo(value: bigint): boolean {
  return (value & (value - 1n)) === 0n;
}

/** The product by shifting; null where a multiplication is as fast, and for other operators. */
export function emitShiftedProduct(
  fb: FunctionBuilder,
  node: Expression & { readonly kind: 'operate' },
): ExpressionRef | null {
  const product = shiftedProduct(node, 64);
  if (product === null) return null;
  const { value, bits, operation } = product;
  const m = fb.module;
  const shifted = (read: () => ExpressionRef): ExpressionRef => m.i64.shl(read(), m.i64.const(BigInt(bits)));
  return fb.reuse(fb.expression(value), i64, (read) => m.i64[operation](shifted(read), read()), i64);
}

/** The low 32 bits of the product; `low` gives those of an operand. */
export function emitShiftedProduct32(
  fb: FunctionBuilder,
  node: Expression & { readonly kind: 'operate' },
  low: (operand: Expression) => ExpressionRef,
): ExpressionRef | null {
  const product = shiftedProduct(node, 32);
  if (product === null) return null;
  const { value, bits, operation } = product;
  const m = fb.module;
  const shifted = (read: () => ExpressionRef): ExpressionRef => m.i32.shl(read(), m.i32.const(bits));
  return fb.reuse(low(value), i32, (read) => m.i32[operation](shifted(read), read()), i32);
}
