// The one gate for expressions: every node of Mir becomes an instruction here or in the file
// of its topic.

import type { Expression } from '../mir/mir.ts';
import { operatorById } from '../language/operators.ts';
import { i32 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitArrayLiteral, emitGetElement, emitNewArray } from './arrays.ts';
import { emitCall, emitImplementation, emitLibraryCall } from './calls.ts';
import { emitNonNull } from './errors.ts';
import { emitWord } from './wrap32.ts';
import { emitGetGlobal } from './globals.ts';
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
import { emitBuiltLength, emitGetLocal } from './string-builder.ts';
import { isCheapChoice, isQuietCondition } from './if-conversion.ts';
import { emitStringConstant } from './strings.ts';
import { emitGetField, emitStructLiteral } from './structs.ts';
import { emitConcat, emitToText } from './templates.ts';

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
      return m.ref.null(fb.wasmType(node.type));
    case 'get-local':
      return emitGetLocal(fb, node);
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
    // Just what engines compare themselves, so that they leave out the check of an access with this index behind it.
    case 'in-bounds':
      return m.i32.lt_u(m.i32.wrap(fb.expression(node.index)), m.array.len(fb.expression(node.elements)));
    case 'wrap32':
      return m.i64.extend_u(emitWord(fb, node.operand));
    case 'operate':
      return emitOperation(fb, node);
    case 'logical':
      return emitLogical(fb, node);
    case 'check-null':
      return emitNonNull(fb, node.operand, () => node.use, node.span);
    case 'conditional':
      return emitConditional(fb, node);
    case 'widen':
      return m.f64.convert_s.i64(fb.expression(node.operand));
    case 'is-null':
      return m.ref.is_null(fb.expression(node.operand));
    case 'same-object':
      return m.ref.eq(fb.expression(node.left), fb.expression(node.right));
    case 'call':
      return emitCall(fb, node);
    case 'library-call':
      return emitBuiltLength(fb, node) ?? emitLibraryCall(fb, node);
    case 'array-literal':
      return emitArrayLiteral(fb, node);
    case 'struct-literal':
      return emitStructLiteral(fb, node);
    case 'new-array':
      return emitNewArray(fb, node);
    case 'to-text':
      return emitToText(fb, node);
    case 'concat':
      return emitConcat(fb, node);
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

function emitOperation(fb: FunctionBuilder, node: Operation): ExpressionRef {
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

/** `if` with a value; the null of either branch takes the type of the whole. */
function emitConditional(fb: FunctionBuilder, node: Expression & { readonly kind: 'conditional' }): ExpressionRef {
  const m = fb.module;
  const condition = fb.expression(node.condition);
  const then = fb.expression(node.then);
  const otherwise = fb.expression(node.otherwise);
  // Which of two cheap numbers it will be is often hard to foresee, and working out both takes no longer than one wrong
  // guess.
  if (!isCheapChoice(node)) return m.if(condition, then, otherwise);
  if (isQuietCondition(node)) return m.select(condition, then, otherwise);
  // A select works its condition out last, and this one may set what the values read.
  const outcome = fb.newLocal(i32);
  return m.block(
    null,
    [m.local.set(outcome, condition), m.select(m.local.get(outcome, i32), then, otherwise)],
    fb.wasmType(node.type),
  );
}
