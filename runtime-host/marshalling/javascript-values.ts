// What embedders and plugins may give for a value of each type, and what it becomes on its way into a module.

import { longestArrays } from '../../src/abi/values.ts';
import { deepestValue } from '../../src/abi/nesting.ts';
import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { ArgumentError } from '../errors/errors.ts';
import { decode, describePlace, inside, whole } from './codec.ts';
import type { ArrayType, Form, Place, ScalarType } from './codec.ts';
import { Parts } from './parts.ts';
import type { Part } from './parts.ts';
import type { Numbers } from './staging.ts';
import { describeType } from './value-writer.ts';

/** What an embedder may pass: numbers that are safe integers for int, plain or typed arrays. */
export type ArgumentValue =
  | null
  | bigint
  | number
  | boolean
  | string
  | ArrayLike<unknown>
  | { readonly [field: string]: unknown };
/** Inside a json argument: a number that is a double though it is whole, such as 42.0. */
export class JsonDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** What a value is given for. */
export interface Target {
  readonly parameter: string;
  /**
   * The function that takes it; null for main. What a call takes is read before anything else can change it: typed
   * arrays are not copied.
   */
  readonly call: string | null;
}

/** Checks a value and copies it. Throws ArgumentError where it is not of the type. */
export function decodeJavaScript(
  type: TypeDescriptor,
  value: unknown,
  structs: readonly ManifestStruct[],
  target: Target,
): Part {
  return decode(type, value, structs, new JavaScriptForm(structs, target), whole(target.parameter));
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

class JavaScriptForm implements Form<Part> {
  readonly nothing = null;
  readonly #structs: readonly ManifestStruct[];
  readonly #target: Target;

  constructor(structs: readonly ManifestStruct[], target: Target) {
    this.#structs = structs;
    this.#target = target;
  }

  scalar(type: ScalarType, value: unknown, place: Place): Part {
    switch (type) {
      case 'int':
        return this.#int(value, place);
      case 'double':
        return typeof value === 'number' ? value : this.mismatch(type, value, place);
      case 'boolean':
        return typeof value === 'boolean' ? value : this.mismatch(type, value, place);
      case 'string':
        return typeof value === 'string'
          ? value.toWellFormed()
          : value === null
            ? null
            : this.mismatch(type, value, place);
      case 'json':
        return this.#json(value, place);
    }
  }

  array(
    type: ArrayType,
    value: unknown,
    place: Place,
  ): { readonly elements: ArrayLike<unknown> } | { readonly whole: Part } {
    if (!isList(value)) return this.mismatch(type, value, place);
    const element = type.array;
    this.#checkLength(value, element === 'boolean' ? longestArrays.boolean : longestArrays.other, place);
    if (element === 'double') return { whole: new Parts('array', this.#doubles(value, place)) };
    return element === 'int' ? { whole: new Parts('array', this.#ints(value, place)) } : { elements: value };
  }

  isStruct(_struct: ManifestStruct, value: unknown): value is object {
    return typeof value === 'object' && value !== null && !isList(value);
  }

  field({ fields }: ManifestStruct, at: number, value: object, place: Place): unknown {
    const { name } = fields[at]!;
    if (!Object.hasOwn(value, name)) throw this.#error(inside(place, name), `missing${suggestion(name, value)}`);
    return (value as Record<string, unknown>)[name];
  }

  compose(kind: 'array' | 'struct', items: readonly Part[]): Part {
    return new Parts(kind, items);
  }

  mismatch(type: TypeDescriptor, value: unknown, place: Place): never {
    throw this.#error(place, `expected ${describeType(type, this.#structs)}, got ${describeValue(value)}`);
  }

  tooDeep(place: Place): never {
    throw this.#error(place, `nested deeper than ${deepestValue}, or it holds itself`);
  }

  #int(value: unknown, place: Place): bigint {
    if (typeof value === 'bigint') {
      if (value >= minInt && value <= maxInt) return value;
      throw this.#error(place, `expected int, got ${clip(String(value))}, which is beyond 64 bits`);
    }
    if (typeof value !== 'number' || !Number.isInteger(value)) return this.mismatch('int', value, place);
    if (Number.isSafeInteger(value)) return BigInt(value);
    throw this.#error(place, `expected int, got the number ${value}, which is not exact: pass a bigint beyond 2^53`);
  }

  #doubles(value: ArrayLike<unknown>, place: Place): Float64Array {
    if (value instanceof Float64Array) return this.#target.call === null ? value.slice() : value;
    const doubles = new Float64Array(value.length);
    for (let at = 0; at < doubles.length; at++) {
      const item = value[at];
      doubles[at] = typeof item === 'number' ? item : this.mismatch('double', item, inside(place, at));
    }
    return doubles;
  }

  #ints(value: ArrayLike<unknown>, place: Place): BigInt64Array {
    if (value instanceof BigInt64Array) return this.#target.call === null ? value.slice() : value;
    const ints = new BigInt64Array(value.length);
    for (let at = 0; at < ints.length; at++) {
      const item = value[at];
      ints[at] = Number.isSafeInteger(item) ? BigInt(item as number) : this.#int(item, inside(place, at));
    }
    return ints;
  }

  /** Plain data; a number that is a safe integer is an int, every other a double, and so is a JsonDouble. */
  #json(value: unknown, place: Place): Part {
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'string':
        return value.toWellFormed();
      case 'bigint':
        return this.#int(value, place);
      case 'number':
        return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
      case 'undefined':
      case 'symbol':
      case 'function':
      case 'object':
        break;
    }
    if (value === null) return null;
    if (value instanceof JsonDouble) return value.value;
    if (!isPlain(value)) return this.mismatch('json', value, place);
    if (place.depth >= deepestValue) return this.tooDeep(place);
    const items: Part[] = [];
    if (isList(value)) {
      this.#checkLength(value, longestArrays.other, place);
      if (ArrayBuffer.isView(value)) return new Parts('array', this.#jsonNumbers(value, place));
      for (let at = 0; at < value.length; at++) items.push(this.#json(value[at], inside(place, at)));
      return new Parts('array', items);
    }
    for (const [key, item] of Object.entries(value))
      items.push(key.toWellFormed(), this.#json(item, inside(place, key)));
    return new Parts('object', items);
  }

  /** The type of a typed array says what its numbers are, whole or not. */
  #jsonNumbers(value: ArrayLike<unknown>, place: Place): Numbers {
    if (value instanceof BigInt64Array) return value.slice();
    return Object.prototype.toString.call(value).startsWith('[object Float')
      ? Float64Array.from(value as ArrayLike<number>)
      : this.#ints(value, place);
  }

  #checkLength(value: ArrayLike<unknown>, longest: number, place: Place): void {
    const { length, buffer } = value as { readonly length: number; readonly buffer?: { readonly detached?: boolean } };
    if (buffer?.detached === true) throw this.#error(place, 'the array was given away: its memory is detached');
    if (length > longest) throw this.#error(place, `an array cannot have ${length} elements`);
  }

  #error(place: Place, what: string): ArgumentError {
    return new ArgumentError(
      this.#target.parameter,
      `${this.#target.call === null ? '' : `${this.#target.call}: `}${shortened(describePlace(place))}: ${what}`,
    );
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
