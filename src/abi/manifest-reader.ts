// What a host accepts as a manifest. Anybody may have made the module: the size of its section is checked before it is
// parsed, and its content is checked against a schema before anything else reads it. The result has the properties of a
// manifest and no others. This file imports next to nothing: in browsers it is a chunk of its own.

import { abiVersion } from './manifest.ts';
import type { LocationTable, Manifest } from './manifest.ts';
import { deepestValue } from './nesting.ts';
import type { TypeDescriptor } from './values.ts';

/** Most bytes of a section, and most arrays and objects in it: many times what a megabyte of source makes. */
const mostBytes = 1 << 24;
const mostParts = 1_000_000;
/** The type of an array nests one object for each dimension. */
const deepest = deepestValue + 16;

/**
 * The schema of a part of a manifest: the name of a kind, null or another schema, a list, or an object with these keys;
 * a key with `?` may be absent.
 */
type Schema =
  | keyof typeof kinds
  | 'type'
  | { readonly orNull: Schema }
  | { readonly list: Schema }
  | { readonly named: Schema }
  | { readonly keys: ReadonlyMap<string, Schema> };

const isInteger = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const largest = 2 ** 31 - 1;

/** The kinds by name. */
const kinds = {
  version: (value: unknown) => value === abiVersion,
  text: (value: unknown) => typeof value === 'string',
  // As in the language, since such names are written into TypeScript declarations.
  name: (value: unknown) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  'list of whole numbers': (value: unknown) =>
    Array.isArray(value) && value.every((item) => isInteger(item, -largest, largest)),
} as const;

/** An object without a prototype: what a package has added to Object.prototype is no part of the schema. */
function own(part: Exclude<Schema, string>): Schema {
  return Object.setPrototypeOf(part, null) as Schema;
}

function keys(record: Readonly<Record<string, Schema>>): Schema {
  return own({ keys: new Map(Object.entries(record)) });
}

const numbers = 'list of whole numbers';
const texts: Schema = own({ list: 'text' });
const sent: Schema = own({ list: own({ orNull: 'type' }) });
const outputs = keys({ yields: sent, returns: sent, returnsNothing: 'boolean' });
const field = { name: 'name', type: 'type' } as const;
const parameter = { ...field, required: 'boolean' } as const;

const schema = keys({
  abi: 'version',
  name: 'text',
  headers: own({ list: keys({ tool: 'text', key: 'text', value: 'text' }) }),
  parameters: own({ orNull: own({ named: keys(parameter) }) }),
  'exports?': own({
    named: keys({
      name: 'name',
      parameters: own({ named: keys({ ...parameter, variadic: 'boolean' }) }),
      returns: own({ orNull: 'type' }),
      'outputs?': outputs,
    }),
  }),
  'yields?': sent,
  'results?': sent,
  'outputs?': outputs,
  structs: own({ list: keys({ name: 'name', 'file?': 'text', fields: own({ named: keys(field) }) }) }),
  'waits?': texts,
  'guards?': texts,
  'plugins?': own({ list: keys({ plugin: 'text', name: 'text', contract: 'text' }) }),
  'asks?': texts,
  namespaces: texts,
  locations: keys({
    files: texts,
    functions: texts,
    places: numbers,
    code: numbers,
    'used?': numbers,
    'inlined?': numbers,
    'uses?': texts,
  }),
});

/** Its message says what is wrong. */
class Fault extends Error {}

/** The manifest, or a sentence that says what is wrong; `section` is the custom section of the manifest. */
export function readManifest(section: Uint8Array): Manifest | string {
  try {
    checkSize(section);
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(section));
    const abi: unknown =
      typeof json === 'object' && json !== null && Object.hasOwn(json, 'abi') ? (json as Manifest).abi : undefined;
    if (Number.isSafeInteger(abi) && abi !== abiVersion) {
      return (
        `this module speaks version ${String(abi)} of the interface, this host version ${abiVersion}: ` +
        'compile the script again with the Sluice that runs it'
      );
    }
    const manifest = read(schema, json, '') as Manifest;
    checkTypes(manifest);
    checkLocations(manifest.locations);
    return manifest;
  } catch (error) {
    return `the manifest of this WebAssembly module is damaged${error instanceof Fault ? `: ${error.message}` : ''}`;
  }
}

const startSection = 8;

/**
 * Whether a valid module runs code as soon as it is instantiated. Engines list imports and exports only, no start
 * function.
 */
export function hasStart(bytes: Uint8Array): boolean {
  for (let at = 8; at < bytes.length;) {
    if (bytes[at] === startSection) return true;
    let size = 0;
    let shift = 0;
    do {
      at += 1;
      size += (bytes[at]! & 127) * 2 ** shift;
      shift += 7;
    } while (bytes[at]! >= 128);
    at += 1 + size;
  }
  return false;
}

