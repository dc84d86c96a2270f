// Names and members: variables, fields, and constants of namespaces.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import type { Fix, Label } from '../diagnostics/diagnostic.ts';
import { spellingAdvice, spellingFix, sureFix, wordFix } from '../diagnostics/fixes.ts';
import { nearestName } from '../language/nearest-name.ts';
import { doubleType, formatType, isNumeric } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Library, LibraryFunction } from '../library/declare.ts';
import { describeFunction } from '../library/registry.ts';
import type { Span } from '../source.ts';
import { invalid, isInvalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import { checkValue } from './conversions.ts';
import { foreignName, foreignRow } from './habits.ts';
import { foreignIdiom, foreignMethod } from './method-habits.ts';
import { findElsewhere, findImport, findImported, reportNoValue } from './imports.ts';
import { keyOf, readJson } from './json.ts';
import { noteField, reportUnknownField, structOf } from './structs.ts';
import type { TopLevelSymbol, VariableSymbol } from './symbols.ts';
import type { Expression } from './typed-tree.ts';

/** A name on its own is a variable. */
export function checkName(fc: FunctionChecker, node: Syntax & { readonly kind: 'name' }): Expression {
  const variable = fc.find(node.text);
  if (variable !== undefined) {
    fc.checker.notes?.name(node, variable);
    return readVariable(variable, node.span);
  }
  const { checker } = fc;
  const symbol = checker.topLevel(node.text);
  if (symbol !== undefined) checker.notes?.name(node, symbol);
  if (checker.functions.has(node.text))
    return fc.fail(
      'nameIsNoValue',
      node.span,
      { name: node.text, what: 'a function' },
      { help: `Call it: ${node.text}(…).`, labels: declaredHere(checker.functions.get(node.text)!) },
    );
  if (checker.structs.has(node.text))
    return fc.fail(
      'nameIsNoValue',
      node.span,
      { name: node.text, what: 'a type' },
      {
        help: `A value of it is written as a literal: ${node.text} x = { … };`,
        labels: declaredHere(checker.structs.get(node.text)!),
      },
    );
  if (checker.imports.has(node.text)) {
    findImport(fc, node);
    return fc.fail(
      'nameIsNoValue',
      node.span,
      { name: node.text, what: 'an imported file' },
      { help: `What it declares stands behind a point: ${node.text}.…` },
    );
  }
  if (checker.registry.namespace(node.text) !== undefined) {
    return fc.fail(
      'nameIsNoValue',
      node.span,
      { name: node.text, what: 'a namespace' },
      { help: `Its functions are called with a point: ${node.text}.…` },
    );
  }
  return reportUnknownName(fc, node.text, node.span);
}

/** Shows where something of the script was declared. */
export function declaredHere({ name, span }: TopLevelSymbol): readonly Label[] {
  return [{ span, text: `${name} is declared here` }];
}

export function readVariable(variable: VariableSymbol, span: Span): Expression {
  variable.used = true;
  const { type, storage } = variable;
  if (type.kind === 'invalid') return invalid(span);
  if (variable.value !== null) return { ...variable.value, span };
  return storage.kind === 'local'
    ? { kind: 'get-local', local: storage.local, type, span }
    : { kind: 'get-global', global: storage.global, type, span };
}

/** What a diagnostic says besides. */
interface Advice {
  readonly help?: string;
  readonly labels?: readonly Label[];
  readonly fix?: Fix;
}

/** `otherwise` is what helps where the name is not another one that is misspelt. */
export function reportUnknownName(
  fc: FunctionChecker,
  name: string,
  span: Span,
  otherwise: Advice = namespaceHelp(name),
): Expression {
  // Said once for a function: the other places wait for the same declaration.
  if (fc.unknownNames.has(name)) return invalid(span);
  fc.unknownNames.add(name);
  const elsewhere = findElsewhere(fc.checker, 'globals', name);
  if (elsewhere !== null) return fc.fail('unknownName', span, { name }, { help: elsewhere });
  const gone = fc.gone.get(name);
  if (gone !== undefined) {
    const help = 'It is gone at the end of the loop or block that it is declared in: declare it in front of that.';
    return fc.fail('unknownName', span, { name }, { help, labels: declaredHere(gone) });
  }
  const later = declaredLater(fc, name, span);
  if (later !== null) return fc.fail('unknownName', span, { name }, later);
  const foreign = foreignName(name, span);
  if (foreign !== null) return fc.fail('unknownName', span, { name }, foreign);
  const near = spellingAdvice(span, name, [
    ...fc.visibleNames(),
    ...fc.checker.functions.keys(),
    ...fc.checker.imports.keys(),
    ...namespaceNames(fc),
  ]);
  return fc.fail('unknownName', span, { name }, near ?? otherwise);
}

/** A variable may be there, but only further down, at the top of the file or in a block around. */
function declaredLater(fc: FunctionChecker, name: string, { start }: Span): Advice | null {
  const declarators = fc.blocks
    .flat()
    .flatMap((node) => (node.kind === 'variable-declaration' ? node.declarators : []));
  const later = declarators.find((declarator) => declarator.name.text === name && declarator.span.start > start);
  if (later === undefined && !fc.checker.topLevelNames.has(name)) return null;
  const labels = later === undefined ? [] : [{ span: later.name.span, text: `${name} is declared here` }];
  return { help: 'It is declared further down: move its declaration in front of this.', labels };
}

function namespaceHelp(name: string): Advice {
  return /^[A-Z][a-z]/.test(name)
    ? {
        help:
          'A variable is declared by its type; the namespace of a plugin is there where the plugin is given, as in ' +
          '--plugin FILE.',
      }
    : {};
}

function namespaceNames(fc: FunctionChecker): string[] {
  return fc.checker.registry.libraries
    .filter((library) => library.receiver === null && !library.preludeOnly)
    .map(({ name }) => name);
}

/** The namespace that an expression names, if it is not a variable. */
export function findNamespace(fc: FunctionChecker, node: Syntax): Library | undefined {
  if (node.kind !== 'name' || fc.find(node.text) !== undefined) return undefined;
  const library = fc.checker.registry.namespace(node.text, fc.checker.isPrelude);
  if (library !== undefined) fc.checker.notes?.name(node, { kind: 'namespace', library });
  return library;
}

/** `p.x`, or `Math.PI` */
export function checkMember(fc: FunctionChecker, node: Syntax & { readonly kind: 'member' }): Expression {
  const { object, member, span } = node;
  const namespace = findNamespace(fc, object);
  if (namespace !== undefined) return checkConstant(fc, node, namespace);
  const imported = findImport(fc, object);
  if (imported !== undefined) {
    const symbol = findImported(fc, imported, member, 'variable');
    if (symbol === undefined) return invalid(span);
    return symbol.kind === 'variable' ? readVariable(symbol, span) : reportNoValue(fc, imported, symbol, span);
  }
  const value = checkValue(fc, object);
  if (isInvalid(value)) return invalid(span);
  if (value.type.kind === 'struct') {
    const struct = structOf(fc, value.type);
    const field = struct.fields.findIndex(({ name }) => name === member.text);
    if (field >= 0) {
      const { type } = struct.fields[field]!;
      noteField(fc, struct, field, member);
      return type.kind === 'invalid'
        ? invalid(span)
        : { kind: 'get-field', object: value, struct: struct.id, field, type, span };
    }
    reportUnknownField(fc, struct, member.text, member.span);
    return invalid(span);
  }
  if (value.type.kind === 'json') {
    fc.checker.notes?.name(member, { kind: 'json-key' });
    return readJson(value, keyOf(member), span);
  }
  const match = fc.checker.registry.method(value.type, member.text);
  if (match !== undefined) {
    fc.checker.notes?.name(member, { kind: 'library', row: match.method, typeArgument: match.typeArgument });
    const end: Span = { ...member.span, start: member.span.end };
    return fc.fail(
      'methodNotCalled',
      member.span,
      { method: member.text },
      takesNothing(match.method)
        ? { fix: sureFix('call it', end, '()') }
        : { help: `It is declared ${describeFunction(match.method)}.` },
    );
  }
  return fc.fail(
    'noField',
    member.span,
    { type: formatType(value.type), field: member.text },
    methodAdvice(fc, value, member.text, member.span, false),
  );
}

function checkConstant(
  fc: FunctionChecker,
  node: Syntax & { readonly kind: 'member' },
  namespace: Library,
): Expression {
  const { member, span } = node;
  const row = namespace.functions.find(({ name }) => name === member.text);
  if (row === undefined) return reportUnknownFunction(fc, namespace, member.text, member.span);
  fc.checker.notes?.name(member, { kind: 'library', row, typeArgument: null });
  if (row.implementation.kind === 'constant')
    return { kind: 'double', value: row.implementation.value, type: doubleType, span };
  return fc.fail(
    'methodNotCalled',
    member.span,
    { method: `${namespace.name}.${member.text}` },
    takesNothing(row)
      ? { fix: sureFix('call it', { ...member.span, start: member.span.end }, '()') }
      : { help: `It is declared ${describeFunction(row)}.` },
  );
}

export function reportUnknownFunction(fc: FunctionChecker, namespace: Library, name: string, span: Span): Expression {
  const names = namespace.functions.map((row) => row.name);
  const [only, ...more] = namespace.functions;
  const all =
    only === undefined || more.length > 0 || only.implementation.kind === 'constant'
      ? `It has ${names.join(', ')}.`
      : `Its only function is ${only.id}(${only.parameters.length === 0 ? '' : '…'}).`;
  const options = foreignRow(namespace.name, name, span) ?? spellingAdvice(span, name, names) ?? { help: all };
  return fc.fail('unknownLibraryFunction', span, { namespace: namespace.name, name }, options);
}

/** Advice for a method or field that a type does not have; `span` is the name, `isCalled` where arguments follow. */
export function methodAdvice(
  fc: FunctionChecker,
  receiver: Expression,
  name: string,
  span: Span,
  isCalled: boolean,
): ReportOptions {
  const rows = fc.checker.registry.methodsOf(receiver.type);
  const names = rows.map((row) => row.name);
  const idiom = foreignIdiom(name, receiver.type, names);
  if (idiom !== null) return { help: idiom };
  const foreign = foreignMethod(name);
  const meant = rows.find((row) => row.name === foreign?.name);
  if (meant !== undefined)
    return {
      help: `It is called ${meant.name}().`,
      fix: wordFix(span, isCalled ? meant.name : `${meant.name}()`, foreign!.same && (isCalled || takesNothing(meant))),
    };
  const inMath = mathAdvice(fc, receiver.type, name);
  if (inMath !== null) return { help: inMath };
  const owner = fc.checker.registry.libraries.filter(
    (library) => library.receiver !== null && library.functions.some((row) => row.name === name),
  );
  if (owner.length > 0) return { help: `${name}() is a method of ${owner.map((library) => library.name).join(', ')}.` };
  const near = nearestName(name, names);
  const isEmptyCall = isCalled && /^\s*\(\s*\)/.test(span.file.text.slice(span.end, span.end + 100));
  const keyAdvice =
    receiver.type.kind === 'json' && isEmptyCall
      ? `A key is read without parentheses: ${name} of j is j.${name}.`
      : null;
  return near === null
    ? { help: keyAdvice }
    : { help: `Did you mean '${near}()'?`, ...(isCalled ? { fix: spellingFix(span, name, near) } : {}) };
}

/** `x.sqrt()`, where the function is one of Math. */
function mathAdvice(fc: FunctionChecker, receiver: Type, name: string): string | null {
  if (!isNumeric(receiver)) return null;
  const row = fc.checker.registry.namespace('Math')?.functions.find((candidate) => candidate.name === name);
  if (row === undefined || row.parameters.length === 0) return null;
  return `Write Math.${name}(${row.parameters.map((parameter) => parameter.name).join(', ')}).`;
}

function takesNothing(row: LibraryFunction): boolean {
  return row.parameters.every(({ initialiser }) => initialiser !== null);
}
