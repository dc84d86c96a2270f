// The names of a file: types, functions and global variables, and what the types in signatures mean.

import type { FunctionDeclaration, Name, Parameter, TypeDeclaration, TypeSyntax } from '../1-parse/syntax-tree.ts';
import { nearestName } from '../language/nearest-name.ts';
import type { ReportOptions } from '../diagnostics/catalog.ts';
import { spellingAdvice, spellingFix, sureFix, wordFix } from '../diagnostics/fixes.ts';
import { hintFix, wordHint } from '../diagnostics/word-hints.ts';
import {
  arrayOf,
  formatType,
  hiddenTypes,
  invalidType,
  isNullable,
  mentionsVariable,
  typeKeywords,
  structType,
} from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import type { Checker } from './checker.ts';
import { findElsewhere, noteImport } from './imports.ts';
import type { FunctionSymbol, ParameterSymbol, StructSymbol } from './symbols.ts';

/** Types and functions are visible in the whole file, whatever their order. */
export function collectDeclarations(checker: Checker): void {
  const types = checker.items.filter((item) => item.kind === 'type-declaration');
  for (const node of types) collectType(checker, node);
  for (const node of types) resolveFields(checker, node);
  for (const item of checker.items) if (item.kind === 'function-declaration') collectFunction(checker, item);
}

function collectType(checker: Checker, node: TypeDeclaration): void {
  if (!isFreeName(checker, node.name)) return;
  const { text: name, span } = node.name;
  const symbol: StructSymbol = {
    kind: 'struct',
    id: checker.idOf(name),
    module: checker.moduleId,
    name,
    span,
    node,
    fields: [],
  };
  checker.structs.set(name, symbol);
  checker.notes?.name(node.name, symbol);
  checker.tables.structs.set(symbol.id, symbol);
}

function resolveFields(checker: Checker, node: TypeDeclaration): void {
  const struct = checker.structs.get(node.name.text);
  if (struct === undefined || struct.node !== node) return;
  if (node.isBroken === true) checker.tables.partialStructs.add(node.name.text);
  const fields: StructSymbol['fields'][number][] = [];
  for (const field of node.fields) {
    const first = fields.find(({ name }) => name === field.name.text);
    if (first !== undefined) {
      checker.report(
        'duplicateName',
        field.name.span,
        { name: field.name.text },
        { labels: [{ span: first.span, text: 'first declared here' }] },
      );
      continue;
    }
    const made = { name: field.name.text, type: resolveType(checker, field.type), span: field.name.span };
    fields.push(made);
    checker.notes?.name(field.name, { kind: 'field', struct, ...made });
  }
  if (node.fields.length === 0) checker.report('emptyStruct', node.name.span, { name: node.name.text });
  testCount(checker, 'fields', fields.length, mostFields, node.name.span);
  struct.fields = fields;
}

function collectFunction(checker: Checker, node: FunctionDeclaration): void {
  const isMain = node.name.text === 'main';
  const isForeign = isMain && isFunctionWord(node.returnType);
  const returns = isForeign ? invalidType : resolveType(checker, node.returnType, true);
  // Another word that is no type, such as `async`, has advice of its own.
  if (isForeign || (isMain && returns.kind !== 'invalid')) {
    const span: Span = { ...node.returnType.span, end: node.name.span.start };
    checker.report('mainWithType', node.returnType.span, {}, { fix: sureFix('leave the type away', span, '') });
  }
  const parameters = resolveParameters(checker, node.parameters);
  if (!isFreeName(checker, node.name)) return;
  const name = node.name.text;
  const generic = [returns, ...parameters.map(({ type }) => type)].some(mentionsVariable);
  const symbol: FunctionSymbol = {
    kind: 'function',
    id: checker.idOf(name),
    module: checker.moduleId,
    name,
    span: node.name.span,
    node,
    returns,
    parameters,
    generic,
  };
  checker.functions.set(name, symbol);
  checker.notes?.name(node.name, symbol);
}

