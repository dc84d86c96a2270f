// Calls of functions of the script: arguments in their order, variadic ones, defaults, and generic functions, which the
// prelude alone has.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import { formatType, sameType, substitute } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { checkLoosely, countText, inferType, noteCall } from './call-arguments.ts';
import type { CallNode } from './call-arguments.ts';
import { invalid, isInvalid, sequence } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { checkAs, checkValue, convert } from './conversions.ts';
import { defaultFunction } from './defaults.ts';
import type { FunctionSymbol, ParameterSymbol } from './symbols.ts';
import type { Expression, Statement } from './typed-tree.ts';

/** Arguments in order, then defaults; the remaining arguments go to the variadic parameter. */
export function checkFunctionCall(
  fc: FunctionChecker,
  fn: FunctionSymbol,
  receiver: Expression | null,
  node: CallNode,
): Expression {
  noteCall(fc, node, fn, receiver);
  const { parameters } = fn;
  const last = parameters.at(-1);
  const variadic = last?.variadic === true ? last : null;
  const fixed = variadic === null ? parameters : parameters.slice(0, -1);
  const given = node.arguments.length + (receiver === null ? 0 : 1);
  const required = fixed.filter(({ node: parameter }) => parameter.initialiser === null).length;
  if (given < required || (variadic === null && given > fixed.length)) {
    checkLoosely(fc, node);
    const offset = receiver === null ? 0 : 1;
    const expected =
      variadic === null
        ? countText(required - offset, fixed.length - offset)
        : `at least ${countText(required - offset, required - offset)}`;
    return fc.fail(
      'argumentCount',
      node.span,
      { name: fn.name, expected, found: node.arguments.length },
      {
        labels: [{ span: fn.span, text: `${fn.name} is declared here` }],
        help:
          given < required
            ? `There is nothing for ${listMissing(fixed.slice(given, required))}.`
            : 'Leave the others away.',
      },
    );
  }
  if (fn.generic) return checkGenericCall(fc, fn, receiver, node);
  const take = (index: number, type: Type): Expression => {
    const parameter = parameters[Math.min(index, parameters.length - 1)]!;
    const labels = [{ span: parameter.node.span, text: `${fn.name} takes ${formatType(type)} here` }];
    if (receiver === null) return checkAs(fc, node.arguments[index]!, type, labels);
    return index === 0 ? convert(fc, receiver, type, labels) : checkAs(fc, node.arguments[index - 1]!, type, labels);
  };
  const operands = fixed.slice(0, given).map((parameter, index) => take(index, parameter.type));
  const rest = variadic === null ? null : collectRest(fc, variadic, fixed.length, given, receiver, node, take);
  if (operands.some(isInvalid) || (rest !== null && isInvalid(rest))) return invalid(node.span);
  const missing = fixed.slice(operands.length);
  return completeCall(fc, fn, operands, missing, rest, node.span);
}

/** `'a' (int) and 'b' (string)` */
function listMissing(parameters: readonly ParameterSymbol[]): string {
  return parameters.map(({ name, type }) => `'${name}' (${formatType(type)})`).join(' and ');
}

/** The arguments of a variadic parameter as an array; a single array of its type is passed as it is. */
function collectRest(
  fc: FunctionChecker,
  variadic: ParameterSymbol,
  from: number,
  given: number,
  receiver: Expression | null,
  node: CallNode,
  take: (index: number, type: Type) => Expression,
): Expression {
  if (variadic.type.kind !== 'array') return invalid(node.span);
  const { element } = variadic.type;
  if (given === from + 1) {
    const isReceiver = receiver !== null && from === 0;
    const single = isReceiver
      ? receiver
      : checkSingle(fc, node.arguments[receiver === null ? from : from - 1]!, variadic.type, element);
    if (isInvalid(single) || sameType(single.type, variadic.type)) return single;
    return { kind: 'array-literal', elements: [convert(fc, single, element)], type: variadic.type, span: node.span };
  }
  const elements: Expression[] = [];
  for (let index = from; index < given; index++) elements.push(take(index, element));
  return elements.some(isInvalid)
    ? invalid(node.span)
    : { kind: 'array-literal', elements, type: variadic.type, span: node.span };
}

