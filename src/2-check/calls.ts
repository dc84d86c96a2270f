// Calls: of functions, of library functions, of methods, and UFCS, where `x.f(y)` is `f(x, y)`.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { spellingFix, sureFix } from '../diagnostics/fixes.ts';
import { nearestName } from '../language/nearest-name.ts';
import {
  booleanType,
  doubleType,
  formatApart,
  formatType,
  intType,
  invalidType,
  mentionsVariable,
  sameType,
  stringType,
  substitute,
  structType,
} from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { LibraryFunction } from '../library/declare.ts';
import { describeFunction } from '../library/registry.ts';
import type { Span } from '../source.ts';
import { invalid, isInvalid, sequence } from './checker.ts';
import type { FunctionChecker, Import } from './checker.ts';
import { defaultFunction } from './defaults.ts';
import { findElsewhere, findImport, findImported, reportNoValue } from './imports.ts';
import { checkJsonValue } from './json.ts';
import { checkAs, checkValue, convert, converts } from './conversions.ts';
import { foreignFunction, foreignOutput, yieldFix } from './habits.ts';
import { checkName, declaredHere, findNamespace, methodAdvice, reportUnknownFunction } from './members.ts';
import type { CallMeaning } from './notes.ts';
import type { FunctionSymbol, ParameterSymbol } from './symbols.ts';
import type { Expression, Statement } from './typed-tree.ts';

type CallNode = Syntax & { readonly kind: 'call' };

/** `isStatement` says that the call is a statement of its own. */
export function checkCall(fc: FunctionChecker, node: CallNode, isStatement = false): Expression {
  const { callee } = node;
  if (callee.kind === 'name') return checkNamedCall(fc, node, callee, isStatement);
  if (callee.kind === 'member') return reportForeignOutput(fc, node, isStatement) ?? checkMemberCall(fc, node, callee);
  const value = checkValue(fc, callee);
  checkLoosely(fc, node);
  return isInvalid(value)
    ? value
    : fc.fail('notCallable', callee.span, { what: `a value of type ${formatType(value.type)}` });
}

/** `console.log(x)` and its like; null for any other call. */
function reportForeignOutput(fc: FunctionChecker, node: CallNode, isStatement: boolean): Expression | null {
  const { file, start, end } = node.callee.span;
  const name = foreignOutput(file.text.slice(start, Math.min(end, start + 40)));
  if (name === null || fc.find(name) !== undefined) return null;
  checkLoosely(fc, node);
  const fix = yieldFix(
    node.span,
    node.arguments.map(({ span }) => span),
    isStatement,
  );
  return fc.fail(
    'unknownName',
    { file, start, end: start + name.length },
    { name },
    { help: 'Output is yielded: yield value;', ...fix },
  );
}

/** Checks the arguments of a call that is wrong anyway, so that mistakes inside them are reported too. */
function checkLoosely(fc: FunctionChecker, node: CallNode): void {
  for (const argument of node.arguments)
    if (argument.kind !== 'object-literal' && argument.kind !== 'array-literal') checkValue(fc, argument);
}

function checkNamedCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: Syntax & { readonly kind: 'name' },
  isStatement: boolean,
): Expression {
  const name = callee.text;
  const variable = fc.find(name);
  const fn = variable === undefined || variable.storage.kind === 'global' ? fc.checker.functions.get(name) : undefined;
  if (fn !== undefined) return checkFunctionCall(fc, fn, null, node);
  checkLoosely(fc, node);
  if (variable !== undefined) {
    variable.used = true;
    fc.checker.notes?.name(callee, variable);
    return variable.type.kind === 'invalid'
      ? invalid(node.span)
      : fc.fail(
          'notCallable',
          callee.span,
          { what: `'${name}', a variable of type ${formatType(variable.type)}` },
          { labels: declaredHere(variable) },
        );
  }
  if (findImport(fc, callee) !== undefined) return checkName(fc, callee);
  return fc.fail('unknownFunction', callee.span, { name }, functionAdvice(fc, node, callee, isStatement));
}

/** Advice for the name of a function that does not exist: what was probably meant. */
function functionAdvice(
  fc: FunctionChecker,
  node: CallNode,
  { text: name, span }: Syntax & { readonly kind: 'name' },
  isStatement: boolean,
): ReportOptions {
  const struct = fc.checker.structs.get(name);
  if (struct !== undefined) {
    const fields = struct.fields.map((field) => `${field.name}: …`).join(', ');
    return {
      help: `${name} is a type; its values are written as literals: ${name} x = { ${fields} };`,
      labels: declaredHere(struct),
    };
  }
  const elsewhere = findElsewhere(fc.checker, 'functions', name);
  if (elsewhere !== null) return { help: elsewhere };
  const foreign = foreignFunction(
    name,
    span,
    node.span,
    node.arguments.map((argument) => argument.span),
    isStatement,
  );
  if (foreign !== null) return foreign;
  const near = nearestName(name, fc.checker.functions.keys());
  if (near !== null)
    return {
      help: `Did you mean '${near}'?`,
      fix: spellingFix(span, name, near),
      labels: declaredHere(fc.checker.functions.get(near)!),
    };
  const owners = fc.checker.registry.libraries.filter(
    (library) => !library.preludeOnly && library.functions.some((row) => row.name === name),
  );
  if (owners.length === 0) return {};
  const written = owners.map((library) => (library.receiver === null ? `${library.name}.${name}(…)` : `x.${name}(…)`));
  return { help: `It belongs to the library: write ${[...new Set(written)].join(' or ')}.` };
}