/** Refuses a section that is large, deeply nested or has very many parts, since to parse it would take long. */
function checkSize(section: Uint8Array): void {
  if (section.length > mostBytes) throw new Fault('it is too large');
  let depth = 0;
  let parts = 0;
  let isText = false;
  for (let at = 0; at < section.length; at++) {
    const byte = section[at]!;
    if (byte === 0x22) isText = !isText;
    else if (isText) at += Number(byte === 0x5c);
    // Brackets and braces differ in one bit: this counts both.
    else if ((byte & ~0x20) === 0x5b) {
      if (++depth > deepest || ++parts > mostParts)
        throw new Fault(depth > deepest ? 'it is nested too deep' : 'it has too many parts');
    } else if ((byte & ~0x20) === 0x5d) depth--;
  }
}

/**
 * A copy of the parts that the schema knows; its objects have no prototype, so that an absent key reads as undefined.
 */
function read(part: Schema, value: unknown, at: string): unknown {
  if (part === 'type') return readType(value, at);
  if (typeof part === 'string') {
    if (kinds[part](value)) return value;
    throw new Fault(`${at} is not a ${part}`);
  }
  if ('orNull' in part) return value === null ? null : read(part.orNull, value, at);
  if ('keys' in part) return readKeys(part.keys, value, at);
  if (!Array.isArray(value)) throw new Fault(`${at} is not a list`);
  if ('list' in part) return value.map((item, index) => read(part.list, item, `${at}[${index}]`));
  const items = value.map((item, index) => read(part.named, item, `${at}[${index}]`) as { readonly name: string });
  if (new Set(items.map(({ name }) => name)).size < items.length) throw new Fault(`${at} has a name twice`);
  return items;
}

/** `checkTypes` finds out later whether the struct exists. */
function readType(value: unknown, at: string): TypeDescriptor {
  const isOf = (key: string): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 1 && Object.hasOwn(value, key);
  if (typeof value === 'string' && ['int', 'double', 'boolean', 'string', 'json'].includes(value))
    return value as TypeDescriptor;
  const { array, struct } = (value ?? {}) as { readonly array?: unknown; readonly struct?: unknown };
  if (isOf('array')) return Object.assign(bare(), { array: readType(array, at) });
  if (isOf('struct') && isInteger(struct, 0, largest)) return Object.assign(bare(), { struct: struct as number });
  throw new Fault(`${at} is not a type`);
}

function bare(): object {
  return Object.create(null) as object;
}

function readKeys(known: ReadonlyMap<string, Schema>, value: unknown, at: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault(`${at === '' ? 'it' : at} is not an object`);
  const copy = bare() as Record<string, unknown>;
  for (const [key, part] of known) {
    const name = key.replace('?', '');
    if (Object.hasOwn(value, name))
      copy[name] = read(part, (value as Record<string, unknown>)[name], at === '' ? name : `${at}.${name}`);
    else if (name === key) throw new Fault(`${at === '' ? '' : `${at} has `}no ${name}`);
  }
  return copy;
}

/**
 * Checks that every struct exists that a type refers to, and that a variadic parameter is an array and the last one.
 */
function checkTypes({ parameters, exports = [], yields = [], results = [], outputs, structs }: Manifest): void {
  const check = (type: TypeDescriptor | null, at: string): void => {
    let inner = type;
    while (typeof inner === 'object' && inner !== null && 'array' in inner) inner = inner.array;
    if (typeof inner === 'object' && inner !== null && inner.struct >= structs.length)
      throw new Fault(`${at} is of a struct that is not there`);
  };
  for (const { name, type } of [...(parameters ?? []), ...structs.flatMap(({ fields }) => fields)]) check(type, name);
  for (const { yields: sent, returns } of [
    { yields, returns: results },
    ...[outputs, ...exports.map((fn) => fn.outputs)].flatMap((given) => given ?? []),
  ])
    for (const type of [...sent, ...returns]) check(type, 'what it yields or returns');
  for (const fn of exports) {
    check(fn.returns, fn.name);
    fn.parameters.forEach(({ name, type, variadic }, at) => {
      check(type, name);
      if (variadic && (at < fn.parameters.length - 1 || typeof type !== 'object' || !('array' in type)))
        throw new Fault(`${name} of ${fn.name} cannot be variadic`);
    });
  }
}

function checkLocations({ files, functions, places, code, uses = [], used = [] }: LocationTable): void {
  const rows: readonly (readonly [readonly number[], mostAt: readonly number[]])[] = [
    [places, [files.length - 1, largest, largest, functions.length - 1]],
    // These are differences.
    [code.map(Math.abs), [largest, largest]],
    [used, [largest, uses.length - 1]],
  ];
  for (const [numbers, most] of rows) {
    if (numbers.length % most.length !== 0) throw new Fault('its locations are cut off');
    if (numbers.some((value, at) => value < 0 || value > most[at % most.length]!))
      throw new Fault('its locations point to what is not there');
  }
}
