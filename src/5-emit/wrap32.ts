// Arithmetic in 32 bits for ints of which only the low 32 bits are used.

import type { Expression } from '../mir/mir.ts';
import { i32, wrap } from './binaryen.ts';
import type { ExpressionRef, WasmModule } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitShiftedProduct32 } from './multiplication.ts';
import { emitRotation32 } from './rotation.ts';

type Binary = (module: WasmModule, left: ExpressionRef, right: ExpressionRef) => ExpressionRef;

/** Operators of which the low 32 bits of the result depend only on the low 32 bits of the operands. */
const operators: Readonly<Record<string, Binary>> = {
  '+(int,int)': (m, a, b) => m.i32.add(a, b),
  '-(int,int)': (m, a, b) => m.i32.sub(a, b),
  '*(int,int)': (m, a, b) => m.i32.mul(a, b),
  '&(int,int)': (m, a, b) => m.i32.and(a, b),
  '|(int,int)': (m, a, b) => m.i32.or(a, b),
  '^(int,int)': (m, a, b) => m.i32.xor(a, b),
};

/** Shifts of which the same holds if the shifted operand has at most 32 bits and the count is below 32. */
const shifts: Readonly<Record<string, Binary>> = {
  '<<(int,int)': (m, a, b) => m.i32.shl(a, b),
  '>>>(int,int)': (m, a, b) => m.i32.shr_u(a, b),
};

/** Deeper nests are computed in 64 bits. */
const deepest = 32;

/** The low 32 bits of an int as an i32. */
export function emitLow32(fb: FunctionBuilder, node: Expression, depth = 0): ExpressionRef {
  const m = fb.module;
  if (node.kind === 'int') return m.i32.const(Number(BigInt.asIntN(32, node.value)));
  if (node.kind === 'sequence')
    return m.block(null, [...fb.statements(node.statements), emitLow32(fb, node.value, depth + 1)], i32);
  if (node.kind === 'wrap32') return emitLow32(fb, node.operand, depth + 1);
  if (node.kind === 'operate' && depth <= deepest) {
    if (node.operator === '~(int)') return m.i32.xor(emitLow32(fb, node.operands[0]!, depth + 1), m.i32.const(-1));
    const product = emitShiftedProduct32(fb, node, (operand) => emitLow32(fb, operand, depth + 1));
    if (product !== null) return product;
    const rotation = emitRotation32(fb, node, (operand) => emitLow32(fb, operand, depth + 1));
    if (rotation !== null) return rotation;
    const [left, right] = node.operands;
    const write = operators[node.operator] ?? (node.isShift32 === true ? shifts[node.operator] : undefined);
    if (write !== undefined) return write(m, emitLow32(fb, left!, depth + 1), emitLow32(fb, right!, depth + 1));
  }
  return wrap(m, fb.expression(node));
}
