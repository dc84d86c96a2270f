// Vectors: two numbers in one value, or four small ints, and operators on all of them at once.

import { haveSameForm } from '../mir/builders.ts';
import { isDoubleComparison, laneCount, laneInstruction, laneShifts } from '../mir/lane-wise.ts';
import type { Expression, LaneWise, Select } from '../mir/mir.ts';
import type { Type } from '../language/types.ts';
import { v128 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitInstruction } from './calls.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitLoadOfHalves, emitNarrowed, emitPairOfLoads } from './scratch.ts';
import { emitLow32 } from './wrap32.ts';

export function emitSplat(
  fb: FunctionBuilder,
  { operand, type }: Expression & { readonly kind: 'splat' },
): ExpressionRef {
  if (laneCount(elementOf(type)) === 4) return fb.module.i32x4.splat(emitLow32(fb, operand));
  const value = fb.expression(operand);
  return operand.type.kind === 'int' ? fb.module.i64x2.splat(value) : fb.module.f64x2.splat(value);
}

export function emitExtractLane(
  fb: FunctionBuilder,
  { operand, lane, type }: Expression & { readonly kind: 'extract-lane' },
): ExpressionRef {
  const group = type.kind === 'int' ? fb.module.i64x2 : fb.module.f64x2;
  return group.extract_lane(fb.expression(operand), lane);
}

function elementOf(type: Type): Type {
  return type.kind === 'vector' ? type.element : type;
}

/** The least and the greatest of ints are a comparison and a choice of bits: `bitselect(a, b, a < b)`. */
export function emitLaneWise(fb: FunctionBuilder, { operator, operands }: LaneWise): ExpressionRef {
  if (operator === 'pair') return emitPair(fb, operands as readonly [Expression, Expression]);
  const extreme = operator === 'select' ? extremeOf(operands as readonly [Expression, Expression, Expression]) : null;
  if (extreme !== null) {
    const [kept, other] = operands.slice(0, 2).map((operand) => fb.expression(operand)) as [
      ExpressionRef,
      ExpressionRef,
    ];
    return emitInstruction(fb.module, extreme, [other, kept]);
  }
  if (operator === 'extended-product')
    return fb.module.i64x2.extmul_low_i32x4_s(...(operands.map((one) => emitLowHalves(fb, one)) as Pair));
  const [name, choice] = laneInstruction(operator, elementOf(operands[0]!.type))!.split(' ') as [string, string?];
  const values = operands.map((operand) =>
    laneShifts.has(operator) && operand.type.kind === 'int' ? emitLow32(fb, operand) : fb.expression(operand),
  );
  if (operator === 'swap') return emitSwap(fb, values[0]!);
  const bytes = shuffles[operator];
  if (bytes !== undefined) return fb.module.i8x16.shuffle(values[0]!, values[1]!, bytes);
  if (choice === undefined) return emitInstruction(fb.module, name, values);
  const [a, b] = values as [ExpressionRef, ExpressionRef];
  const choose = (left: () => ExpressionRef, right: () => ExpressionRef): ExpressionRef =>
    fb.module.v128.bitselect(left(), right(), emitInstruction(fb.module, name, [left(), right()]));
  return fb.reuse(a, v128, (left) => fb.reuse(b, v128, (right) => choose(left, right), v128), v128);
}

type Pair = [ExpressionRef, ExpressionRef];

/** The low halves of both lanes as the first two of four. */
function emitLowHalves(fb: FunctionBuilder, operand: Expression): ExpressionRef {
  if (operand.kind === 'splat') return fb.module.i32x4.splat(emitLow32(fb, operand.operand));
  if (operand.kind === 'load' && operand.storage !== undefined) return emitLoadOfHalves(fb, operand);
  return emitNarrowed(fb, fb.expression(operand));
}

/** `select(a, b, a > b)` of doubles and small ints is one instruction; null for other choices. */
function extremeOf([kept, other, condition]: readonly [Expression, Expression, Expression]): string | null {
  if (condition.kind !== 'lane-wise' && condition.kind !== 'operate') return null;
  const [left, right] = condition.operands as [Expression, Expression];
  const { operator } = condition;
  if (operator.endsWith('(int,int)') && laneCount(elementOf(kept.type)) === 2) return null;
  const [ifLeft, ifRight] = extremes[operator] ?? [null, null];
  if (haveSameForm(left, kept) && haveSameForm(right, other)) return ifLeft;
  return haveSameForm(left, other) && haveSameForm(right, kept) ? ifRight : null;
}

/** By a comparison: the instruction where it holds if its left side is kept, and if its right side is. */
const extremes: Readonly<Record<string, readonly [string, string]>> = {
  '>(double,double)': ['f64x2.pmax', 'f64x2.pmin'],
  '<(double,double)': ['f64x2.pmin', 'f64x2.pmax'],
  '>(int,int)': ['i32x4.max_s', 'i32x4.min_s'],
  '>=(int,int)': ['i32x4.max_s', 'i32x4.min_s'],
  '<(int,int)': ['i32x4.min_s', 'i32x4.max_s'],
  '<=(int,int)': ['i32x4.min_s', 'i32x4.max_s'],
};

/**
 * A choice between doubles by a comparison of doubles, in a lane: engines make a branch of `select` for them, and wait for
 * twenty cycles where it is guessed wrong. Null for other choices.
 */
export function emitDoubleChoice(fb: FunctionBuilder, select: Select): ExpressionRef | null {
  const { condition, then, otherwise, type } = select;
  if (type.kind !== 'double' || !isDoubleComparison(condition)) return null;
  const m = fb.module;
  const [kept, other] = [then, otherwise].map((operand) => m.f64x2.splat(fb.expression(operand))) as Pair;
  const extreme = extremeOf([then, otherwise, condition]);
  if (extreme !== null) return m.f64x2.extract_lane(emitInstruction(m, extreme, [other, kept]), 0);
  const compared = condition.operands.map((operand) => m.f64x2.splat(fb.expression(operand)));
  const mask = emitInstruction(m, laneInstruction(condition.operator, type)!, compared);
  return m.f64x2.extract_lane(m.v128.bitselect(kept, other, mask), 0);
}

function emitPair(fb: FunctionBuilder, [first, second]: readonly [Expression, Expression]): ExpressionRef {
  const m = fb.module;
  if (first.kind === 'load' && second.kind === 'load' && first.storage === undefined)
    return emitPairOfLoads(fb, first, second);
  const group = first.type.kind === 'int' ? m.i64x2 : m.f64x2;
  return group.replace_lane(group.splat(fb.expression(first)), 1, fb.expression(second));
}

/** The bytes of both lanes, the second first. */
const swapped = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/** By operators that make one vector of lanes of two: the lanes, of which the second vector has 2 and 3. */
const shuffles: Readonly<Record<string, readonly number[]>> = {
  splice: bytesOfLanes(1, 2),
  'interleave-low': bytesOfLanes(0, 2),
  'interleave-high': bytesOfLanes(1, 3),
};

function bytesOfLanes(...lanes: readonly number[]): readonly number[] {
  return lanes.flatMap((lane) => Array.from({ length: 8 }, (_, byte) => 8 * lane + byte));
}

function emitSwap(fb: FunctionBuilder, value: ExpressionRef): ExpressionRef {
  return fb.reuse(value, v128, (read) => fb.module.i8x16.shuffle(read(), read(), swapped), v128);
}