/** A namespace's function, a built-in method, or a function whose first parameter takes the receiver. */
function checkMemberCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: Syntax & { readonly kind: 'member' },
): Expression {
  const { object, member } = callee;
  const namespace = findNamespace(fc, object);
  if (namespace !== undefined) {
    const row = namespace.functions.find(({ name }) => name === member.text);
    if (row !== undefined && row.implementation.kind !== 'constant') return checkLibraryCall(fc, row, null, null, node);
    checkLoosely(fc, node);
    if (row !== undefined)
      return fc.fail(
        'notCallable',
        callee.span,
        { what: `the constant ${row.id}` },
        {
          help: 'Leave the parentheses away.',
          ...(node.arguments.length > 0
            ? {}
            : { fix: sureFix('leave the parentheses away', { ...node.span, start: callee.span.end }, '') }),
        },
      );
    return reportUnknownFunction(fc, namespace, member.text, member.span);
  }
  const imported = findImport(fc, object);
  if (imported !== undefined) return checkImportedCall(fc, node, callee, imported);
  const receiver = checkValue(fc, object);
  if (isInvalid(receiver)) {
    checkLoosely(fc, node);
    return invalid(node.span);
  }
  const match = fc.checker.registry.method(receiver.type, member.text);
  if (match !== undefined) return checkLibraryCall(fc, match.method, receiver, match.typeArgument, node);
  const fn = fc.checker.functions.get(member.text);
  if (fn !== undefined && takesReceiver(fn, receiver.type)) return checkFunctionCall(fc, fn, receiver, node);
  checkLoosely(fc, node);
  const elsewhere = fn === undefined ? findElsewhere(fc.checker, 'functions', member.text) : null;
  const advice =
    fn !== undefined
      ? { help: `The function ${fn.name} takes ${firstParameter(fn, receiver.type)} first.`, labels: declaredHere(fn) }
      : elsewhere !== null
        ? { help: elsewhere }
        : methodAdvice(fc, receiver, member.text, member.span, true);
  return fc.fail('unknownMethod', member.span, { type: formatType(receiver.type), method: member.text }, advice);
}

/** `ns.f(…)`: a function of an imported file. */
function checkImportedCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: Syntax & { readonly kind: 'member' },
  imported: Import,
): Expression {
  const symbol = findImported(fc, imported, callee.member, 'function');
  if (symbol?.kind === 'function') return checkFunctionCall(fc, symbol, null, node);
  checkLoosely(fc, node);
  if (symbol === undefined) return invalid(node.span);
  return symbol.kind === 'struct'
    ? reportNoValue(fc, imported, symbol, callee.span)
    : fc.fail('notCallable', callee.span, {
        what: `'${imported.alias}.${symbol.name}', a variable of type ${formatType(symbol.type)}`,
      });
}

/** Notes what a call calls; its name is the last one before the parenthesis. */
function noteCall(
  fc: FunctionChecker,
  node: CallNode,
  callee: CallMeaning['callee'],
  receiver: Expression | null,
): void {
  if (fc.checker.notes === null) return;
  const name = node.callee.kind === 'member' ? node.callee.member : node.callee;
  fc.checker.notes.call(node, name, { callee, hasReceiver: receiver !== null });
}

/** Whether a function may stand behind a value and a dot. */
export function takesReceiver(fn: FunctionSymbol, receiver: Type): boolean {
  const first = fn.parameters[0];
  if (first === undefined) return false;
  const type =
    first.variadic && first.type.kind === 'array' && receiver.kind !== 'array' ? first.type.element : first.type;
  if (fn.generic) return unify(type, receiver) !== undefined || sameType(type, receiver);
  return converts(receiver, type) || type.kind === 'invalid';
}

function firstParameter(fn: FunctionSymbol, receiver: Type): string {
  const first = fn.parameters[0];
  return first === undefined ? 'nothing' : formatApart(first.type, receiver);
}

// Library functions

