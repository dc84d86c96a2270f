// Numbers, and what a type starts with.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import type { FunctionChecker } from './function-checker.ts';
import { booleanConstant, doubleConstant, intConstant, invalid } from './nodes.ts';
import type { Constant, Expression } from './typed-tree.ts';

const largestInt = (1n << 63n) - 1n;

/** An int literal is at most 9223372036854775807; one more is accepted behind a minus, which takes care of it. */
export function checkInt(fc: FunctionChecker, node: Syntax & { readonly kind: 'int-literal' }): Expression {
  if (node.value !== null && node.value <= largestInt) return intConstant(node.value, node.span);
  fc.report('intTooLarge', node.span, { text: node.text });
  return invalid(node.span);
}

/** A minus in front of a number belongs to the number; null where there is something else. */
export function checkNegativeNumber(fc: FunctionChecker, operand: Syntax, span: Span): Expression | null {
  if (operand.kind === 'int-literal' && operand.value !== null) return intConstant(-operand.value, span);
  if (operand.kind !== 'double-literal') return null;
  const value = checkDouble(fc, operand);
  return value.kind === 'double' ? doubleConstant(-value.value, span) : value;
}

/** A double literal stands for a finite number. */
export function checkDouble(fc: FunctionChecker, node: Syntax & { readonly kind: 'double-literal' }): Expression {
  if (Number.isFinite(node.value)) return doubleConstant(node.value, node.span);
  fc.report('doubleTooLarge', node.span, { text: node.text });
  return invalid(node.span);
}

/** 0, 0.0 or false; types that may be null have no default. */
export function defaultValue(type: Type, span: Span): Constant | null {
  switch (type.kind) {
    case 'int':
      return intConstant(0n, span);
    case 'double':
      return doubleConstant(0, span);
    case 'boolean':
      return booleanConstant(false, span);
    case 'string':
    case 'json':
    case 'void':
    case 'struct':
    case 'array':
    case 'null':
    case 'invalid':
    case 'variable':
    case 'units':
    case 'points':
      return null;
  }
}
