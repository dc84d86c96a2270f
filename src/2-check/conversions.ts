// Values in their places: `checkAs` makes sure that a value has the type that is expected, and converts it where the
// language does.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { Fix, Label } from '../diagnostics/diagnostic.ts';
import { possibleFix, sureFix } from '../diagnostics/fixes.ts';
import {
  booleanType,
  doubleType,
  formatApart,
  formatType,
  isNullable,
  isNumeric,
  jsonType,
  sameType,
} from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import type { Expression } from './typed-tree.ts';

/** An expression whose value is used: it must not be void. */
export function checkValue(fc: FunctionChecker, node: Syntax, expected: Type | null = null): Expression {
  const value = fc.checker.dispatch.expression(fc, node, expected);
  return value.type.kind === 'void' ? fc.fail('voidValue', node.span, {}, { labels: returnLabels(fc, value) }) : value;
}

/** Where the function says what it returns. */
function returnLabels(fc: FunctionChecker, value: Expression): readonly Label[] {
  const fn =
    value.kind === 'call' ? [...fc.checker.functions.values()].find(({ id }) => id === value.function) : undefined;
  return fn === undefined
    ? []
    : [{ span: fn.node.returnType.span, text: `${fn.name} returns ${formatType(fn.returns)}` }];
}

/** An expression that must fit a type; `labels` say where that type comes from. */
export function checkAs(fc: FunctionChecker, node: Syntax, expected: Type, labels: readonly Label[] = []): Expression {
  return convert(fc, checkValue(fc, node, expected), expected, labels);
}

/** Whether a value converts to the other type implicitly: the same type, int to double, a struct to json, or null. */
export function converts(from: Type, to: Type): boolean {
  if (sameType(from, to)) return true;
  if (from.kind === 'null') return isNullable(to);
  return (from.kind === 'int' && to.kind === 'double') || (from.kind === 'struct' && to.kind === 'json');
}

/**
 * The type that both values convert to: their common type, double for int and double, and the nullable type beside
 * null.
 */
export function commonType(a: Type, b: Type): Type | null {
  if (sameType(a, b)) return a;
  if (isNumeric(a) && isNumeric(b)) return doubleType;
  if (a.kind === 'null' && isNullable(b)) return b;
  return b.kind === 'null' && isNullable(a) ? a : null;
}

/**
 * The value as the type: the same, widened, a struct as json, or null; anything else is reported. `isWritten` is false
 * for a value that does not stand in the script, so that no edit there can mend it.
 */
export function convert(
  fc: FunctionChecker,
  value: Expression,
  expected: Type,
  labels: readonly Label[] = [],
  isWritten = true,
): Expression {
  if (isInvalid(value) || expected.kind === 'invalid') return value;
  if (sameType(value.type, expected)) return value;
  if (value.type.kind === 'null') {
    if (isNullable(expected)) return { ...value, type: expected };
    return fc.fail('nullToPrimitive', value.span, { type: formatType(expected) }, { labels });
  }
  if (value.type.kind === 'int' && expected.kind === 'double') return widen(fc, value, expected);
  if (value.type.kind === 'struct' && expected.kind === 'json') {
    noteConversion(fc, value, 'json');
    return toJson(value);
  }
  const method = expected.kind === 'int' ? methodOfInts(value) : null;
  const help = method?.help ?? literalHelp(value, expected) ?? mismatchHelp(value.type, expected);
  const fix = method === null ? conversionFix(value, expected) : { fix: method.fix };
  return fc.fail(
    'typeMismatch',
    value.span,
    { expected: formatApart(expected, value.type), found: formatApart(value.type, expected) },
    { labels, ...(help === null ? {} : { help }), ...(isWritten ? fix : {}) },
  );
}

/**
 * int to double. A constant is converted here. A division of ints was probably meant as one of doubles, so it gets a
 * warning.
 */
