// Values that enter a module: the arguments of main are checked against the manifest and copied before the
// script starts, and read part by part when it asks. The arguments of calls are in call-arguments.ts.

import { deepestValue, longestArrays } from '../../src/abi/values.ts';
import type { Manifest, ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { ArgumentError } from '../errors/errors.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { Parts } from './parts.ts';
import type { CheckedArguments, Part } from './parts.ts';
import type { Numbers } from './staging.ts';
import { describeType } from './value-writer.ts';

/** What an embedder may pass: numbers that are safe integers for int, plain or typed arrays. */
export type ArgumentValue = null | bigint | number | boolean | string | ArrayLike<unknown> | { readonly [field: string]: unknown };
export type Arguments = Readonly<Record<string, unknown>>;

/** Inside a json argument: a number that is a double though it is whole, such as 42.0. */
export class JsonDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Throws ArgumentError for the first argument that is unknown, missing or of the wrong type. */
export function checkArguments(manifest: Manifest, values: Arguments): CheckedArguments {
  const parameters = manifest.parameters ?? [];
  const names = parameters.map((parameter) => parameter.name);
  for (const name of Object.keys(values)) {
    if (!names.includes(name)) throw new ArgumentError(name, unknownArgument(name, names));
  }
  return parameters.map(({ name, type, required }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) return new ArgumentCheck(manifest.structs, name).part(type, value, name, 0);
    if (required) throw new ArgumentError(name, `missing argument ${name}: main takes ${describeType(type, manifest.structs)} ${name}`);
    return undefined;
  });
}

