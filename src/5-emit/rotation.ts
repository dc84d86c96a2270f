// Rotations: scripts write two shifts and `|`, which some engines see to be one instruction, and others do not.
//
//   (x << 13) | (x >>> 51)      (i64.rotl (local.get $x) (i64.const 13))
//
// The same holds for `^` and `+`, as no bit comes out of both shifts. Does not apply to counts that are no constants, nor
// to what is no variable.
// Source: Warren, "Hacker's Delight", section 2-15.

import type { Expression } from '../mir/mir.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';

type Operation = Expression & { readonly kind: 'operate' };

/** A variable, and how far its bits go round to the left. */
interface Rotation {
  readonly value: Expression;
  readonly count: number;
}

const joining: ReadonlySet<string> = new Set(['|(int,int)', '^(int,int)', '+(int,int)']);

/** The rotation that an operation is, in so many bits; null if it is none. */
function rotationOf(node: Operation, width: 32 | 64): Rotation | null {
  if (!joining.has(node.operator)) return null;
  const [left, right] = node.operands.map((operand) => shiftOf(operand, width)) as [Shift | null, Shift | null];
  if (left === null || right === null || left.isLeft === right.isLeft || left.count + right.count !== width)
    return null;
  if (left.value.local !== right.value.local) return null;
  return { value: left.value, count: left.isLeft ? left.count : right.count };
}

interface Shift {
  readonly isLeft: boolean;
  readonly value: Expression & { readonly kind: 'get-local' };
  readonly count: number;
}

/** A variable that is shifted by a constant, in so many bits. */
function shiftOf(node: Expression, width: 32 | 64): Shift | null {
  if (node.kind !== 'operate' || (node.isShift32 === true) !== (width === 32)) return null;
  const isLeft = node.operator === '<<(int,int)';
  if (!isLeft && node.operator !== '>>>(int,int)') return null;
  const [value, count] = node.operands.map(withoutWrap) as [Expression, Expression];
  if (value.kind !== 'get-local' || count.kind !== 'int' || count.value < 1n || count.value >= BigInt(width))
    return null;
  return { isLeft, value, count: Number(count.value) };
}

/** Within a shift of 32 bits, only the low ones of either operand are meant. */
function withoutWrap(node: Expression): Expression {
  return node.kind === 'wrap32' ? node.operand : node;
}

/** The operation as a rotation of 64 bits; null if it is none. */
export function emitRotation(fb: FunctionBuilder, node: Operation): ExpressionRef | null {
  const rotation = rotationOf(node, 64);
  if (rotation === null) return null;
  const m = fb.module;
  return m.i64.rotl(fb.expression(rotation.value), m.i64.const(BigInt(rotation.count)));
}

/** The same of 32 bits; `low` gives those of the variable. */
export function emitRotation32(
  fb: FunctionBuilder,
  node: Operation,
  low: (operand: Expression) => ExpressionRef,
): ExpressionRef | null {
  const rotation = rotationOf(node, 32);
  if (rotation === null) return null;
  const m = fb.module;
  return m.i32.rotl(low(rotation.value), m.i32.const(rotation.count));
}
