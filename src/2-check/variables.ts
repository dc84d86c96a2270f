// Declaring variables, and everything that changes one: assignment, compound assignment, ++ and --.

import type { Assignment, Expression as Syntax, VariableDeclaration } from '../1-parse/syntax-tree.ts';
import type { Label } from '../diagnostics/diagnostic.ts';
import { possibleFix } from '../diagnostics/fixes.ts';
import { booleanType, doubleType, formatType, intType, invalidType, isNumeric, jsonType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { elementTypeOf, warnOfNegative } from './arrays.ts';
import { invalid, isInvalid, sequence } from './checker.ts';
import type { FunctionChecker, Import } from './checker.ts';
import { resolveType, testReserved } from './declarations.ts';
import { checkAs, checkValue, convert } from './conversions.ts';
import { findImport, findImported } from './imports.ts';
import { isUntypedDeclaration, typeFix } from './habits.ts';
import { checkJsonValue, checkSelector, readJson } from './json.ts';
import { checkMember, declaredHere, readVariable, reportUnknownName } from './members.ts';
import { combine } from './operators.ts';
import { structOf } from './structs.ts';
import type { VariableSymbol } from './symbols.ts';
import { isConstant } from './typed-tree.ts';
import type { Expression, LocalId, Statement } from './typed-tree.ts';

/** Each variable is set where it is declared, so that an iteration of a loop begins with a fresh one. */
export function checkVariables(fc: FunctionChecker, node: VariableDeclaration): Statement[] {
  if (isUntyped(fc, node)) return checkUntyped(fc, node);
  const type = resolveType(fc.checker, node.type);
  return node.declarators.flatMap((declarator): Statement[] => {
    const value = checkInitialiser(fc, declarator.initialiser, type, declarator.name.text, declarator.name.span);
    const variable = declareLocal(fc, declarator.name.text, type, declarator.name.span, node.constant);
    if (variable === null || isInvalid(value)) return [];
    if (node.constant && isConstant(value)) variable.value = value;
    return [setVariable(variable, value, declarator.span)];
  });
}

/** Types of values that no variable has. */
const undeclarable = new Set<Type['kind']>(['invalid', 'null', 'void']);

/** `let x = 1;` is a mistake, but the type of x is clear: the other uses of x are checked with it. */
function checkUntyped(fc: FunctionChecker, node: VariableDeclaration): Statement[] {
  const { span } = node.type;
  let first: Type | null = null;
  for (const { initialiser, name } of node.declarators) {
    const type = initialiser === null || takesItsType(initialiser) ? invalidType : checkValue(fc, initialiser).type;
    const variable = declareLocal(fc, name.text, type.kind === 'null' ? invalidType : type, name.span, false);
    if (variable !== null) variable.used = true;
    first ??= variable?.type ?? invalidType;
  }
  const known = first !== null && first.kind !== 'invalid' ? formatType(first) : null;
  const example = known === null ? 'int x = 1;' : `${known} ${node.declarators[0]!.name.text} = …;`;
  const help = `A variable is declared by its type: ${example}`;
  fc.report(
    'unknownType',
    span,
    { name: span.file.text.slice(span.start, span.end) },
    { help, ...(known === null ? {} : { fix: typeFix(span, known) }) },
  );
  return [];
}

/** Literals that need the type of their place. */
function takesItsType(node: Syntax): boolean {
  return node.kind === 'object-literal' || (node.kind === 'array-literal' && node.elements.every(takesItsType));
}

function isUntyped(fc: FunctionChecker, { type }: VariableDeclaration): boolean {
  return (
    type.kind === 'named-type' &&
    type.qualifier === null &&
    isUntypedDeclaration(type.name.text) &&
    !fc.checker.structs.has(type.name.text)
  );
}

/** A nullable type has no default: it must be initialised. */
export function checkInitialiser(
  fc: FunctionChecker,
  initialiser: Syntax | null,
  type: Type,
  name: string,
  span: Span,
): Expression {
  if (initialiser !== null) return checkAs(fc, initialiser, type);
  switch (type.kind) {
    case 'int':
      return { kind: 'int', value: 0n, type: intType, span };
    case 'double':
      return { kind: 'double', value: 0, type: doubleType, span };
    case 'boolean':
      return { kind: 'boolean', value: false, type: booleanType, span };
    case 'invalid':
      return invalid(span);
    case 'array':
    case 'slots':
    case 'elements':
    case 'vector':
    case 'json':
    case 'null':
    case 'offsets':
    case 'string':
    case 'struct':
    case 'codeUnits':
    case 'variable':
    case 'void':
      return fc.fail('missingInitialiser', span, { name, type: formatType(type) });
  }
}

/** Reports a name that is taken, and gives null. */
export function declareLocal(
  fc: FunctionChecker,
  name: string,
  type: Type,
  span: Span,
  constant: boolean,
): VariableSymbol | null {
  const first = fc.scope.get(name) ?? (fc.depth === 2 ? fc.parameters.get(name) : undefined);
  if (first !== undefined) {
    fc.report('duplicateName', span, { name }, { labels: [{ span: first.span, text: 'first declared here' }] });
    return null;
  }
  testReserved(fc.checker, { text: name, span });
  return addVariable(fc, name, type, span, constant, false);
}

/** A parameter, the message of a clause or a foreach variable: it may be unused. */
export function declareParameter(fc: FunctionChecker, name: string, type: Type, span: Span): VariableSymbol {
  return addVariable(fc, name, type, span, false, true);
}

function addVariable(
  fc: FunctionChecker,
  name: string,
  type: Type,
  span: Span,
  constant: boolean,
  mayGoUnused: boolean,
): VariableSymbol {
  const storage = { kind: 'local' as const, local: fc.newLocal(name, type) };
  const variable: VariableSymbol = {
    kind: 'variable',
    name,
    type,
    constant,
    span,
    storage,
    mayGoUnused,
    used: false,
    value: null,
  };
  fc.scope.set(name, variable);
  fc.checker.notes?.name({ span }, variable);
  return variable;
}

export function setVariable({ storage }: VariableSymbol, value: Expression, span: Span): Statement {
  return storage.kind === 'local'
    ? { kind: 'set-local', local: storage.local, value, span }
    : { kind: 'set-global', global: storage.global, value, span };
}

// Targets

/** The target of an assignment: how to read its value, and how to set it. Its subexpressions are evaluated once. */
interface Target {
  readonly type: Type;
  /** A key or an element of a json, which takes any json value. */
  readonly isPartOfJson?: true;
  /** Labels of the places that give its type. */
  readonly labels: readonly Label[];
  readonly setup: readonly Statement[];
  readonly read: () => Expression;
  readonly write: (value: Expression) => Statement;
}

/**
 * A variable, a field or an element. `once` says that the target is read before it is set. Null for anything else,
 * which is reported.
 */
function checkTarget(fc: FunctionChecker, node: Syntax, span: Span, once: boolean): Target | null {
  switch (node.kind) {
    case 'name':
      return checkVariableTarget(fc, node, span);
    case 'member': {
      const imported = findImport(fc, node.object);
      if (imported !== undefined) return checkImportedTarget(fc, imported, node, span);
      const field = checkMember(fc, node);
      fc.checker.notes?.type(node, field.type);
      if (isInvalid(field)) return null;
      if (field.kind === 'get-member') return jsonTarget(fc, field.json, field.key, once, span);
      if (field.kind !== 'get-field') break;
      const held = evaluateOnce(fc, field.object, 'object', once);
      return {
        type: field.type,
        labels: fieldLabels(fc, field),
        setup: held.setup,
        read: () => ({ ...field, object: held.value }),
        write: (value) => ({
          kind: 'set-field',
          object: held.value,
          struct: field.struct,
          field: field.field,
          value,
          span,
        }),
      };
    }
    case 'index': {
      const array = checkValue(fc, node.object);
      if (array.type.kind === 'json') {
        const selector = checkSelector(fc, node);
        return selector === null ? null : jsonTarget(fc, array, selector, once, span);
      }
      const type = elementTypeOf(fc, array, node, true);
      const index = checkAs(fc, node.index, intType);
      if (type === null || isInvalid(index)) return null;
      warnOfNegative(fc, node, index);
      const onceArray = evaluateOnce(fc, array, 'array', once);
      const onceIndex = evaluateOnce(fc, index, 'index', once);
      return {
        type,
        labels: [],
        setup: [...onceArray.setup, ...onceIndex.setup],
        read: () => ({
          kind: 'get-element',
          array: onceArray.value,
          index: onceIndex.value,
          checked: true,
          type,
          span: node.span,
        }),
        write: (value) => ({ kind: 'set-element', array: onceArray.value, index: onceIndex.value, value, span }),
      };
    }
    case 'array-literal':
    case 'binary':
    case 'boolean-literal':
    case 'call':
    case 'cast':
    case 'conditional':
    case 'double-literal':
    case 'int-literal':
    case 'invalid-expression':
    case 'new-array':
    case 'null-literal':
    case 'object-literal':
    case 'string-literal':
    case 'template':
    case 'unary':
    case 'update':
      break;
  }
  const { file, start, end } = node.span;
  const generic = /^\w+\s*<[^;]*>\s*(\w+)$/.exec(file.text.slice(start, Math.min(end, start + 200)));
  // `List<String> xs = …` parses as two comparisons, so the type of xs is unknown.
  if (generic !== null && fc.find(generic[1]!) === undefined)
    declareParameter(fc, generic[1]!, invalidType, { file, start: end - generic[1]!.length, end });
  fc.report(
    'notAssignable',
    node.span,
    {},
    generic === null
      ? {}
      : { help: 'There are no generic types: a list is T[], such as int[]; what has keys is a type or a json.' },
  );
  return null;
}

/** `j.k`, `j["k"]` and `j[i]` */
function jsonTarget(fc: FunctionChecker, json: Expression, selector: Expression, once: boolean, span: Span): Target {
  const onceJson = evaluateOnce(fc, json, 'json', once);
  const onceSelector =
    selector.kind === 'string' ? { setup: [], value: selector } : evaluateOnce(fc, selector, 'selector', once);
  return {
    type: jsonType,
    isPartOfJson: true,
    labels: [],
    setup: [...onceJson.setup, ...onceSelector.setup],
    read: () => readJson(onceJson.value, onceSelector.value, span),
    write: (value) =>
      selector.type.kind === 'int'
        ? { kind: 'set-item', json: onceJson.value, index: onceSelector.value, value, span }
        : { kind: 'set-member', json: onceJson.value, key: onceSelector.value, value, span },
  };
}

function fieldLabels(
  fc: FunctionChecker,
  { object, field, type }: Expression & { readonly kind: 'get-field' },
): readonly Label[] {
  const struct = object.type.kind === 'struct' ? structOf(fc, object.type) : null;
  return struct === null ? [] : [{ span: struct.fields[field]!.span, text: `declared as ${formatType(type)}` }];
}

function checkVariableTarget(fc: FunctionChecker, node: Syntax & { readonly kind: 'name' }, span: Span): Target | null {
  const variable = fc.find(node.text);
  if (variable === undefined) {
    const other = fc.checker.topLevel(node.text);
    if (other !== undefined || fc.checker.imports.has(node.text))
      fc.report('notAssignable', node.span, {}, { labels: other === undefined ? [] : declaredHere(other) });
    else reportUnknownName(fc, node.text, node.span);
    return null;
  }
  fc.checker.notes?.name(node, variable);
  fc.checker.notes?.type(node, variable.type);
  return targetOf(fc, variable, node.text, node.span, span);
}

/** `ns.g` */
function checkImportedTarget(
  fc: FunctionChecker,
  imported: Import,
  node: Syntax & { readonly kind: 'member' },
  span: Span,
): Target | null {
  const symbol = findImported(fc, imported, node.member, 'variable');
  if (symbol === undefined) return null;
  if (symbol.kind === 'variable') return targetOf(fc, symbol, `${imported.alias}.${symbol.name}`, node.span, span);
  fc.report('notAssignable', node.span, {});
  return null;
}

function targetOf(
  fc: FunctionChecker,
  variable: VariableSymbol,
  name: string,
  nameSpan: Span,
  span: Span,
): Target | null {
  variable.used = true;
  if (variable.type.kind === 'invalid') return null;
  if (variable.constant) {
    fc.report('assignToConst', nameSpan, { name }, { labels: [{ span: variable.span, text: 'declared const here' }] });
    return null;
  }
  const labels = [{ span: variable.span, text: `declared as ${formatType(variable.type)}` }];
  return {
    type: variable.type,
    labels,
    setup: [],
    read: () => readVariable(variable, nameSpan),
    write: (value) => setVariable(variable, value, span),
  };
}

/**
 * Puts a value that is read twice into a temporary, so that it is evaluated once. `once` is false if the value is read
 * a single time.
 */
function evaluateOnce(
  fc: FunctionChecker,
  value: Expression,
  purpose: string,
  once: boolean,
): { readonly setup: readonly Statement[]; readonly value: Expression } {
  if (!once || value.kind === 'int') return { setup: [], value };
  const local: LocalId = fc.temporary(purpose, value.type);
  return {
    setup: [{ kind: 'set-local', local, value, span: value.span }],
    value: { kind: 'get-local', local, type: value.type, span: value.span },
  };
}

// Statements and expressions that set

/** `t = v` and `t op= v`: evaluates the subexpressions of the target, its old value for `op=`, then v. */
export function checkAssignment(fc: FunctionChecker, node: Assignment): Statement[] {
  const { span } = node;
  const operator = node.operator.slice(0, -1);
  if (node.target.kind === 'name' && operator === '' && isUndeclared(fc, node.target.text))
    return checkUndeclared(fc, node.target, node.value);
  const target = checkTarget(fc, node.target, span, operator !== '');
  if (target === null) {
    if (node.value.kind !== 'object-literal' && node.value.kind !== 'array-literal') checkValue(fc, node.value);
    return [];
  }
  if (operator === '') {
    const value =
      target.isPartOfJson === true
        ? checkJsonValue(fc, node.value)
        : checkAs(fc, node.value, target.type, target.labels);
    return isInvalid(value) ? [] : [target.write(value)];
  }
  const right = checkValue(fc, node.value);
  const value = convert(
    fc,
    combine(fc, operator, target.read(), right, span, node.operatorSpan),
    target.type,
    target.labels,
    false,
  );
  return isInvalid(value) ? [] : block([...target.setup, target.write(value)], span);
}

/** Whether nothing has the name here, nor further down. */
function isUndeclared(fc: FunctionChecker, name: string): boolean {
  const { checker } = fc;
  const isHere = fc.find(name) !== undefined || checker.topLevel(name) !== undefined || checker.imports.has(name);
  return !isHere && !checker.topLevelNames.has(name);
}

/** `x = 1;` without a declaration of x is a mistake, but its type is clear: the other uses of x are checked with it. */
function checkUndeclared(fc: FunctionChecker, target: Syntax & { readonly kind: 'name' }, value: Syntax): Statement[] {
  const { text: name, span } = target;
  // Keys and values without the name of a struct are a json; elements of an empty array may be anything.
  const isJson = value.kind === 'object-literal';
  const type = isJson ? jsonType : takesItsType(value) ? invalidType : checkValue(fc, value).type;
  const isClear = !undeclarable.has(type.kind);
  const example = value.kind === 'array-literal' && !isClear ? 'int[]' : formatType(isClear ? type : intType);
  const help = `Declare it by its type: ${example} ${name} = …;${isJson ? ' A struct has its name there.' : ''}`;
  const fix = possibleFix('declare it here', { ...span, end: span.start }, `${example} `);
  reportUnknownName(fc, name, span, isClear ? { help, fix } : { help });
  const variable = declareLocal(fc, name, isClear ? type : invalidType, span, false);
  if (variable !== null) variable.used = true;
  return [];
}

/** `x++` as an expression is the old value, `++x` the new one. */
export function checkUpdate(fc: FunctionChecker, node: Syntax & { readonly kind: 'update' }): Expression {
  const { span } = node;
  const target = checkNumericTarget(fc, node);
  if (target === null) return invalid(span);
  const local = fc.temporary('value', target.type);
  const held: Expression = { kind: 'get-local', local, type: target.type, span };
  const keep = (value: Expression): Statement => ({ kind: 'set-local', local, value, span });
  const statements = node.prefix
    ? [...target.setup, keep(step(fc, node, target.read())), target.write(held)]
    : [...target.setup, keep(target.read()), target.write(step(fc, node, held))];
  return sequence(statements, held);
}

/** `x++;` only sets. */
export function checkUpdateStatement(fc: FunctionChecker, node: Syntax & { readonly kind: 'update' }): Statement[] {
  const target = checkNumericTarget(fc, node);
  return target === null ? [] : block([...target.setup, target.write(step(fc, node, target.read()))], node.span);
}

const countingHelp: Readonly<Record<string, string>> = {
  boolean: 'Numbers are counted; the opposite of a boolean is b = !b;',
  json:
    'A json may hold anything: say what is meant, as in j.key = j.key as int + 1; ' +
    'where the key may be missing, j[key] = j.getInt(key, 0) + 1;',
};

function checkNumericTarget(fc: FunctionChecker, node: Syntax & { readonly kind: 'update' }): Target | null {
  const target = checkTarget(fc, node.operand, node.span, true);
  if (target === null || isNumeric(target.type)) return target;
  const help = countingHelp[target.type.kind] ?? 'Numbers are counted.';
  fc.report(
    'operatorUndefined',
    node.span,
    { operator: node.operator, operands: formatType(target.type) },
    { help, labels: target.labels },
  );
  return null;
}

function step(fc: FunctionChecker, node: Syntax & { readonly kind: 'update' }, value: Expression): Expression {
  const { span } = node;
  const one: Expression =
    value.type.kind === 'int'
      ? { kind: 'int', value: 1n, type: intType, span }
      : { kind: 'double', value: 1, type: doubleType, span };
  return combine(fc, node.operator === '++' ? '+' : '-', value, one, span, span);
}

function block(statements: readonly Statement[], span: Span): Statement[] {
  return statements.length === 1 ? [...statements] : [{ kind: 'block', statements, span }];
}
