// Array literals, `new`, and elements.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import { possibleFix, sureFix } from '../diagnostics/fixes.ts';
import { arrayOf, formatApart, formatType, intType, isNullable, isNumeric, sameType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { invalid, isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { resolveType } from './declarations.ts';
import { checkAs, checkValue, commonType, convert, converts } from './conversions.ts';
import { checkSelector, readJson } from './json.ts';
import type { Expression } from './typed-tree.ts';

/** Elements take the type that is expected, otherwise the one that they have in common. */
export function checkArrayLiteral(
  fc: FunctionChecker,
  node: Syntax & { readonly kind: 'array-literal' },
  expected: Type | null,
): Expression {
  const { span } = node;
  if (expected?.kind === 'invalid') {
    for (const element of node.elements) checkValue(fc, element, expected);
    return invalid(span);
  }
  if (expected?.kind === 'array') {
    const values = node.elements.map((element) => checkValue(fc, element, expected.element));
    if (reportMixed(fc, values, expected)) return invalid(span);
    // One element that does not fit says enough about the others.
    let isFine = true;
    const elements = values.map((value) => {
      const checked = isFine ? convert(fc, value, expected.element) : value;
      isFine &&= !isInvalid(checked);
      return checked;
    });
    return elements.some(isInvalid) ? invalid(span) : { kind: 'array-literal', elements, type: expected, span };
  }
  return checkByElements(fc, node);
}

/** Reports elements of several types that do not fit, or one beside others that do, unless it is nearly one of them. */
function reportMixed(
  fc: FunctionChecker,
  values: readonly Expression[],
  expected: Type & { readonly kind: 'array' },
): boolean {
  const { element } = expected;
  if (element.kind === 'invalid' || values.some(isInvalid)) return false;
  const [first, ...others] = values.filter(({ type }) => !converts(type, element) && type.kind !== 'null');
  if (first === undefined) return false;
  const hasSeveral = others.some(({ type }) => !sameType(type, first.type));
  const isWord = first.kind === 'string' && isNumeric(element) && !/\d/.test(first.value);
  if (!hasSeveral && !(isWord && others.length + 1 < values.length)) return false;
  fc.report(
    'typeMismatch',
    first.span,
    { expected: formatApart(element, first.type), found: formatApart(first.type, element) },
    {
      help:
        `All elements of ${formatType(expected)} are of type ${formatType(element)}; ` +
        'values of several types make a json: json j = [1, "two"];',
      labels: others.slice(0, mostLabels).map(({ span, type }) => ({ span, text: formatType(type) })),
    },
  );
  return true;
}

/** Further elements that are shown beside the first. */
const mostLabels = 5;

/** Nothing is expected: the elements tell the type, and empty arrays among them take it from the others. */
function checkByElements(fc: FunctionChecker, node: Syntax & { readonly kind: 'array-literal' }): Expression {
  const { span } = node;
  const isEmpty = (element: Syntax): boolean => element.kind === 'array-literal' && element.elements.length === 0;
  const telling = node.elements.filter((element) => !isEmpty(element)).map((element) => checkValue(fc, element));
  if (telling.some(isInvalid)) return invalid(span);
  const known = telling[0]?.type ?? null;
  const values = node.elements.map((element) => (isEmpty(element) ? checkValue(fc, element, known) : telling.shift()!));
  if (values.some(isInvalid)) return invalid(span);
  const help = 'Say what it holds by putting it into a variable: int[] xs = [];';
  if (values.length === 0) return fc.fail('literalNeedsType', span, { literal: '[]' }, { help });
  let element: Type = values[0]!.type;
  for (const value of values) {
    const common = commonType(element, value.type);
    if (common === null) {
      const [first, found] = [formatApart(element, value.type), formatApart(value.type, element)];
      return fc.fail(
        'elementsDiffer',
        value.span,
        { first, found },
        { labels: [{ span: values[0]!.span, text: formatType(values[0]!.type) }] },
      );
    }
    element = common;
  }
  if (element.kind === 'null') return fc.fail('literalNeedsType', span, { literal: '[null]' }, { help });
  return {
    kind: 'array-literal',
    elements: values.map((value) => convert(fc, value, element)),
    type: arrayOf(element),
    span,
  };
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
  if (array.type.kind === 'json') {
    const selector = checkSelector(fc, node);
    return selector === null ? invalid(node.span) : readJson(array, selector, node.span);
  }
  const element = elementTypeOf(fc, array, node);
  if (element === null) {
    checkValue(fc, node.index);
    return invalid(node.span);
  }
  const index = checkAs(fc, node.index, intType);
  if (isInvalid(index)) return invalid(node.span);
  warnOfNegative(fc, node, index);
  return { kind: 'get-element', array, index, checked: true, type: element, span: node.span };
}

/** `xs[-1]`, which other languages count from the end. */
export function warnOfNegative(
  fc: FunctionChecker,
  { object }: Syntax & { readonly kind: 'index' },
  index: Expression,
): void {
  if (index.kind !== 'int' || index.value >= 0n) return;
  const { file, start, end } = object.span;
  const name = file.text.slice(start, end);
  const meant = `${name}.length() - ${-index.value}`;
  fc.checker.warn(
    'negativeIndex',
    index.span,
    { index: String(index.value) },
    /^[A-Za-z_][\w.]*$/.test(name) ? { fix: possibleFix('count from the end', index.span, meant) } : {},
  );
}

/** The element type of what is indexed; null where that has none, which is reported. */
export function elementTypeOf(
  fc: FunctionChecker,
  array: Expression,
  node: Syntax & { readonly kind: 'index' },
  isAssigned = false,
): Type | null {
  if (array.type.kind === 'array') return array.type.element;
  if (isInvalid(array)) return null;
  if (array.type.kind === 'string') {
    const { file, start, end } = node.index.span;
    const fix = sureFix(
      'read the character',
      { ...node.span, start: node.object.span.end },
      `.charAt(${file.text.slice(start, end)})`,
    );
    fc.report(
      'stringIndex',
      node.span,
      {},
      isAssigned ? { help: 'A string never changes: put a new one together from its parts.' } : { fix },
    );
    return null;
  }
  const help =
    isNullable(array.type) && array.type.kind === 'struct' ? "A struct's fields are read with a point: p.x." : null;
  fc.report('notIndexable', node.object.span, { type: formatType(array.type) }, { help });
  return null;
}
