// json: literals, what else may stand where a json value is wanted, keys and elements, and casts with `as`.

import type { Expression as Syntax, ObjectLiteral } from '../1-parse/syntax-tree.ts';
import type { Label } from '../diagnostics/diagnostic.ts';
import { formatApart, formatType, jsonType, sameType, stringType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { invalid, isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { checkCondition, checkValue, commonType, convert, noteConversion, toJson } from './conversions.ts';
import { resolveType } from './declarations.ts';
import type { Expression } from './typed-tree.ts';

/** A value where any json value may stand: int, double, boolean, string, struct, array, null or json. */
export function checkJsonValue(fc: FunctionChecker, node: Syntax): Expression {
  const value = checkAnyValue(fc, node);
  if (value.type.kind === 'struct' || value.type.kind === 'array') noteConversion(fc, value, 'json');
  return asJsonValue(value);
}

/** The two values of `c ? a : b` are json values where they have no type in common. */
function checkAnyValue(fc: FunctionChecker, node: Syntax): Expression {
  return node.kind === 'conditional'
    ? fc.inside(node.span, () => checkEither(fc, node))
    : checkValue(fc, node, jsonType);
}

function checkEither(fc: FunctionChecker, node: Syntax & { readonly kind: 'conditional' }): Expression {
  const { span } = node;
  const condition = checkCondition(fc, node.condition);
  const values = [checkAnyValue(fc, node.then), checkAnyValue(fc, node.otherwise)] as const;
  if (values.some(isInvalid)) return invalid(span);
  const type = commonType(values[0].type, values[1].type);
  const [then, otherwise] =
    type === null
      ? [asJsonValue(values[0]), asJsonValue(values[1])]
      : [convert(fc, values[0], type), convert(fc, values[1], type)];
  return { kind: 'conditional', condition, then, otherwise, type: type ?? jsonType, span };
}

/** A checked value as json; it must have a type that json has. */
export function asJsonValue(value: Expression): Expression {
  if (isInvalid(value) || value.type.kind === 'json') return value;
  return value.type.kind === 'null' ? { kind: 'null', type: jsonType, span: value.span } : toJson(value);
}

/** `{ key: value, … }` where json is expected; keys are names or texts, each once. */
export function checkJsonObject(fc: FunctionChecker, node: ObjectLiteral): Expression {
  const seen = new Map<string, Span>();
  const members = node.entries.map(({ key, value }) => {
    const first = seen.get(key.text);
    if (first !== undefined)
      fc.report('duplicateKey', key.span, { key: key.text }, { labels: [{ span: first, text: 'first written here' }] });
    seen.set(key.text, key.span);
    return { key: key.text, value: checkJsonValue(fc, value), isFine: first === undefined };
  });
  if (members.some(({ value, isFine }) => !isFine || isInvalid(value))) return invalid(node.span);
  return {
    kind: 'json-object',
    members: members.map(({ key, value }) => ({ key, value })),
    type: jsonType,
    span: node.span,
  };
}

/** `[ value, … ]` where json is expected. */
export function checkJsonArray(fc: FunctionChecker, node: Syntax & { readonly kind: 'array-literal' }): Expression {
  const elements = node.elements.map((element) => checkJsonValue(fc, element));
  return elements.some(isInvalid)
    ? invalid(node.span)
    : { kind: 'json-array', elements, type: jsonType, span: node.span };
}

/** The key of `j["k"]` or the position of `j[i]`; null for anything else, which is reported. */
export function checkSelector(fc: FunctionChecker, node: Syntax & { readonly kind: 'index' }): Expression | null {
  const selector = checkValue(fc, node.index);
  if (isInvalid(selector)) return null;
  if (selector.type.kind === 'int' || selector.type.kind === 'string') return selector;
  fc.report(
    'jsonSelector',
    node.index.span,
    { found: formatType(selector.type) },
    selector.type.kind === 'json'
      ? { help: 'A json may hold anything: check it with as string or as int, as in j[k as string].' }
      : {},
  );
  return null;
}

/** `j[i]`, `j["k"]` and `j.k`: an element or the value of a key. */
export function readJson(json: Expression, selector: Expression, span: Span): Expression {
  return selector.type.kind === 'int'
    ? { kind: 'get-item', json, index: selector, type: jsonType, span }
    : { kind: 'get-member', json, key: selector, type: jsonType, span };
}

export function keyOf(member: { readonly text: string; readonly span: Span }): Expression {
  return { kind: 'string', value: member.text, type: stringType, span: member.span };
}

// Casts

/** `x as T`: from json to anything that json can hold, and the other way round. */
export function checkCast(fc: FunctionChecker, node: Syntax & { readonly kind: 'cast' }): Expression {
  const { span } = node;
  const type = resolveType(fc.checker, node.type);
  const isLiteral = node.operand.kind === 'object-literal' || node.operand.kind === 'array-literal';
  const operand = checkValue(fc, node.operand, isLiteral ? jsonType : null);
  if (isInvalid(operand) || type.kind === 'invalid') return invalid(span);
  if (operand.type.kind === 'null' || sameType(operand.type, type)) return convert(fc, { ...operand, span }, type);
  if (type.kind === 'json') return toJson(operand);
  if (operand.type.kind === 'json') return { kind: 'cast', operand, type, span };
  return fc.fail(
    'cannotCast',
    span,
    { from: formatApart(operand.type, type), to: formatApart(type, operand.type) },
    { help: castHelp(operand.type, type) },
  );
}

const methodsInstead: Readonly<Record<string, string>> = {
  'int double': 'An int becomes a double by itself, or with .toDouble().',
  'double int': 'Write .toInt(), which drops the fraction, or Math.round(x).',
  'int string': 'Write .toString(), or a template.',
  'double string': 'Write .toString(), or a template.',
  'boolean string': 'Write .toString(), or a template.',
  'string int': 'Write .toInt(default).',
  'string double': 'Write .toDouble(default).',
};

function castHelp(from: Type, to: Type): string | null {
  return methodsInstead[`${from.kind} ${to.kind}`] ?? null;
}

/** Where a json is walked through: the values are cast to the type of the variable. */
export function castItem(fc: FunctionChecker, item: Expression, type: Type, labels: readonly Label[] = []): Expression {
  if (type.kind === 'json' || type.kind === 'invalid') return convert(fc, item, type, labels, false);
  return { kind: 'cast', operand: item, type, span: item.span };
}