function checkLibraryCall(
  fc: FunctionChecker,
  row: LibraryFunction,
  receiver: Expression | null,
  typeArgument: Type | null,
  node: CallNode,
): Expression {
  if (fc.checker.notes !== null) noteCall(fc, node, { kind: 'library', row, typeArgument }, receiver);
  const required = row.parameters.filter(({ initialiser }) => initialiser === null).length;
  if (node.arguments.length < required || node.arguments.length > row.parameters.length) {
    checkLoosely(fc, node);
    return fc.fail(
      'argumentCount',
      node.span,
      { name: row.name, expected: countText(required, row.parameters.length), found: node.arguments.length },
      { help: `It is declared ${describeFunction(row)}.` },
    );
  }
  const named = row.parameters.findIndex(({ isType }) => isType);
  if (named >= 0) return checkTypedCall(fc, row, receiver, named, node);
  // A generic function of the prelude takes its type from its arguments.
  const values =
    typeArgument === null && row.parameters.some(({ type }) => mentionsVariable(type))
      ? node.arguments.map((argument) => checkValue(fc, argument))
      : null;
  const found =
    values === null
      ? typeArgument
      : inferType(
          row.parameters.map(({ type }) => type),
          values,
        );
  const operands = row.parameters.map((parameter, index): Expression => {
    const type = substitute(parameter.type, found);
    if (index >= node.arguments.length) return defaultConstant(parameter.initialiser!, type, node.span);
    if (values !== null) return convert(fc, values[index]!, type);
    return takesAnyJson.has(row.id)
      ? checkJsonValue(fc, node.arguments[index]!)
      : checkAs(fc, node.arguments[index]!, type);
  });
  if (found?.kind === 'null') return fc.fail('untypedDefault', node.span, { name: row.name });
  if (operands.some(isInvalid)) return invalid(node.span);
  const all = receiver === null ? operands : [receiver, ...operands];
  return {
    kind: 'library-call',
    function: row.id,
    arguments: all,
    typeArgument: found,
    type: substitute(row.returns, found),
    span: node.span,
  };
}

/** Functions whose json arguments may be any value that json can hold. */
const takesAnyJson: ReadonlySet<string> = new Set(['json.push']);

/** A function that takes the name of a type as an argument. The name is no value and is not passed. */
function checkTypedCall(
  fc: FunctionChecker,
  row: LibraryFunction,
  receiver: Expression | null,
  named: number,
  node: CallNode,
): Expression {
  const found = findStructType(fc, node.arguments[named]!);
  if (found === null) return fc.fail('typeNameExpected', node.arguments[named]!.span, { name: row.name });
  if (found.kind === 'invalid') return invalid(node.span);
  const operands = row.parameters.flatMap(({ type }, index) =>
    index === named ? [] : [checkAs(fc, node.arguments[index]!, substitute(type, found))],
  );
  if (operands.some(isInvalid)) return invalid(node.span);
  const all = receiver === null ? operands : [receiver, ...operands];
  return {
    kind: 'library-call',
    function: row.id,
    arguments: all,
    typeArgument: found,
    type: substitute(row.returns, found),
    span: node.span,
  };
}

/** The struct type that a name stands for. */
function findStructType(fc: FunctionChecker, node: Syntax): Type | null {
  const imported = node.kind === 'member' ? findImport(fc, node.object) : undefined;
  if (imported?.checker === null) return invalidType;
  const owner =
    imported?.checker ??
    (node.kind === 'member' && node.object.kind === 'name' ? fc.checker.pluginTypes(node.object.text) : undefined);
  const struct =
    owner !== undefined && node.kind === 'member'
      ? owner.structs.get(node.member.text)
      : node.kind === 'name' && fc.find(node.text) === undefined
        ? fc.checker.structs.get(node.text)
        : undefined;
  if (struct === undefined) return null;
  fc.checker.notes?.name(node.kind === 'member' ? node.member : node, struct);
  return structType(struct.module, struct.name);
}

/** The default of a library parameter, a literal. */
function defaultConstant(text: string, type: Type, span: Span): Expression {
  if (text === 'null') return { kind: 'null', type, span };
  if (type.kind === 'boolean') return { kind: 'boolean', value: text === 'true', type: booleanType, span };
  if (type.kind === 'string') return { kind: 'string', value: JSON.parse(text) as string, type: stringType, span };
  return type.kind === 'double'
    ? { kind: 'double', value: Number(text), type: doubleType, span }
    : { kind: 'int', value: BigInt(text), type: intType, span };
}

function countText(least: number, most: number): string {
  const count = least === most ? String(least) : `${least} to ${most}`;
  return `${count} argument${least === most && least === 1 ? '' : 's'}`;
}

// Functions of the script

/** Arguments in order, then defaults; the remaining arguments go to the variadic parameter. */
function checkFunctionCall(
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
const mostFilled = 500_000;

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

// Generic functions, of the prelude only

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

/** What the type variable stands for: the first argument with a known type says it. */
function inferType(parameters: readonly Type[], values: readonly Expression[]): Type | null {
  for (const [index, value] of values.entries()) {
    const found = unify(parameters[index]!, value.type);
    if (found !== undefined) return found;
  }
  return null;
}

function unify(parameter: Type, argument: Type): Type | undefined {
  if (parameter.kind === 'variable') return argument;
  return parameter.kind === 'array' && argument.kind === 'array'
    ? unify(parameter.element, argument.element)
    : undefined;
}