/** `function main()`, in the words of other languages. */
function isFunctionWord(type: TypeSyntax): boolean {
  return type.kind === 'named-type' && type.qualifier === null && functionWords.has(type.name.text);
}

const functionWords = new Set(['def', 'fn', 'fun', 'func', 'function']);

const mostFields = 10_000;
const mostParameters = 1000;

/** The most that an engine takes. */
export function testCount(checker: Checker, what: string, found: number, limit: number, span: Span): void {
  if (found > limit) checker.report('tooMany', span, { what, found, limit });
}

/** Defaults come after required parameters; only the last may be variadic. */
export function resolveParameters(checker: Checker, nodes: readonly Parameter[]): readonly ParameterSymbol[] {
  if (nodes.length > mostParameters)
    testCount(checker, 'parameters', nodes.length, mostParameters, nodes[mostParameters]!.span);
  const seen = new Map<string, Parameter>();
  let defaultBefore: Span | null = null;
  return nodes.map((node, index): ParameterSymbol => {
    const name = node.name.text;
    testReserved(checker, node.name);
    const first = seen.get(name);
    if (first !== undefined) {
      checker.report(
        'duplicateName',
        node.name.span,
        { name },
        { labels: [{ span: first.name.span, text: 'first declared here' }] },
      );
    }
    seen.set(name, node);
    if (node.variadic && index < nodes.length - 1) checker.report('variadicNotLast', node.span, { name });
    if (node.initialiser !== null) defaultBefore = node.span;
    else if (defaultBefore !== null && !node.variadic)
      checker.report(
        'requiredAfterDefault',
        node.name.span,
        { name },
        { labels: [{ span: defaultBefore, text: 'this one has a default' }] },
      );
    const type = resolveType(checker, node.type);
    return {
      name,
      type: node.variadic && type.kind !== 'invalid' ? arrayOf(type) : type,
      node,
      variadic: node.variadic,
    };
  });
}

/** A name of the file is declared once, and is no namespace of the library. */
export function isFreeName(checker: Checker, name: Name): boolean {
  if (!testReserved(checker, name)) return false;
  const other = checker.topLevel(name.text) ?? checker.imports.get(name.text);
  if (other === undefined) return true;
  // Types and functions are collected before variables, but the fault is reported at the second declaration in the
  // text.
  const isFirst = name.span.start < other.span.start;
  const [first, second] = isFirst ? [name, other] : [other, name];
  checker.report(
    'duplicateName',
    second.span,
    { name: name.text },
    { labels: [{ span: first.span, text: 'first declared here' }] },
  );
  if (isFirst) checker.functions.delete(name.text);
  return isFirst;
}

/** Namespaces are reserved everywhere. */
export function testReserved(checker: Checker, name: Name): boolean {
  const isNamespace = checker.registry.namespace(name.text) !== undefined;
  if (isNamespace) checker.report('reservedName', name.span, { name: name.text });
  return !isNamespace;
}

/** What other languages call these types. */
const foreignTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Double: 'double',
    Float: 'double',
    f64: 'double',
    f32: 'double',
    integer: 'int',
    Integer: 'int',
    Int: 'int',
    i64: 'int',
    i32: 'int',
    u64: 'int',
    u32: 'int',
    short: 'int',
    byte: 'int',
    size_t: 'int',
    int64: 'int',
    Long: 'int',
    Boolean: 'boolean',
    Bool: 'boolean',
    str: 'string',
    text: 'string',
    Text: 'string',
    object: 'json',
    Object: 'json',
    any: 'json',
    JSON: 'json',
    Json: 'json',
    dict: 'json',
    Map: 'json',
    HashMap: 'json',
    map: 'json',
  }),
);

