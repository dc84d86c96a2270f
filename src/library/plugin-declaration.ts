// Converts a plugin author's declaration to rows of the library. Every fault in it is reported with its place.

import { keywords } from '../language/keywords.ts';
import { formatType, structType } from '../language/types.ts';
import type { StructType, Type } from '../language/types.ts';
import type { PluginImplementation } from '../language/implementation.ts';
import type { LibraryFunction } from './declare.ts';
import { outsideEffects } from './effects.ts';
import { namespaceNames } from './generated/namespaces.ts';
import { ownData, pluginFile, pluginMark, pluginVersion } from './plugins.ts';
import type { DeclaredPlugin, PluginFunction, Work } from './plugins.ts';
import { readLoneType, readSignature, readStruct, readTypeName, SignatureFault } from './plugin-signature.ts';
import type { PluginSignature, PluginStruct } from './plugin-signature.ts';

/** A function in the author's declaration. */
export interface FunctionDeclaration {
  /** `double mean(double[] xs)` */
  readonly signature: string;
  readonly documentation: string;
  /** The receiver's type of a method, such as `string`; null for a function of the namespace. */
  readonly on: string | null;
  /** The permission `category:action` that the host must grant; null for none. */
  readonly permission: string | null;
  /** Whether it returns a promise; not needed for an `async` function. */
  readonly async: boolean;
  readonly work: Work | null;
  readonly details: Work | null;
}

export interface PluginDeclaration {
  readonly name: string;
  readonly documentation: string;
  /** `type Point { double x; double y; }` */
  readonly types: readonly string[];
  readonly functions: readonly FunctionDeclaration[];
  readonly wasm: DeclaredPlugin['wasm'];
}

/** A plugin, for the option `plugins` of `compile` and `loadScript`. */
export interface PluginModule {
  /** @internal */
  readonly [pluginMark]: DeclaredPlugin;
}

/** The namespaces of the library, and the name from which modules import the host's functions. */
export const reservedNamespaces: readonly string[] = [...namespaceNames, 'Json', 'sluice'];

/** Throws TypeError, which names the place, for an invalid declaration. */
export function declarePlugin(declaration: PluginDeclaration): DeclaredPlugin {
  const name = readText(declaration, 'name', 'a plugin');
  checkNamespace(name);
  const place = `plugin ${name}`;
  const types = readTypes(readList(declaration, 'types', place), name);
  const { wasm } = declaration;
  const functions = readList(declaration, 'functions', place).map((declared, at) =>
    readFunction(declared, { name, at, types, isWasm: wasm !== null }),
  );
  const seen = new Set<string>();
  for (const { row } of functions) {
    if (seen.has(row.id)) throw new TypeError(`${place}: ${row.id} is declared twice`);
    seen.add(row.id);
  }
  return Object.freeze({
    version: pluginVersion,
    name,
    documentation: readText(declaration, 'documentation', place),
    structs: [...types.values()],
    functions,
    wasm,
  });
}

/** Marks a declaration, so that every copy of Sluice recognises it. */
export function markModule(declaration: PluginDeclaration): PluginModule {
  return Object.freeze({ [pluginMark]: declarePlugin(declaration) });
}

function checkNamespace(name: string): void {
  const problem = !/^[A-Za-z_]\w*$/.test(name)
    ? 'is no name: letters, digits and _ make one, and no digit comes first'
    : reservedNamespaces.includes(name)
      ? 'is taken by Sluice: choose another name'
      : keywords.includes(name)
        ? 'is a word of the language: choose another name'
        : null;
  if (problem !== null) throw new TypeError(`the namespace ${JSON.stringify(name)} of a plugin ${problem}`);
}

// Types

function readTypes(texts: readonly unknown[], plugin: string): ReadonlyMap<string, PluginStruct> {
  const types = new Map<string, StructType>();
  const placed = texts.map((text, at) => {
    const place = `plugin ${plugin}, types[${at}]`;
    if (typeof text !== 'string')
      throw new TypeError(`${place} is a declaration as text, such as type Point { double x; }`);
    const name = atPlace(place, text, () => readTypeName(text));
    if (types.has(name)) throw new TypeError(`${place}: the type ${name} is declared twice`);
    if (keywords.includes(name)) throw new TypeError(`${place}: ${name} is a word of the language`);
    types.set(name, structType(pluginFile(plugin), name));
    return { place, text };
  });
  return new Map(
    placed.map(({ place, text }) => {
      const struct = atPlace(place, text, () => readStruct(text, types));
      return [struct.type.name, struct];
    }),
  );
}

/** The declaration in the script language. */
export function describeStruct({ type, fields }: PluginStruct): string {
  return `type ${type.name} { ${fields.map((field) => `${formatType(field.type)} ${field.name};`).join(' ')} }`;
}

// Functions

interface Around {
  readonly name: string;
  readonly at: number;
  readonly types: ReadonlyMap<string, PluginStruct>;
  readonly isWasm: boolean;
}

