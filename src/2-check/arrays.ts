// Array literals, `new`, and elements.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import { arrayOf, formatType, intType, isNullable } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { invalid, isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { resolveType } from './declarations.ts';
import { checkAs, checkValue, convert } from './expressions.ts';
import { commonType } from './operators.ts';
import type { Expression } from './typed-tree.ts';

/** Elements take the type that is expected, otherwise the one that they have in common. */
export function checkArrayLiteral(fc: FunctionChecker, node: Syntax & { readonly kind: 'array-literal' }, expected: Type | null): Expression {
  const { span } = node;
  if (expected?.kind === 'invalid') {
    for (const element of node.elements) checkValue(fc, element);
    return invalid(span);
  }
  if (expected?.kind === 'array') {
    const elements = node.elements.map((element) => checkAs(fc, element, expected.element));
    return elements.some(isInvalid) ? invalid(span) : { kind: 'array-literal', elements, type: expected, span };
  }
  const values = node.elements.map((element) => checkValue(fc, element));
  if (values.some(isInvalid)) return invalid(span);
  const help = 'Say what it holds by putting it into a variable: int[] xs = [];';
  if (values.length === 0) return fc.fail('literalNeedsType', span, { literal: '[]' }, { help });
  let element: Type = values[0]!.type;
  for (const value of values) {
    const common = commonType(element, value.type);
    if (common === null) return fc.fail('elementsDiffer', value.span, { first: formatType(element), found: formatType(value.type) });
    element = common;
  }
  if (element.kind === 'null') return fc.fail('literalNeedsType', span, { literal: '[null]' }, { help });
  return { kind: 'array-literal', elements: values.map((value) => convert(fc, value, element)), type: arrayOf(element), span };
}

/** `new T[n][m]`: zeros or nulls, arrays in arrays. */
export function checkNewArray(fc: FunctionChecker, node: Syntax & { readonly kind: 'new-array' }): Expression {
  const element = resolveType(fc.checker, node.element);
  const lengths = node.lengths.map((length) => checkAs(fc, length, intType));
  if (element.kind === 'invalid' || lengths.some(isInvalid)) return invalid(node.span);
  const type = lengths.reduce((inner: Type) => arrayOf(inner), element);
  return { kind: 'new-array', lengths, type, span: node.span };
}

/** `a[i]` */
export function checkIndex(fc: FunctionChecker, node: Syntax & { readonly kind: 'index' }): Expression {
  const array = checkValue(fc, node.object);
  const element = elementTypeOf(fc, array, node);
  const index = checkAs(fc, node.index, intType);
  if (element === null || isInvalid(index)) return invalid(node.span);
  return { kind: 'get-element', array, index, checked: true, type: element, span: node.span };
}

/** The element type of what is indexed; null where that has none, which is reported. */
export function elementTypeOf(fc: FunctionChecker, array: Expression, node: Syntax & { readonly kind: 'index' }): Type | null {
  if (array.type.kind === 'array') return array.type.element;
  if (isInvalid(array)) return null;
  if (array.type.kind === 'string') {
    fc.report('stringIndex', node.span, {});
    return null;
  }
  const help = isNullable(array.type) && array.type.kind === 'struct' ? "A struct's fields are read with a point: p.x." : null;
  fc.report('notIndexable', node.object.span, { type: formatType(array.type) }, { help });
  return null;
}
