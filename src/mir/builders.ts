// Small nodes of Mir, for what the optimiser adds.

import type { Expression, LocalId, TextPiece } from './mir.ts';
import { operandsOfLogical } from './children.ts';
import { booleanType, intType, isOnStack } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';

export function int(value: bigint, span: Span): Expression {
  return { kind: 'int', value, type: intType, span };
}

/** 0, 0.0 or false. */
export function zeroOf(type: Type, span: Span): Expression {
  if (type.kind === 'int') return int(0n, span);
  const isDouble = type.kind === 'double';
  return isDouble ? { kind: 'double', value: 0, type, span } : { kind: 'boolean', value: false, type, span };
}

export function getLocal(local: LocalId, type: Type, span: Span): Expression {
  return { kind: 'get-local', local, type, span };
}

/** A path as it may be read in front of the tests that have found out that something in it is not null. */
export function asNullable(path: Expression): Expression {
  if (path.kind === 'get-local') return getLocal(path.local, path.type, path.span);
  return path.kind === 'get-field' ? { ...path, object: asNullable(path.object) } : path;
}

export function arithmetic(symbol: '+' | '-' | '*', left: Expression, right: Expression): Expression {
  if (left.kind === 'int' && right.kind === 'int')
    return int(BigInt.asIntN(64, compute(symbol, left.value, right.value)), left.span);
  if (right.kind === 'int' && (symbol === '*' ? right.value === 1n : right.value === 0n)) return left;
  return { kind: 'operate', operator: `${symbol}(int,int)`, operands: [left, right], type: intType, span: left.span };
}

export function comparison(symbol: '<' | '==', left: Expression, right: Expression): Expression {
  const { span } = left;
  return { kind: 'operate', operator: `${symbol}(int,int)`, operands: [left, right], type: booleanType, span };
}

function compute(symbol: '+' | '-' | '*', left: bigint, right: bigint): bigint {
  if (symbol === '+') return left + right;
  return symbol === '-' ? left - right : left * right;
}

/** The lesser or the greater of two ints. */
export function chosenOf(name: 'int.min' | 'int.max', left: Expression, right: Expression): Expression {
  const { span } = left;
  return { kind: 'library-call', function: name, typeArgument: null, arguments: [left, right], type: intType, span };
}

export function not(operand: Expression): Expression {
  return { kind: 'operate', operator: '!(boolean)', operands: [operand], type: booleanType, span: operand.span };
}

/** Whether two objects, or the elements of two arrays, are different ones: one on the stack is none of the heap. */
export function areDifferent(left: Expression, right: Expression, span: Span): Expression {
  if (isOnStack(left.type) !== isOnStack(right.type)) return { kind: 'boolean', value: true, type: booleanType, span };
  return not({ kind: 'same-object', left, right, type: booleanType, span });
}

/** Whether `0 <= index < length`. */
export function inRange(index: Expression, length: Expression): Expression {
  return { kind: 'in-range', index, length, type: booleanType, span: index.span };
}

/** Whether raw elements have this index, which must lie from -2^31 up to below 2^32. */
export function inBounds(index: Expression, elements: Expression): Expression {
  return { kind: 'in-bounds', index, elements, type: booleanType, span: index.span };
}

/**
 * One operand of a sum of texts as a piece of a builder: a number, a single code unit or a short constant is appended
 * without becoming a string first.
 */
export function textPiece(part: Expression): TextPiece {
  if (part.kind === 'to-text' && (part.operand.type.kind === 'int' || part.operand.type.kind === 'double'))
    return { append: part.operand.type.kind, value: part.operand };
  if (part.kind === 'string' && part.value.length === 1 && !isSurrogate(part.value))
    return { append: 'code-unit', value: int(BigInt(part.value.charCodeAt(0)), part.span) };
  if (part.kind === 'character') return { append: 'character', value: part.operand };
  const text = part.kind === 'check-null' ? part.operand : part;
  return isShortText(text) ? { append: 'short-text', value: text } : { append: 'text', value: part };
}

/** As many code units of one byte fit into an int, together with their number. */
const longestShortText = 7;

/** Whether a text is one of some constants that a builder takes as an int each. */
export function isShortText(text: Expression): boolean {
  if (text.kind === 'string') return text.value.length <= longestShortText && !/[^\0-\xff]/u.test(text.value);
  return (text.kind === 'conditional' || text.kind === 'select') && [text.then, text.otherwise].every(isShortText);
}

function isSurrogate(codeUnit: string): boolean {
  return codeUnit >= '\uD800' && codeUnit <= '\uDFFF';
}

/** Whether all are true, tested from left to right. */
export function all(conditions: readonly [Expression, ...(readonly Expression[])]): Expression {
  const [first, ...others] = conditions;
  return others.length === 0
    ? first
    : {
        kind: 'logical',
        operator: '&&',
        operands: operandsOfLogical('&&', conditions),
        type: booleanType,
        span: first.span,
      };
}

/** Whether one of them is true, tested from left to right. */
export function either(...operands: readonly [Expression, Expression]): Expression {
  return {
    kind: 'logical',
    operator: '||',
    operands: operandsOfLogical('||', operands),
    type: booleanType,
    span: operands[0].span,
  };
}

/** Each test once, wherever it was written. */
export function withoutRepeats(tests: readonly Expression[]): readonly Expression[] {
  const keys = new Set<string>();
  return tests.filter((test) => {
    const key = formOf(test);
    const isNew = !keys.has(key);
    keys.add(key);
    return isNew;
  });
}

/** Whether two expressions are the same but for where they are written. */
export function haveSameForm(one: Expression, other: Expression): boolean {
  return one.kind === other.kind && formOf(one) === formOf(other);
}

function formOf(node: Expression): string {
  return JSON.stringify(node, (name, value: unknown) =>
    // JSON has neither bigints nor -0, infinities and NaN.
    name === 'span' ? undefined : Object.is(value, -0) ? '-0' : isNumeral(value) ? String(value) : value,
  );
}

function isNumeral(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
