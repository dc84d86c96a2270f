// Operators that work on the lanes of vectors, each with the instruction that it becomes. An operator or a function that
// is not here keeps a loop from being vectorised: the units of the usual processors have no such instruction, or, as for
// products of ints of 64 bits, one that is slower than two products.

import type { Type } from '../language/types.ts';
import type { Expression } from './mir.ts';

/** Ints that fit in 32 bits, in vectors of four. */
export const smallInt: Type = { kind: 'int', storage: 'i32' };

/** How many numbers are in a vector of these. */
export function laneCount(element: Type): 2 | 4 {
  return element.kind === 'int' && element.storage === 'i32' ? 4 : 2;
}

/** Whose second operand is a number, the same for all lanes. */
export const laneShifts: ReadonlySet<string> = new Set(['<<(int,int)', '>>(int,int)', '>>>(int,int)']);

/** The instruction for lanes of such numbers, or the two that stand for it; undefined where there is none. */
export function laneInstruction(operator: string, element: Type): string | undefined {
  const known = Object.hasOwn(laneInstructions, operator) ? laneInstructions[operator] : undefined;
  if (laneCount(element) === 2) return known;
  return ofSmallInts[operator] ?? known?.replace('i64x2', 'i32x4');
}

/** What ints of 32 bits have instructions of their own for. */
const ofSmallInts: Readonly<Record<string, string>> = {
  '*(int,int)': 'i32x4.mul',
  '>>(int,int)': 'i32x4.shr_s',
  'int.min': 'i32x4.min_s',
  'int.max': 'i32x4.max_s',
};

/** By the ids of operators and of library functions; `select` takes two vectors and the result of a comparison. `pair`, which is not here, makes
 * a vector of two numbers. */
const laneInstructions: Readonly<Record<string, string>> = {
  '+(double,double)': 'f64x2.add',
  '-(double,double)': 'f64x2.sub',
  '*(double,double)': 'f64x2.mul',
  '/(double,double)': 'f64x2.div',
  '-(double)': 'f64x2.neg',
  '<(double,double)': 'f64x2.lt',
  '<=(double,double)': 'f64x2.le',
  '>(double,double)': 'f64x2.gt',
  '>=(double,double)': 'f64x2.ge',
  '==(double,double)': 'f64x2.eq',
  '!=(double,double)': 'f64x2.ne',
  'Math.sqrt': 'f64x2.sqrt',
  'Math.abs': 'f64x2.abs',
  'Math.min': 'f64x2.min',
  'Math.max': 'f64x2.max',
  'double.abs': 'f64x2.abs',
  'double.min': 'f64x2.min',
  'double.max': 'f64x2.max',
  '+(int,int)': 'i64x2.add',
  '-(int,int)': 'i64x2.sub',
  '-(int)': 'i64x2.neg',
  '<(int,int)': 'i64x2.lt_s',
  '<=(int,int)': 'i64x2.le_s',
  '>(int,int)': 'i64x2.gt_s',
  '>=(int,int)': 'i64x2.ge_s',
  '==(int,int)': 'i64x2.eq',
  '!=(int,int)': 'i64x2.ne',
  'int.abs': 'i64x2.abs',
  '&(int,int)': 'v128.and',
  '|(int,int)': 'v128.or',
  '^(int,int)': 'v128.xor',
  '~(int)': 'v128.not',
  '<<(int,int)': 'i64x2.shl',
  '>>>(int,int)': 'i64x2.shr_u',
  '&(boolean,boolean)': 'v128.and',
  '|(boolean,boolean)': 'v128.or',
  '^(boolean,boolean)': 'v128.xor',
  '!(boolean)': 'v128.not',
  'int.min': 'i64x2.lt_s bitselect',
  'int.max': 'i64x2.gt_s bitselect',
  select: 'v128.bitselect',
  // Of what no operator of the language does: both lanes changed over; the last lane of one vector and the first of another;
  // the first lanes of two vectors, and the last ones.
  swap: 'i8x16.shuffle',
  splice: 'i8x16.shuffle',
  'interleave-low': 'i8x16.shuffle',
  'interleave-high': 'i8x16.shuffle',
  // Of ints that fit in 32 bits, with all bits of the product.
  'extended-product': 'i64x2.extmul_low_i32x4_s',
};

/** Whether two doubles are compared. */
export function isDoubleComparison(node: Expression): node is Expression & { readonly kind: 'operate' } {
  return node.kind === 'operate' && node.type.kind === 'boolean' && node.operator.endsWith('(double,double)');
}