export function widen(fc: FunctionChecker, value: Expression, type: Type): Expression {
  const { span } = value;
  noteConversion(fc, value, 'double');
  if (value.kind === 'int') return { kind: 'double', value: Number(value.value), type, span };
  if (value.kind === 'operate' && value.operator === '/(int,int)') fc.checker.warn('divisionWidened', span, {});
  return { kind: 'widen', operand: value, type, span };
}

/** Notes what becomes a double, or a copy as json, without being said. */
export function noteConversion(fc: FunctionChecker, { kind, type, span }: Expression, to: 'double' | 'json'): void {
  fc.checker.notes?.conversion({ span, from: type, to, constant: kind === 'int' });
}

/** Any value that json can hold, as json. */
export function toJson(value: Expression): Expression {
  return value.type.kind === 'json' ? value : { kind: 'to-json', operand: value, type: jsonType, span: value.span };
}

/** Functions of doubles that ints have as methods. */
const mathOfInts: ReadonlyMap<string, string> = new Map([
  ['Math.min', 'Of ints the smaller is a.min(b).'],
  ['Math.max', 'Of ints the larger is a.max(b).'],
  ['Math.abs', 'The absolute value of an int is a.abs().'],
]);

/** The method of ints for a call of Math whose arguments are ints: advice and edit; null for everything else. */
function methodOfInts(value: Expression): { readonly help: string; readonly fix: Fix } | null {
  const help = value.kind === 'library-call' ? mathOfInts.get(value.function) : undefined;
  if (value.kind !== 'library-call' || help === undefined || !value.arguments.every(isOfInt)) return null;
  const [receiver, ...others] = value.arguments.map(({ span }) => span);
  const method = `${value.function.slice('Math.'.length)}(${others.map(textIn).join(', ')})`;
  const written = addCall(receiver!, method, true).replacement;
  return { help, fix: sureFix(`write ${written}`, value.span, written) };
}

/** Whether it is an int that has become a double: a value, or a constant that is written as an int. */
function isOfInt({ kind, span }: Expression): boolean {
  return kind === 'widen' || (kind === 'double' && /^-?\d+$/.test(textIn(span)));
}

/** Advice for a literal: what was probably meant. */
function literalHelp(value: Expression, expected: Type): string | null {
  const isNumber = value.kind === 'string' && /^-?\d+(\.\d+)?$/.test(value.value);
  if (!isNumber) return null;
  if (expected.kind === 'int')
    return 'Leave the quotation marks away; the number in any other text is read with .toInt(default).';
  return expected.kind === 'double'
    ? 'Leave the quotation marks away; the number in any other text is read with .toDouble(default).'
    : null;
}

/** How to convert one type to the other, if there is a way. */
function mismatchHelp(from: Type, to: Type): string | null {
  if (from.kind === 'json') return readHelp(to);
  if (from.kind === 'double' && to.kind === 'int')
    return 'Drop the fraction with .toInt(), or round with Math.round(x).';
  if (to.kind === 'string' && (from.kind === 'int' || from.kind === 'double' || from.kind === 'boolean'))
    return 'Turn it into text with .toString() or a template.';
  if (from.kind === 'string' && to.kind === 'int') return 'Read the number with .toInt(default).';
  if (from.kind === 'string' && to.kind === 'double') return 'Read the number with .toDouble(default).';
  if (from.kind === 'boolean' && (to.kind === 'int' || to.kind === 'double'))
    return 'A boolean is no number: write b ? 1 : 0.';
  if (to.kind === 'boolean' && (from.kind === 'int' || from.kind === 'double'))
    return 'A number is neither true nor false: compare it, as in x != 0.';
  if (to.kind === 'boolean') {
    const test = somethingTest(from, 'x');
    if (test !== null)
      return (
        `Only true and false are conditions: whether something is in it is ${test}, ` +
        'whether there is one x != null.'
      );
  }
  if (to.kind === 'boolean' && isNullable(from))
    return 'Only true and false are conditions: compare it, as in x != null.';
  if (to.kind === 'json' && from.kind === 'array') return 'An array becomes json only where that is said: xs as json.';
  if (
    to.kind === 'json' &&
    (from.kind === 'int' || from.kind === 'double' || from.kind === 'boolean' || from.kind === 'string')
  )
    return 'A single value becomes json only where that is said: x as json. JSON text is read with Json.parse(text).';
  if (to.kind === 'json')
    return 'A json is written as a literal, { key: value } or [value], or read with Json.parse(text).';
  if ((from.kind === 'int' && to.kind === 'array') || (to.kind === 'array' && sameType(from, to.element)))
    return 'An array of one element is written [x].';
  if (from.kind === 'array' && to.kind === 'array' && from.element.kind === 'int' && to.element.kind === 'double') {
    return 'Elements are not widened in an array that exists: make a new double[] and copy them.';
  }
  if (from.kind === 'array' && to.kind === 'array')
    return `An array keeps the type of its elements: convert them one by one into a new ${formatType(to)}.`;
  return null;
}

