// Dispatch on the kind of an expression: every node of Mir becomes an instruction, here or in the file of its topic.

import type { Expression } from '../mir/mir.ts';
import { operatorById } from '../language/operators.ts';
import { isOnStack } from '../language/types.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitArrayLiteral, emitGetElement, emitInBounds, emitNewArray } from './arrays.ts';
import { emitCall, emitImplementation, emitLibraryCall } from './calls.ts';
import { emitIsNull, emitNonNull } from './errors.ts';
import { emitLow32 } from './wrap32.ts';
import { emitGetGlobal } from './globals.ts';
import { emitOutOfFuel } from './fuel.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitGetHoisted } from './hoisted-arrays.ts';
import {
  emitCast,
  emitGetItem,
  emitGetMember,
  emitItemCount,
  emitJsonArray,
  emitJsonObject,
  emitToJson,
} from './json.ts';
import { emitBuildText, emitBuiltLength, emitBuiltText } from './string-builder.ts';
import { emitDistinctRows, emitRowLength } from './row-checks.ts';
import { emitLoad, emitReserveScratch } from './scratch.ts';
import { emitShiftedProduct } from './multiplication.ts';
import { emitRotation } from './rotation.ts';
import { emitStringConstant } from './strings.ts';
import { emitGetField, emitStructLiteral } from './structs.ts';
import { emitConcat, emitToText } from './templates.ts';
import { emitDoubleChoice, emitExtractLane, emitLaneWise, emitSplat } from './vectors.ts';

export function emitExpression(fb: FunctionBuilder, node: Expression): ExpressionRef {
  const m = fb.module;
  switch (node.kind) {
    case 'int':
      return m.i64.const(node.value);
    case 'double':
      return m.f64.const(node.value);
    case 'boolean':
      return m.i32.const(node.value ? 1 : 0);
    case 'string':
      return emitStringConstant(fb.emitter, node.value);
    case 'null':
      return fb.emitter.zero(fb.wasmType(node.type));
    case 'get-local':
      return fb.getLocal(node.local);
    case 'get-global':
      return emitGetGlobal(fb, node.global);
    case 'get-field':
      return emitGetField(fb, node);
    case 'get-element':
      return emitGetElement(fb, node);
    case 'get-hoisted':
      return emitGetHoisted(fb, node);
    case 'in-range':
      return m.i64.lt_u(fb.expression(node.index), fb.expression(node.length));
    case 'in-bounds':
      return emitInBounds(fb, node.index, node.elements);
    case 'out-of-fuel':
      return emitOutOfFuel(fb);
    case 'wrap32':
      return m.i64.extend_u(emitLow32(fb, node.operand));
    case 'operate':
      return emitOperation(fb, node);
    case 'logical':
      return emitLogical(fb, node);
    case 'check-null':
      return emitNonNull(fb, node.operand, () => node.use, node.span);
    case 'conditional': {
      const { condition, then, otherwise } = withoutZeroTest(node);
      if (node.isForeseen === true) fb.keepsBranches = true;
      return m.if(fb.expression(condition), fb.expression(then), fb.expression(otherwise));
    }
    case 'select': {
      const inLane = emitDoubleChoice(fb, node);
      if (inLane !== null) return inLane;
      const { condition, ...choice } = withoutZeroTest(node);
      const [then, otherwise] = [fb.expression(choice.then), fb.expression(choice.otherwise)];
      return m.select(fb.expression(condition), then, otherwise);
    }
    case 'load':
      return emitLoad(fb, node);
    case 'reserve-scratch':
      return emitReserveScratch(fb, node.bytes);
    case 'row-length':
      return emitRowLength(fb, node);
    case 'distinct-rows':
      return emitDistinctRows(fb, node);
    case 'splat':
      return emitSplat(fb, node);
    case 'extract-lane':
      return emitExtractLane(fb, node);
    case 'lane-wise':
      return emitLaneWise(fb, node);
    case 'widen':
      return m.f64.convert_s.i64(fb.expression(node.operand));
    case 'is-null':
      return emitIsNull(fb, fb.expression(node.operand), node.operand.type);
    case 'same-object':
      return (isOnStack(fb.resolve(node.left.type)) ? m.i32 : m.ref).eq(
        fb.expression(node.left),
        fb.expression(node.right),
      );
    case 'call':
      return emitCall(fb, node);
    case 'library-call':
      return emitLibraryCall(fb, node);
    case 'array-literal':
      return emitArrayLiteral(fb, node);
    case 'struct-literal':
      return emitStructLiteral(fb, node);
    case 'new-array':
      return emitNewArray(fb, node);
    case 'character':
      return fb.call(fb.emitter.requestPrelude('characterOf'), [fb.expression(node.operand)], node.span);
    case 'to-text':
      return emitToText(fb, node);
    case 'concat':
      return emitConcat(fb, node);
    case 'build-text':
      return emitBuildText(fb, node);
    case 'built-text':
      return emitBuiltText(fb, node);
    case 'built-length':
      return emitBuiltLength(fb, node);
    case 'to-json':
      return emitToJson(fb, node);
    case 'json-object':
      return emitJsonObject(fb, node);
    case 'json-array':
      return emitJsonArray(fb, node);
    case 'get-member':
      return emitGetMember(fb, node);
    case 'get-item':
      return emitGetItem(fb, node);
    case 'item-count':
      return emitItemCount(fb, node);
    case 'cast':
      return emitCast(fb, node);
    case 'sequence': {
      const statements = fb.statements(node.statements);
      return m.block(null, [...statements, fb.expression(node.value)], fb.wasmType(node.type));
    }
  }
}

type Operation = Expression & { readonly kind: 'operate' };
type Logical = Expression & { readonly kind: 'logical' };

interface Choice {
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

/**
 * `x == 0 ? a : b` is `x != 0 ? b : a`: an `i64.eqz` is no comparison to Firefox's compiler, which then makes a boolean
 * first and tests that for a `select`; the loop of Collatz's sequences takes 1.8 times as long.
 */
function withoutZeroTest({ condition, then, otherwise }: Choice): Choice {
  const isZeroTest =
    condition.kind === 'operate' && condition.operator === '==(int,int)' && condition.operands.some(isZero);
  return isZeroTest
    ? { condition: { ...condition, operator: '!=(int,int)' }, then: otherwise, otherwise: then }
    : { condition, then, otherwise };
}

function isZero(value: Expression): boolean {
  return value.kind === 'int' && value.value === 0n;
}

function emitOperation(fb: FunctionBuilder, node: Operation): ExpressionRef {
  const cheaper = emitShiftedProduct(fb, node) ?? emitRotation(fb, node);
  if (cheaper !== null) return cheaper;
  const operands = node.operands.map((operand) => fb.expression(operand));
  return emitImplementation(fb, operatorById(node.operator).implementation, operands, node, null);
}

/** `(if (if a b 0) c 0)` */
function emitLogical(fb: FunctionBuilder, { operator, operands }: Logical): ExpressionRef {
  const m = fb.module;
  return operands
    .map((operand) => fb.expression(operand))
    .reduce((left, right) =>
      operator === '&&' ? m.if(left, right, m.i32.const(0)) : m.if(left, m.i32.const(1), right),
    );
}