/** The type that is meant; an unknown one is reported and invalid. */
export function resolveType(checker: Checker, node: TypeSyntax, allowVoid = false): Type {
  switch (node.kind) {
    case 'primitive-type': {
      const type = typeKeywords.get(node.name)!;
      if (type.kind === 'void' && !allowVoid) {
        checker.report('voidType', node.span, {});
        return invalidType;
      }
      return type;
    }
    case 'named-type':
      return resolveNamed(checker, node);
    case 'array-type': {
      const element = resolveType(checker, node.element);
      return element.kind === 'invalid' ? invalidType : arrayOf(element);
    }
    case 'nullable-type': {
      const inner = resolveType(checker, node.inner);
      if (inner.kind === 'invalid' || isNullable(inner)) return inner;
      checker.report('nullablePrimitive', node.span, { type: formatType(inner) });
      return invalidType;
    }
    case 'invalid-type':
      return invalidType;
  }
}

/** `ns.T` */
function resolveImported(checker: Checker, qualifier: Name, name: Name): Type {
  const imported = checker.import(qualifier.text);
  if (imported !== undefined) noteImport(checker, qualifier, imported);
  const owner = imported === undefined ? checker.pluginTypes(qualifier.text) : imported.checker;
  if (owner === undefined) {
    checker.report(
      'unknownName',
      qualifier.span,
      { name: qualifier.text },
      spellingAdvice(qualifier.span, qualifier.text, checker.imports.keys()) ?? {
        help: 'What stands before the point of a type is the name of an import, or of a plugin that has types.',
      },
    );
    return invalidType;
  }
  if (owner === null) return invalidType;
  const struct = owner.structs.get(name.text);
  if (struct !== undefined) {
    checker.notes?.name(name, struct);
    return structType(struct.module, struct.name);
  }
  // What it lacks may be what could not be read.
  if (owner.isBroken) return invalidType;
  checker.report(
    'notInImport',
    name.span,
    { alias: qualifier.text, name: name.text, what: 'type' },
    spellingAdvice(name.span, name.text, owner.structs.keys()) ?? {},
  );
  return invalidType;
}

function resolveNamed(checker: Checker, node: TypeSyntax & { readonly kind: 'named-type' }): Type {
  const name = node.name.text;
  if (node.qualifier !== null) {
    return resolveImported(checker, node.qualifier, node.name);
  }
  const struct = checker.structs.get(name);
  if (struct !== undefined) {
    checker.notes?.name(node.name, struct);
    return structType(struct.module, name);
  }
  const hidden = checker.isPrelude ? hiddenTypes.get(name) : undefined;
  if (hidden !== undefined) return hidden;
  checker.report('unknownType', node.span, { name }, typeAdvice(checker, name, node.span));
  return invalidType;
}

/** Advice for a type that does not exist: what was probably meant. */
function typeAdvice(checker: Checker, name: string, span: Span): ReportOptions {
  const hint = wordHint(name, true);
  if (hint !== null) return { help: hint.help, ...hintFix(hint, span) };
  const elsewhere = findElsewhere(checker, 'structs', name);
  if (elsewhere !== null) return { help: elsewhere };
  const foreign = foreignTypes.get(name);
  if (foreign === 'json')
    return {
      help: 'Keys that are known make a type of their own; for those that are not there is json.',
      fix: wordFix(span, foreign, false),
    };
  if (foreign !== undefined) return { help: `The type is called ${foreign}.`, fix: wordFix(span, foreign, true) };
  if (/^(Array)?List$|^Array$|^Vec(tor)?$|^list$/.test(name))
    return { help: 'A list is an array: int[], string[], Point[].' };
  const near = nearestName(name, [...checker.structs.keys(), ...typeKeywords.keys()]);
  if (near === null) return {};
  const struct = checker.structs.get(near);
  return {
    help: `Did you mean '${near}'?`,
    fix: spellingFix(span, name, near),
    labels: struct === undefined ? [] : [{ span: struct.span, text: `${near} is declared here` }],
  };
}
