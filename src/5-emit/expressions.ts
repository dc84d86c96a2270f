// The one gate for expressions: every node of the typed tree becomes an instruction here or in the file
// of its topic.

import type { Expression } from '../2-check/typed-tree.ts';
import { operatorById } from '../language/operators.ts';
import type { Operator } from '../language/operators.ts';
import { i32 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitArrayLiteral, emitGetElement, emitNewArray } from './arrays.ts';
import { emitCall, emitImplementation, emitLibraryCall } from './calls.ts';
import { emitNonNull } from './errors.ts';
import { emitWord } from './wrap32.ts';
import { emitGetGlobal } from './globals.ts';
import { longestRow } from './function-builder.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitGetHeld } from './hoisted-arrays.ts';
import {
  emitCast,
  emitGetItem,
  emitGetMember,
  emitItemCount,
  emitJsonArray,
  emitJsonObject,
  emitToJson,
} from './json.ts';
import { emitBuiltLength, emitGetLocal, emitLongChain } from './string-builder.ts';
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
    case 'get-held':
      return emitGetHeld(fb, node);
    case 'fits':
      return m.i64.lt_u(fb.expression(node.index), fb.expression(node.length));
    // Just what engines compare themselves, so that they leave out the check of an access with this index behind it.
    case 'within':
      return m.i32.lt_u(m.i32.wrap(fb.expression(node.index)), m.array.len(fb.expression(node.elements)));
    case 'low-word':
      return m.i64.extend_u(emitWord(fb, node.operand));
    case 'operate':
    case 'logical':
      return emitLongChain(fb, node) ?? emitOperation(fb, node);
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
    case 'invalid':
      throw new Error('a faulty program reached the emitter');
  }
}

type Operation = Expression & { readonly kind: 'operate' | 'logical' };

/**
 * A sum of many terms nests to the left as deep as it is long, so the left spine is walked in a loop, and
 * the value so far goes into a local now and then: nothing behind this room has to recurse that deep.
 */
function emitOperation(fb: FunctionBuilder, node: Operation): ExpressionRef {
  const m = fb.module;
  const spine: Operation[] = [];
  let first: Expression = node;
  while (isOperation(first)) {
    spine.push(first);
    first = first.kind === 'operate' ? first.operands[0]! : first.left;
  }
  const setup: ExpressionRef[] = [];
  const last = spine.at(-1)!;
  let value = last.kind === 'operate' ? emitOperand(fb, operatorById(last.operator), first) : fb.expression(first);
  spine.reverse().forEach((part, index) => {
    value = emitOnto(fb, part, value);
    if (index % longestRow !== longestRow - 1) return;
    const type = fb.wasmType(part.type);
    const local = fb.newLocal(type);
    setup.push(m.local.set(local, value));
    value = m.local.get(local, type);
  });
  return setup.length === 0 ? value : m.block(null, [...setup, value], fb.wasmType(node.type));
}

function isOperation(node: Expression): node is Operation {
  return node.kind === 'logical' || node.kind === 'operate';
}

/** An operation whose first operand is emitted already. */
function emitOnto(fb: FunctionBuilder, node: Operation, left: ExpressionRef): ExpressionRef {
  const m = fb.module;
  if (node.kind === 'logical') {
    const right = fb.expression(node.right);
    return node.operator === '&&' ? m.if(left, right, m.i32.const(0)) : m.if(left, m.i32.const(1), right);
  }
  const operator = operatorById(node.operator);
  const rest = node.operands.slice(1).map((operand) => emitOperand(fb, operator, operand));
  return emitImplementation(fb, operator.implementation, [left, ...rest], node, null);
}

/** Texts that are joined or ordered must not be null; `==` and `!=` take null. */
function emitOperand(fb: FunctionBuilder, operator: Operator, operand: Expression): ExpressionRef {
  const takesNull = operator.operands[0]!.kind !== 'string' || operator.symbol === '==' || operator.symbol === '!=';
  return takesNull
    ? fb.expression(operand)
    : emitNonNull(fb, operand, () => `an operand of '${operator.symbol}'`, operand.span);
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
