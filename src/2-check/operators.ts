// Operators: which there are for which types, and the tests for null and for the same object.

import type { BinaryExpression, Expression as Syntax } from '../1-parse/syntax-tree.ts';
import { findOperator } from '../language/operators.ts';
import { booleanType, doubleType, formatType, isNullable, isNumeric, sameType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { spanFrom } from '../source.ts';
import { callFix, widen } from './conversions.ts';
import type { FunctionChecker } from './function-checker.ts';
import { checkNegativeNumber } from './literals.ts';
import { booleanConstant, invalid, isConstant, negation, operate } from './nodes.ts';
import type { Expression } from './typed-tree.ts';

/** Operators are left-associative, so a long chain is deep on its left: it is walked down and up again, not recursed into. */
export function checkBinary(fc: FunctionChecker, node: BinaryExpression): Expression {
  const chain: BinaryExpression[] = [];
  let first: Syntax = node;
  while (first.kind === 'binary') {
    chain.push(first);
    first = first.left;
  }
  let value = fc.checkExpression(first, null);
  for (let link = chain.pop(); link !== undefined; link = chain.pop()) {
    const isComparison = link.operator === '==' || link.operator === '!=';
    const right = fc.checkExpression(link.right, isComparison && isNullable(value.type) ? value.type : null);
    value = combine(fc, link.operator, value, right, link.operatorSpan, link.span);
  }
  return value;
}

/** `left operator right`, for types that the operator takes; one int of the two may widen. */
export function combine(fc: FunctionChecker, symbol: string, left: Expression, right: Expression, operatorSpan: Span, span: Span): Expression {
  if (left.type.kind === 'invalid' || right.type.kind === 'invalid') return invalid(span);
  const value =
    symbol === '&&' || symbol === '||' ? combineLogically(symbol, left, right, span)
    : symbol === '==' || symbol === '!=' ? compare(fc, symbol, left, right, span)
    : combineExactly(fc, symbol, left, right, span);
  return value ?? reportOperator(fc, symbol, [left, right], operatorSpan, span);
}

/** `&&` and `||` take booleans, and evaluate the right side only where it matters. */
function combineLogically(operator: '&&' | '||', left: Expression, right: Expression, span: Span): Expression | null {
  if (left.type.kind !== 'boolean' || right.type.kind !== 'boolean') return null;
  return { kind: 'logical', operator, left, right, type: booleanType, span };
}

/**
 * `==` compares values of the same type, numbers with one another, and null with what may be null. Strings
 * compare by content, structs and arrays are the same only if they are one object.
 */
function compare(fc: FunctionChecker, symbol: '==' | '!=', left: Expression, right: Expression, span: Span): Expression | null {
  const isNegative = symbol === '!=';
  const finish = (test: Expression): Expression => (isNegative ? negation(test, span) : test);
  if (left.type.kind === 'null' && right.type.kind === 'null') return booleanConstant(!isNegative, span);
  if (left.type.kind === 'null' || right.type.kind === 'null' || left.kind === 'null' || right.kind === 'null') {
    const operand = left.kind === 'null' ? right : left;
    if (!isNullable(operand.type)) return null;
    return finish({ kind: 'is-null', operand, type: booleanType, span });
  }
  if (left.type.kind === 'struct' || left.type.kind === 'array') {
    if (!sameType(left.type, right.type)) return null;
    return finish({ kind: 'same-object', left, right, type: booleanType, span });
  }
  return combineExactly(fc, symbol, left, right, span);
}

function combineExactly(fc: FunctionChecker, symbol: string, left: Expression, right: Expression, span: Span): Expression | null {
  const exact = findOperator(symbol, [left.type, right.type]);
  if (exact !== undefined) return operate(exact.id, [left, right], span);
  if (!isNumeric(left.type) || !isNumeric(right.type)) return null;
  const mixed = findOperator(symbol, [doubleType, doubleType]);
  return mixed === undefined ? null : operate(mixed.id, [asDouble(fc, left), asDouble(fc, right)], span);
}

function asDouble(fc: FunctionChecker, value: Expression): Expression {
  return value.type.kind === 'int' ? widen(fc, value) : value;
}

/** `-` takes numbers, `!` a boolean, `~` an int. */
export function checkUnary(fc: FunctionChecker, node: Syntax & { readonly kind: 'unary' }): Expression {
  const literal = node.operator === '-' ? checkNegativeNumber(fc, node.operand, node.span) : null;
  if (literal !== null) return literal;
  const operand = fc.checkExpression(node.operand, null);
  if (operand.type.kind === 'invalid') return invalid(node.span);
  const operator = findOperator(node.operator, [operand.type]);
  if (operator !== undefined) return operate(operator.id, [operand], node.span);
  const operatorSpan = { ...node.span, end: node.span.start + 1 };
  return reportOperator(fc, node.operator, [operand], operatorSpan, node.span);
}

/** Says which operands there are, and what to do about them. */
export function reportOperator(fc: FunctionChecker, operator: string, operands: readonly Expression[], operatorSpan: Span, span: Span): Expression {
  const types = operands.map((operand) => operand.type);
  const [left, right] = operands as readonly [Expression, Expression | undefined];
  const labels = operands
    .filter((operand) => !isConstant(operand))
    .map((operand) => ({ span: operand.span, text: formatType(operand.type) }));
  fc.report(
    'operatorUndefined',
    right === undefined ? operatorSpan : spanFrom(left.span, right.span),
    { operator, operands: types.map(formatType) },
    { labels: right === undefined ? [] : labels, help: adviseOperands(operator, types), ...textFix(operator, left, right) },
  );
  return invalid(span);
}

function textFix(operator: string, left: Expression, right: Expression | undefined): object {
  if (operator !== '+' || right === undefined) return {};
  const other = left.type.kind === 'string' ? right : right.type.kind === 'string' ? left : null;
  if (other === null || !(isNumeric(other.type) || other.type.kind === 'boolean')) return {};
  return { fix: callFix(other.span, 'toString()') };
}

function adviseOperands(operator: string, types: readonly Type[]): string | null {
  const has = (kind: Type['kind']): boolean => types.some((type) => type.kind === kind);
  const hasNumber = types.some(isNumeric);
  if (has('void')) return 'A call that returns nothing has no value to calculate with.';
  if (operator === '+' && has('string')) {
    if (has('null')) return 'A null is not text; a template shows it: `${x}`.';
    return hasNumber || has('boolean') ? 'Write .toString(), or a template: `text ${x}`.' : 'A template shows any value as text: `text ${x}`.';
  }
  if (operator === '==' || operator === '!=') {
    if (has('null')) return 'int, double and boolean are never null; compare with a value such as 0.';
    if (has('string') && hasNumber) return 'Compare as text with .toString(), or as numbers with .toInt(0).';
    return 'Only values of the same type are compared.';
  }
  if (operator === '&&' || operator === '||' || operator === '!') {
    if (hasNumber) return 'Only booleans are true or false: write x != 0.';
    return 'Only booleans are true or false: write x != null.';
  }
  if (has('boolean') && hasNumber) return 'A boolean is no number: write flag ? 1 : 0.';
  if (has('string') && hasNumber) return 'Read the number first: text.toInt(0) or text.toDouble(0.0).';
  if (types.some((type) => type.kind === 'double') && ['&', '|', '^', '~', '<<', '>>', '>>>'].includes(operator)) return 'Bits are those of an int: write x.toInt().';
  if (has('array') && operator === '+') return 'Arrays are joined by a.concat(b), and an element is added by a.push(x).';
  return null;
}