/** Whether something is in a text or an array, and the opposite, as it is written of `name`; null for other types. */
export function somethingTest({ kind }: Type, name: string): string | null {
  return kind === 'string' ? `${name} != ""` : kind === 'array' ? `!${name}.isEmpty()` : null;
}

export function emptyTest({ kind }: Type, name: string): string | null {
  return kind === 'string' ? `${name} == ""` : kind === 'array' ? `${name}.isEmpty()` : null;
}

/** Behind a name a method call or an operator may follow without parentheses. */
const plainName = /^[A-Za-z_][\w.]*$/;

/** Writes a test of a value that stands in the place of a condition; `span` is what it replaces. */
export function testFix(value: Expression, test: typeof emptyTest, span: Span = value.span): { readonly fix?: Fix } {
  const text = textIn(value.span);
  const written = plainName.test(text) ? test(value.type, text) : null;
  return written === null ? {} : { fix: possibleFix(`write ${written}`, span, written) };
}

const getters: Readonly<Record<string, string>> = {
  int: 'getInt(key, 0)',
  double: 'getDouble(key, 0.0)',
  boolean: 'getBool(key, false)',
  string: 'getString(key, "")',
  'int[]': 'getIntArray(key, [])',
  'double[]': 'getDoubleArray(key, [])',
  'string[]': 'getStringArray(key, [])',
};

/** The type of a json value is known only when the script runs. */
export function readHelp(to: Type): string {
  const type = formatType(to);
  const getter = getters[type];
  const cast = `check it with as ${type}, which throws CastError where it does not fit`;
  return getter === undefined
    ? `A json may hold anything: ${cast}.`
    : `A json may hold anything: read a key with .${getter}, or ${cast}.`;
}

/** The method that converts one type to the other, if there is exactly one. */
function conversionFix(value: Expression, to: Type): { readonly fix?: Fix } {
  const from = value.type.kind;
  if (from === 'double' && to.kind === 'int') return { fix: addCall(value.span, 'toInt()', false) };
  if (to.kind === 'string' && (from === 'int' || from === 'double' || from === 'boolean'))
    return { fix: addCall(value.span, 'toString()', false) };
  return to.kind === 'boolean' ? testFix(value, somethingTest) : {};
}

/** Puts a method call behind an expression, in parentheses unless that is a single operand. */
export function addCall(span: Span, call: string, sure: boolean): Fix {
  const text = textIn(span);
  const isOperand = /^(?:[\w.]+|"[^"]*")(?:\([^()]*\)|\[[^[\]]*\])*$/.test(text);
  return { description: `add .${call}`, sure, span, replacement: isOperand ? `${text}.${call}` : `(${text}).${call}` };
}

function textIn({ file, start, end }: Span): string {
  return file.text.slice(start, end);
}

/** A condition is boolean; nothing else is true or false. */
export function checkCondition(fc: FunctionChecker, node: Syntax): Expression {
  return checkAs(fc, node, booleanType);
}