/**
 * A single argument may be the whole array or one element. An array literal is the whole array if it nests as deep as
 * the type.
 */
function checkSingle(fc: FunctionChecker, node: Syntax, whole: Type, element: Type): Expression {
  return checkValue(fc, node, nestsAs(node, whole) ? whole : element);
}

/** Whether an array literal nests as deep as the type. */
function nestsAs(node: Syntax | undefined, type: Type): boolean {
  if (type.kind !== 'array' || node?.kind !== 'array-literal') return false;
  return type.element.kind !== 'array' || nestsAs(node.elements[0], type.element);
}

/** Defaults are written into each call: a short call of a function with hundreds of defaults makes the module long. */
export const mostFilled = 500_000;

/** Adds the defaults of missing arguments. A default that is not constant may use the arguments before it. */
function completeCall(
  fc: FunctionChecker,
  fn: FunctionSymbol,
  operands: readonly Expression[],
  missing: readonly ParameterSymbol[],
  rest: Expression | null,
  span: Span,
): Expression {
  const all = [...operands];
  const statements: Statement[] = [];
  const defaults = missing.map((parameter) => defaultFunction(fc.checker, fn, parameter));
  const { tables } = fc.checker;
  tables.filledArguments += defaults.reduce(
    (sum, { kind }, index) => sum + (kind === 'call' ? operands.length + index : 1),
    0,
  );
  if (tables.filledArguments > mostFilled)
    return fc.fail('tooMany', span, {
      what: 'arguments that defaults stand for',
      found: tables.filledArguments,
      limit: mostFilled,
    });
  if (defaults.some((value) => value.kind === 'call')) evaluateArgumentsOnce(fc, all, statements);
  for (const value of defaults) {
    if (value.kind === 'invalid') return invalid(span);
    if (value.kind === 'constant') all.push({ ...value.value, span });
    else {
      all.push({
        kind: 'call',
        function: value.function,
        arguments: [...all],
        typeArgument: null,
        type: value.type,
        span,
      });
      evaluateArgumentsOnce(fc, all, statements);
    }
  }
  if (rest !== null) all.push(rest);
  else if (fn.parameters.at(-1)?.variadic === true)
    all.push({ kind: 'array-literal', elements: [], type: fn.parameters.at(-1)!.type, span });
  return sequence(statements, {
    kind: 'call',
    function: fn.id,
    arguments: all,
    typeArgument: null,
    type: fn.returns,
    span,
  });
}

/** Moves arguments into temporaries, so that each is evaluated once. */
function evaluateArgumentsOnce(fc: FunctionChecker, all: Expression[], statements: Statement[]): void {
  all.forEach((value, index) => {
    if (value.kind === 'get-local' && fc.locals[value.local]!.origin !== 'source') return;
    const local = fc.temporary('argument', value.type);
    statements.push({ kind: 'set-local', local, value, span: value.span });
    all[index] = { kind: 'get-local', local, type: value.type, span: value.span };
  });
}

/** The type of a generic function is that of its arguments. */
function checkGenericCall(
  fc: FunctionChecker,
  fn: FunctionSymbol,
  receiver: Expression | null,
  node: CallNode,
): Expression {
  const values = [
    ...(receiver === null ? [] : [receiver]),
    ...node.arguments.map((argument) => checkValue(fc, argument)),
  ];
  const found = inferType(
    fn.parameters.map(({ type }) => type),
    values,
  );
  const operands = fn.parameters.map(({ type }, index) => convert(fc, values[index]!, substitute(type, found)));
  if (operands.some(isInvalid)) return invalid(node.span);
  return {
    kind: 'call',
    function: fn.id,
    arguments: operands,
    typeArgument: found,
    type: substitute(fn.returns, found),
    span: node.span,
  };
}
