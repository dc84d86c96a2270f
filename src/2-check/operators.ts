// Operators: found in the table by the types of their operands, an int beside a double widened.

import type { BinaryExpression, Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { findOperator } from '../language/operators.ts';
import {
  booleanType,
  doubleType,
  formatApart,
  formatType,
  intType,
  isNullable,
  isNumeric,
  sameType,
} from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { invalid, isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import {
  addCall,
  checkCondition,
  checkValue,
  commonType,
  convert,
  converts,
  emptyTest,
  readHelp,
  testFix,
  widen,
} from './conversions.ts';
import { asJsonValue } from './json.ts';
import { isSmallestInt } from './literals.ts';
import type { Expression } from './typed-tree.ts';

/** `-x`, `!x`, `~x`; a minus before a number is part of the number. */
export function checkUnary(fc: FunctionChecker, node: Syntax & { readonly kind: 'unary' }): Expression {
  const { span, operator } = node;
  if (operator === '-' && isSmallestInt(node.operand)) return { kind: 'int', value: -(1n << 63n), type: intType, span };
  const operand = checkValue(fc, node.operand);
  if (isInvalid(operand)) return invalid(span);
  if (operator === '-' && operand.kind === 'int') return { ...operand, value: BigInt.asIntN(64, -operand.value), span };
  if (operator === '-' && operand.kind === 'double') return { ...operand, value: -operand.value, span };
  const row = findOperator(operator, [operand.type]);
  if (row !== undefined) return { kind: 'operate', operator: row.id, operands: [operand], type: row.result, span };
  const help = unaryHelp(operator, operand.type);
  return fc.fail(
    'operatorUndefined',
    span,
    { operator, operands: formatType(operand.type) },
    { help, ...(operator === '!' ? testFix(operand, emptyTest, span) : {}) },
  );
}

function unaryHelp(operator: string, operand: Type): string | null {
  if (operand.kind === 'json') return castHelp(operator);
  if (operator === '!' && isNumeric(operand)) return 'Compare it instead: x == 0.';
  if (operator === '!') {
    const test = emptyTest(operand, 'x');
    if (test !== null) return `Whether it is empty is ${test}, whether there is none x == null.`;
  }
  if (operator === '!' && isNullable(operand)) return 'Compare it instead: x == null.';
  if (operator === '~' && operand.kind === 'boolean') return 'Of a boolean the opposite is !b.';
  if (operator === '~' && operand.kind === 'double')
    return 'Bits belong to ints: turn the double into one with .toInt().';
  return operator === '-' && operand.kind === 'string'
    ? 'Read the number in a text with .toInt(default) or .toDouble(default).'
    : null;
}

/** `-j.n as int` is read as `(-j.n) as int`. */
function castHelp(operator: string): string {
  const isNot = operator === '!';
  return (
    `A json may hold anything: say what is meant first, in parentheses, as in ${operator}(j.key as ` +
    `${isNot ? 'boolean' : 'int'})${isNot ? ', or compare it: j.key == null' : ''}.`
  );
}

/** A long sum nests to the left, so the left spine is walked in a loop. */
export function checkBinary(fc: FunctionChecker, node: BinaryExpression): Expression {
  const spine: BinaryExpression[] = [];
  let first: Syntax = node;
  while (first.kind === 'binary') {
    spine.push(first);
    first = first.left;
  }
  const compared = literalFirst(fc, spine.at(-1)!, first);
  let value = compared?.value ?? checkOperand(fc, first);
  if (compared !== null) spine.pop();
  for (const part of spine.reverse()) {
    value = isLogical(part.operator)
      ? checkLogical(fc, part, value)
      : combine(
          fc,
          part.operator,
          value,
          checkOperand(fc, part.right, rightOf(part.operator, value.type)),
          part.span,
          part.operatorSpan,
        );
    fc.checker.notes?.type(part, value.type);
  }
  return value;
}

/** `{ a: 1 } == j`: a literal beside a json is a json too. Its type is known only after the right side. */
function literalFirst(
  fc: FunctionChecker,
  node: BinaryExpression,
  first: Syntax,
): { readonly value: Expression } | null {
  if (!isEquality(node.operator) || (first.kind !== 'object-literal' && first.kind !== 'array-literal')) return null;
  const right = checkOperand(fc, node.right);
  const left = checkOperand(fc, first, rightOf(node.operator, right.type));
  return { value: combine(fc, node.operator, left, right, node.span, node.operatorSpan) };
}

/** A literal that is compared with a json is one. */
function rightOf(operator: string, left: Type): Type | null {
  return left.kind === 'json' && isEquality(operator) ? left : null;
}

function checkOperand(fc: FunctionChecker, node: Syntax, expected: Type | null = null): Expression {
  const value = fc.checker.dispatch.expression(fc, node, expected);
  return value.type.kind === 'void' ? fc.fail('voidValue', node.span, {}) : value;
}

function isLogical(operator: string): operator is '&&' | '||' {
  return operator === '&&' || operator === '||';
}

/** `&&` and `||` work on booleans and do not evaluate the right side if the left one decides. */
function checkLogical(fc: FunctionChecker, node: BinaryExpression, left: Expression): Expression {
  const { span, operator } = node;
  const right = checkOperand(fc, node.right);
  if (isInvalid(left) || isInvalid(right)) return invalid(span);
  if (left.type.kind !== 'boolean' || right.type.kind !== 'boolean')
    return undefinedFor(fc, operator, left, right, node.operatorSpan);
  return { kind: 'logical', operator: operator as '&&' | '||', left, right, type: booleanType, span };
}

/** Any other binary operator on operands that are checked. */
export function combine(
  fc: FunctionChecker,
  operator: string,
  first: Expression,
  second: Expression,
  span: Span,
  operatorSpan: Span,
): Expression {
  const [left, right] =
    isEquality(operator) && (first.type.kind === 'json' || second.type.kind === 'json')
      ? [asOperand(first), asOperand(second)]
      : [first, second];
  if (isInvalid(left) || isInvalid(right)) return invalid(span);
  if (isEquality(operator)) {
    const equality = checkEquality(operator, left, right, span);
    if (equality !== null) {
      if (sameType(left.type, right.type) && (isFresh(left) || isFresh(right)))
        fc.checker.warn('freshComparison', span, { result: operator === '==' ? 'false' : 'true' });
      return equality;
    }
  }
  const mixed = isNumeric(left.type) && isNumeric(right.type) && left.type.kind !== right.type.kind;
  const operands = mixed
    ? [left, right].map((operand) => (operand.type.kind === 'int' ? widen(fc, operand, doubleType) : operand))
    : [left, right];
  const row = findOperator(
    operator,
    operands.map(({ type }) => type),
  );
  if (row === undefined) return undefinedFor(fc, operator, left, right, operatorSpan);
  return { kind: 'operate', operator: row.id, operands, type: row.result, span };
}

/** Made where it stands, so that nothing else is the same one. */
function isFresh({ kind }: Expression): boolean {
  return kind === 'array-literal' || kind === 'new-array';
}

function isEquality(operator: string): boolean {
  return operator === '==' || operator === '!=';
}

/** Beside a json, every value that json can hold becomes a json; `null` remains the test for null. */
function asOperand(value: Expression): Expression {
  return value.kind === 'null' ? value : asJsonValue(value);
}

/**
 * Compares null with a nullable value, and structs and arrays by identity; null if the table of operators has the
 * comparison.
 */
function checkEquality(operator: string, left: Expression, right: Expression, span: Span): Expression | null {
  const negate = (test: Expression): Expression =>
    operator === '==' ? test : { kind: 'operate', operator: '!(boolean)', operands: [test], type: booleanType, span };
  const isNull = ({ kind, type }: Expression): boolean =>
    kind === 'null' && (type.kind === 'null' || type.kind === 'json');
  if (isNull(left) && isNull(right)) return { kind: 'boolean', value: operator === '==', type: booleanType, span };
  const [nothing, something] = isNull(left) ? [left, right] : [right, left];
  if (isNull(nothing) && isNullable(something.type))
    return negate({ kind: 'is-null', operand: something, type: booleanType, span });
  const isObject = left.type.kind === 'struct' || left.type.kind === 'array';
  if (isObject && sameType(left.type, right.type))
    return negate({ kind: 'same-object', left, right, type: booleanType, span });
  return null;
}

function undefinedFor(
  fc: FunctionChecker,
  operator: string,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  const operands = `${formatApart(left.type, right.type)}, ${formatApart(right.type, left.type)}`;
  const advice = addedTextAdvice(operator, left, right, span) ?? {
    help: rankHelp(operator, left, right, span) ?? operatorHelp(operator, left.type, right.type),
    ...textFix(operator, left, right, span),
  };
  return fc.fail('operatorUndefined', span, { operator, operands }, advice);
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const bitOperators: ReadonlySet<string> = new Set(['&', '|', '^']);

/** `x & 1 == 0` is `x & (1 == 0)`, and `0 <= x < 9` is `(0 <= x) < 9`: the author gave the operators other ranks. */
function rankHelp(operator: string, left: Expression, right: Expression, operatorSpan: Span): string | null {
  const { file, start, end } = operatorSpan;
  if (setsLeft(operator, operatorSpan)) return null;
  const isLeft = isComparison(left) && !file.text.slice(left.span.end, start).includes(')');
  const isRight = isComparison(right) && !file.text.slice(end, right.span.start).includes('(');
  if (bitOperators.has(operator) && (isLeft || isRight))
    return `'${operator}' binds looser than a comparison, so parentheses are needed: (x ${operator} 1) == 0.`;
  return comparisons.has(operator) && isLeft ? 'Comparisons are not chained: write a < b && b < c.' : null;
}

function isComparison(node: Expression): boolean {
  return node.kind === 'operate' && comparisons.has(node.operator.slice(0, node.operator.indexOf('(')));
}

/** Whether the operator stands in an assignment, such as `+=`. */
function setsLeft(operator: string, { start, end }: Span): boolean {
  return end - start > operator.length;
}

/** `n += "1"`: the left side stays a number, so the text must become one. */
function addedTextAdvice(operator: string, left: Expression, right: Expression, span: Span): ReportOptions | null {
  if (operator !== '+' || !isNumeric(left.type) || right.type.kind !== 'string' || !setsLeft(operator, span))
    return null;
  const call = left.type.kind === 'int' ? 'toInt(0)' : 'toDouble(0.0)';
  const fix = addCall(right.span, call, false);
  return { help: `A number is added to ${formatType(left.type)}: read the one in the text with .${call}.`, fix };
}

/** A number or boolean beside a text: the two were meant to be concatenated. */
function textFix(operator: string, left: Expression, right: Expression, span: Span): { readonly fix?: Fix } {
  const other = left.type.kind === 'string' ? right : right.type.kind === 'string' ? left : null;
  if (operator !== '+' || other === null || !(isNumeric(other.type) || other.type.kind === 'boolean')) return {};
  // The left side of += is set, so a call cannot replace it.
  return other === left && setsLeft(operator, span) ? {} : { fix: addCall(other.span, 'toString()', true) };
}

function operatorHelp(operator: string, left: Type, right: Type): string | null {
  const types = [left, right];
  if (types.some(({ kind }) => kind === 'json'))
    return readHelp(types.find(({ kind }) => kind !== 'json' && kind !== 'null') ?? intType);
  if (operator === '+' && types.some(({ kind }) => kind === 'string')) {
    const other = types.find(({ kind }) => kind !== 'string');
    if (other?.kind === 'null') return 'Null is not a text; write "null" if you mean the word.';
    return 'No value becomes text by itself: use a template, `…${value}`, or .toString().';
  }
  if (operator === '==' || operator === '!=') {
    if (types.some(({ kind }) => kind === 'null'))
      return `${formatType(types.find(({ kind }) => kind !== 'null')!)} is never null.`;
    return 'Only values of the same type, or two numbers, can be equal.';
  }
  if (operator === '&&' || operator === '||')
    return 'Both sides must be boolean: compare a number with 0, a text with "", and a reference with null.';
  if (types.some(({ kind }) => kind === 'double') && ['&', '|', '^', '<<', '>>', '>>>'].includes(operator))
    return 'Bits belong to ints: turn the double into one with .toInt().';
  if (operator === '+' && types.every(({ kind }) => kind === 'array'))
    return 'Two arrays are joined with xs.concat(ys).';
  if ((operator === '+' || operator === '<<') && left.kind === 'array') return 'An element is added with xs.push(x).';
  if (operator === '%' && left.kind === 'string') return 'A template puts values into text: `…${value}…`.';
  if (operator === '*' && left.kind === 'string' && right.kind === 'int')
    return 'A text is repeated with text.repeat(n); the number in it is read with .toInt(default).';
  if (operator === '*' && left.kind === 'array' && right.kind === 'int')
    return 'An array of a length is made by new int[n], filled with zeros; xs.fill(x) fills it with something else.';
  if (types.some(({ kind }) => kind === 'null'))
    return 'null is the absence of a value: test for it first, as in x != null.';
  if (
    types.some(({ kind }) => kind === 'string') &&
    types.some(isNumeric) &&
    ['-', '*', '/', '%', '<', '<=', '>', '>='].includes(operator)
  )
    return 'Read the number in a text with .toInt(default) or .toDouble(default).';
  return types.some(({ kind }) => kind === 'boolean') && types.every(isNumberOrBoolean)
    ? 'A boolean is no number: write b ? 1 : 0.'
    : null;
}

function isNumberOrBoolean(type: Type): boolean {
  return type.kind === 'boolean' || isNumeric(type);
}

/** `c ? a : b`: one of the two may widen or be null. If a json is expected, each may be a struct. */
export function checkConditional(
  fc: FunctionChecker,
  node: Syntax & { readonly kind: 'conditional' },
  expected: Type | null,
): Expression {
  const { span } = node;
  const condition = checkCondition(fc, node.condition);
  const then = checkValue(fc, node.then, expected);
  const otherwise = checkValue(fc, node.otherwise, expected);
  if (isInvalid(then) || isInvalid(otherwise)) return invalid(span);
  const both =
    expected !== null && converts(then.type, expected) && converts(otherwise.type, expected) ? expected : null;
  const type = commonType(then.type, otherwise.type) ?? both;
  if (type === null) {
    const [one, other] = [formatApart(then.type, otherwise.type), formatApart(otherwise.type, then.type)];
    const beside = then.type.kind === 'json' ? otherwise.type : otherwise.type.kind === 'json' ? then.type : null;
    return fc.fail(
      'branchesDiffer',
      span,
      { then: one, otherwise: other },
      {
        ...(beside === null ? {} : { help: readHelp(beside) }),
        labels: [
          { span: then.span, text: one },
          { span: otherwise.span, text: other },
        ],
      },
    );
  }
  return {
    kind: 'conditional',
    condition,
    then: convert(fc, then, type),
    otherwise: convert(fc, otherwise, type),
    type,
    span,
  };
}