function readFunction(declared: unknown, { name: plugin, at, types, isWasm }: Around): PluginFunction {
  const place = `plugin ${plugin}, function ${at + 1}`;
  if (typeof declared !== 'object' || declared === null) throw new TypeError(`${place} is an object`);
  const text = readText(declared, 'signature', place);
  const structs = new Map([...types].map(([name, { type }]) => [name, type]));
  const signature = atPlace(place, text, () => readSignature(text, structs));
  const named = `plugin ${plugin}, ${signature.name}`;
  const on = readOptional(declared, 'on', 'string', named);
  const receiver = on === null ? null : atPlace(`${named}, on`, on, () => readLoneType(on, structs));
  const permission = readPermission(readOptional(declared, 'permission', 'string', named), named);
  const work = readOptional(declared, 'work', 'function', named);
  if (work === null && !isWasm) throw new TypeError(`${named} has no function`);
  const waits =
    permission !== null ||
    ownData(declared, 'async') === true ||
    Object.prototype.toString.call(work) === '[object AsyncFunction]';
  const isOfNumbers = [
    ...(receiver === null ? [] : [receiver]),
    ...signature.parameters.map(({ type }) => type),
    signature.returns,
  ].every(isNumber);
  if (isWasm && (!isOfNumbers || waits))
    throw new TypeError(
      `${named}: a function of a WebAssembly module takes and gives int, double and boolean alone, ` +
        'and asks for no permission',
    );
  const way = isWasm ? 'linked' : isOfNumbers && !waits ? 'direct' : 'streamed';
  const owner = receiver === null ? plugin : formatType(receiver);
  const implementation: PluginImplementation = {
    kind: 'plugin',
    plugin,
    importName: receiver === null ? signature.name : `${owner}.${signature.name}`,
    way,
    waits,
    contract: [
      isWasm ? 'wasm ' : '',
      waits && permission === null ? 'async ' : '',
      describe(signature, `${owner}.`),
      permission === null ? '' : ` with the permission ${permission.category}:${permission.action}`,
      describeUsed(receiver, signature, types),
    ].join(''),
  };
  const row: LibraryFunction = {
    id: `${owner}.${signature.name}`,
    library: owner,
    name: signature.name,
    signature: describe(signature, ''),
    receiver,
    parameters: signature.parameters,
    returns: signature.returns,
    documentation: readText(declared, 'documentation', named),
    implementation,
    effects: outsideEffects({ receiver, parameters: signature.parameters, implementation }),
    example: null,
    preludeOnly: false,
  };
  return {
    row,
    returnsNull: signature.returnsNull,
    permission,
    work,
    details: readOptional(declared, 'details', 'function', named),
  };
}

function isNumber({ kind }: Type): boolean {
  return kind === 'int' || kind === 'double' || kind === 'boolean' || kind === 'void';
}

function readPermission(text: string | null, place: string): PluginFunction['permission'] {
  if (text === null) return null;
  const [, category, action] = /^([\w.-]+):([\w.-]+)$/.exec(text) ?? [];
  if (category === undefined || action === undefined)
    throw new TypeError(
      `${place}: a permission is a category and an action, such as db:query, not ${JSON.stringify(text)}`,
    );
  return { category, action };
}

/** The signature as text, equal for equal signatures; `owner` comes before the name. */
function describe({ returns, returnsNull, name, parameters }: PluginSignature, owner: string): string {
  const mark = (isMarked: boolean): string => (isMarked ? '?' : '');
  const listed = parameters.map(
    (parameter) =>
      `${formatType(parameter.type)}${mark(parameter.nullable)} ` +
      `${parameter.name}${parameter.initialiser === null ? '' : ` = ${parameter.initialiser}`}`,
  );
  return `${formatType(returns)}${mark(returnsNull)} ${owner}${name}(${listed.join(', ')})`;
}

/** The declarations of the types in a signature. */
function describeUsed(
  receiver: Type | null,
  { returns, parameters }: PluginSignature,
  types: ReadonlyMap<string, PluginStruct>,
): string {
  const used = new Set<PluginStruct>();
  const note = (type: Type): void => {
    if (type.kind === 'array') note(type.element);
    const struct = type.kind === 'struct' ? types.get(type.name)! : undefined;
    if (struct === undefined || used.has(struct)) return;
    used.add(struct);
    for (const field of struct.fields) note(field.type);
  };
  for (const type of [receiver, returns, ...parameters.map((parameter) => parameter.type)])
    if (type !== null) note(type);
  return used.size === 0 ? '' : ` where ${[...used].map(describeStruct).join(', ')}`;
}

// Values of any kind

function readText(object: object, key: string, place: string): string {
  const value = ownData(object, key);
  if (typeof value !== 'string') throw new TypeError(`${place}: the ${key} is a text`);
  return value;
}

function readList(object: object, key: string, place: string): readonly unknown[] {
  const value = ownData(object, key);
  if (!Array.isArray(value)) throw new TypeError(`${place}: ${key} is an array`);
  return Array.from({ length: value.length }, (_, at) => ownData(value, at));
}

function readOptional<Kind extends 'string' | 'function'>(
  object: object,
  key: string,
  kind: Kind,
  place: string,
): (Kind extends 'string' ? string : Work) | null {
  const value = ownData(object, key);
  if (value === undefined || value === null) return null;
  if (typeof value !== kind) throw new TypeError(`${place}: ${key} is a ${kind === 'string' ? 'text' : 'function'}`);
  return value as Kind extends 'string' ? string : Work;
}

/** Adds the place of the text to a fault in it. */
function atPlace<Value>(place: string, text: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SignatureFault)) throw error;
    throw new TypeError(`${place}, column ${error.column} of ${JSON.stringify(text)}: ${error.what}`, { cause: error });
  }
}