function unknownArgument(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  if (nearest !== null) return `unknown argument ${name}: did you mean ${nearest}?`;
  return `unknown argument ${name}: ${names.length === 0 ? 'main takes no arguments' : `main takes ${names.join(', ')}`}`;
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** Checks and copies one argument. */
export class ArgumentCheck {
  readonly #structs: readonly ManifestStruct[];
  readonly #parameter: string;
  readonly #call: string | null;

  /**
   * `call` is the exported function that takes the argument, null for main. The arguments of a call are read
   * before anything else can change them: typed arrays are taken as they are, not copied.
   */
  constructor(structs: readonly ManifestStruct[], parameter: string, call: string | null = null) {
    this.#structs = structs;
    this.#parameter = parameter;
    this.#call = call;
  }

  part(type: TypeDescriptor, value: unknown, path: string, depth: number): Part {
    if (typeof type === 'object') {
      if (value === null) return null;
      if (depth >= deepestValue) throw this.#error(path, `nested deeper than ${deepestValue}, or it holds itself`);
      return 'array' in type ? this.#array(type, value, path, depth) : this.#struct(type, value, path, depth);
    }
    switch (type) {
      case 'int':
        return this.#int(value, path);
      case 'double':
        return typeof value === 'number' ? value : this.#mismatch(type, value, path);
      case 'boolean':
        return typeof value === 'boolean' ? value : this.#mismatch(type, value, path);
      case 'string':
        return typeof value === 'string' ? value.toWellFormed() : value === null ? null : this.#mismatch(type, value, path);
      case 'json':
        return this.#json(value, path, depth);
    }
  }

  #int(value: unknown, path: string): bigint {
    if (typeof value === 'bigint') {
      if (value >= minInt && value <= maxInt) return value;
      throw this.#error(path, `expected int, got ${clip(String(value))}, which is beyond 64 bits`);
    }
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.#mismatch('int', value, path);
    if (Number.isSafeInteger(value)) return BigInt(value);
    throw this.#error(path, `expected int, got the number ${value}, which is not exact: pass a bigint beyond 2^53`);
  }

  #array(type: { readonly array: TypeDescriptor }, value: unknown, path: string, depth: number): Parts {
    if (!isList(value)) return this.#mismatch(type, value, path);
    const element = type.array;
    this.#checkLength(value, element === 'boolean' ? longestArrays.boolean : longestArrays.other, path);
    if (element === 'double') return new Parts('array', this.#doubles(value, path));
    if (element === 'int') return new Parts('array', this.#ints(value, path));
    const items: Part[] = [];
    for (let at = 0; at < value.length; at++) items.push(this.part(element, value[at], `${path}[${at}]`, depth + 1));
    return new Parts('array', items);
  }

  #doubles(value: ArrayLike<unknown>, path: string): Float64Array {
    if (value instanceof Float64Array) return this.#call === null ? value.slice() : value;
    const doubles = new Float64Array(value.length);
    for (let at = 0; at < doubles.length; at++) {
      const item = value[at];
      doubles[at] = typeof item === 'number' ? item : this.#mismatch('double', item, `${path}[${at}]`);
    }
    return doubles;
  }

  #ints(value: ArrayLike<unknown>, path: string): BigInt64Array {
    if (value instanceof BigInt64Array) return this.#call === null ? value.slice() : value;
    const ints = new BigInt64Array(value.length);
    for (let at = 0; at < ints.length; at++) {
      const item = value[at];
      ints[at] = Number.isSafeInteger(item) ? BigInt(item as number) : this.#int(item, `${path}[${at}]`);
    }
    return ints;
  }

  #struct(type: { readonly struct: number }, value: unknown, path: string, depth: number): Parts {
    if (typeof value !== 'object' || value === null || isList(value)) return this.#mismatch(type, value, path);
    const fields = this.#structs[type.struct]!.fields;
    const items = fields.map((field): Part => {
      const inner = `${path}.${field.name}`;
      if (!Object.hasOwn(value, field.name)) throw this.#error(inner, `missing${suggestion(field.name, value)}`);
      return this.part(field.type, (value as Record<string, unknown>)[field.name], inner, depth + 1);
    });
    return new Parts('struct', items);
  }

  /** Plain data; a number that is a safe integer is an int, every other a double, and so is a JsonDouble. */
  #json(value: unknown, path: string, depth: number): Part {
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'string':
        return value.toWellFormed();
      case 'bigint':
        return this.#int(value, path);
      case 'number':
        return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
      default:
        break;
    }
    if (value === null) return null;
    if (value instanceof JsonDouble) return value.value;
    if (!isPlain(value)) return this.#mismatch('json', value, path);
    if (depth >= deepestValue) throw this.#error(path, `nested deeper than ${deepestValue}, or it holds itself`);
    const items: Part[] = [];
    if (isList(value)) {
      this.#checkLength(value, longestArrays.other, path);
      if (ArrayBuffer.isView(value)) return new Parts('array', this.#jsonNumbers(value, path));
      for (let at = 0; at < value.length; at++) items.push(this.#json(value[at], `${path}[${at}]`, depth + 1));
      return new Parts('array', items);
    }
    for (const [key, item] of Object.entries(value)) items.push(key.toWellFormed(), this.#json(item, `${path}.${key}`, depth + 1));
    return new Parts('object', items);
  }

  /** The type of a typed array says what its numbers are, whole or not. */
  #jsonNumbers(value: ArrayLike<unknown>, path: string): Numbers {
    if (value instanceof BigInt64Array) return value.slice();
    return Object.prototype.toString.call(value).startsWith('[object Float') ? Float64Array.from(value as ArrayLike<number>) : this.#ints(value, path);
  }

  #checkLength(value: ArrayLike<unknown>, longest: number, path: string): void {
    const { length, buffer } = value as { readonly length: number; readonly buffer?: { readonly detached?: boolean } };
    if (buffer?.detached === true) throw this.#error(path, 'the array was given away: its memory is detached');
    if (length > longest) throw this.#error(path, `an array cannot have ${length} elements`);
  }

  #mismatch(type: TypeDescriptor, value: unknown, path: string): never {
    throw this.#error(path, `expected ${describeType(type, this.#structs)}, got ${describeValue(value)}`);
  }

  #error(path: string, what: string): ArgumentError {
    return new ArgumentError(this.#parameter, `${this.#call === null ? '' : `${this.#call}: `}${shortened(path)}: ${what}`);
  }
}

function suggestion(missing: string, value: object): string {
  const nearest = nearestName(missing, Object.keys(value));
  return nearest === null ? '' : `, but there is ${nearest}`;
}

/** Whether a value can stand for an array of the language. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** An array, or an object that is nothing but its properties. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (isList(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'int' : 'double';
    case 'object':
      return value === null ? 'null' : isList(value) ? 'array' : 'object';
    case 'string':
    case 'boolean':
    case 'undefined':
    case 'function':
    case 'symbol':
      return typeof value;
  }
}

export function clip(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/** Where a path is long, its beginning and its end tell the most. */
function shortened(path: string): string {
  return path.length <= 120 ? path : `${path.slice(0, 60)}…${path.slice(-30)}`;
}
