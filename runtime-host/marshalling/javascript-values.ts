// The JavaScript values that embedders and plugins may give for each type, and their conversion to marshalled values.

import { longestArrays } from '../../src/abi/values.ts';
import { deepestValue } from '../../src/abi/nesting.ts';
import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { ArgumentError, unreadable } from '../errors/errors.ts';
import { isInstance } from '../primordials/untampered.ts';
import { JsonDouble } from '../values/json-double.ts';
import { decode, describePlace, inside, whole } from './codec.ts';
import type { ArrayType, Form, Place, ScalarType } from './codec.ts';
import { elementsOf, isDetached, isList, lengthOf, ownValue, read, typedArrayName, viewOf } from './foreign-values.ts';
import type { CannotRead } from './foreign-values.ts';
import { Composite } from './marshalled-values.ts';
import type { MarshalledValue } from './marshalled-values.ts';
import type { Numbers } from './staging.ts';
import { describeType } from './value-writer.ts';

/** What an embedder may pass: for int also numbers that are safe integers, for arrays plain or typed ones. */
export type ArgumentValue =
  | null
  | bigint
  | number
  | boolean
  | string
  | ArrayLike<unknown>
  | { readonly [field: string]: unknown };

/** What a value is passed to. */
export interface Target {
  readonly parameter: string;
  /**
   * The function that takes it; null for main. A call reads its arguments before anything else can change them, so
   * typed arrays are not copied.
   */
  readonly call: string | null;
}

/** Checks a value and copies it. Throws ArgumentError if it is not of the type. */
export function decodeJavaScript(
  type: TypeDescriptor,
  value: unknown,
  structs: readonly ManifestStruct[],
  target: Target,
): MarshalledValue {
  return decode(type, value, structs, new JavaScriptForm(structs, target), whole(target.parameter));
}

/** The elements of an array of any type. Throws ArgumentError. */
export function readList(list: readonly unknown[], name: string, target: Target): readonly unknown[] {
  return new JavaScriptForm([], target).elements(list, whole(name));
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

class JavaScriptForm implements Form<MarshalledValue> {
  readonly nothing = null;
  readonly #structs: readonly ManifestStruct[];
  readonly #target: Target;

  constructor(structs: readonly ManifestStruct[], target: Target) {
    this.#structs = structs;
    this.#target = target;
  }

  scalar(type: ScalarType, value: unknown, place: Place): MarshalledValue {
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
  ): { readonly elements: ArrayLike<unknown> } | { readonly whole: MarshalledValue } {
    if (!isList(value)) return this.mismatch(type, value, place);
    const element = type.array;
    const length = this.#length(value, element === 'boolean' ? longestArrays.boolean : longestArrays.other, place);
    if (element === 'double') return { whole: new Composite('array', this.#doubles(value, length, place)) };
    if (element === 'int') return { whole: new Composite('array', this.#ints(value, length, place)) };
    return { elements: this.#elements(value, length, place) };
  }

  isStruct(_struct: ManifestStruct, value: unknown): value is object {
    return typeof value === 'object' && value !== null && !isList(value);
  }

  field({ fields }: ManifestStruct, at: number, value: object, place: Place): unknown {
    const { name } = fields[at]!;
    const cannotRead = this.#cannotRead(inside(place, name));
    const found = read(() => ownValue(value, name), cannotRead);
    if (found !== undefined) return found.value;
    throw this.#error(inside(place, name), `missing${read(() => suggestion(name, value), cannotRead)}`);
  }

  compose(kind: 'array' | 'struct', items: readonly MarshalledValue[]): MarshalledValue {
    return new Composite(kind, items);
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

  #doubles(list: ArrayLike<unknown>, length: number, place: Place): Float64Array {
    if (typedArrayName(list) === 'Float64Array') return this.#numbers(list, Float64Array);
    const doubles = read(() => new Float64Array(length), this.#cannotRead(place));
    let at = 0;
    let item: unknown;
    read(
      () => {
        for (; at < length; at++) {
          item = list[at];
          if (typeof item !== 'number') return;
          doubles[at] = item;
        }
      },
      (cause) => this.#cannotRead(inside(place, at))(cause),
    );
    return at === length ? doubles : this.mismatch('double', item, inside(place, at));
  }

  #ints(list: ArrayLike<unknown>, length: number, place: Place): BigInt64Array {
    if (typedArrayName(list) === 'BigInt64Array') return this.#numbers(list, BigInt64Array);
    const ints = read(() => new BigInt64Array(length), this.#cannotRead(place));
    let at = 0;
    let item: unknown;
    read(
      () => {
        for (; at < length; at++) {
          item = list[at];
          if (Number.isSafeInteger(item)) ints[at] = BigInt(item as number);
          else if (typeof item === 'bigint' && item >= minInt && item <= maxInt) ints[at] = item;
          else return;
        }
      },
      (cause) => this.#cannotRead(inside(place, at))(cause),
    );
    // The loop stopped at an element that is no int: this throws the error for it.
    if (at < length) this.#int(item, inside(place, at));
    return ints;
  }

  #numbers<Given extends Numbers>(
    list: object,
    type: { new (buffer: ArrayBuffer, offset: number, length: number): Given; new (from: Given): Given },
  ): Given {
    const view = viewOf(list, type);
    return this.#target.call === null ? new type(view) : view;
  }

  /** Plain data; a number that is a safe integer becomes an int, any other number and a JsonDouble becomes a double. */
  #json(value: unknown, place: Place): MarshalledValue {
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
    const cannotRead = this.#cannotRead(place);
    if (isInstance(value, JsonDouble))
      return this.scalar(
        'double',
        read(() => value.value, cannotRead),
        place,
      );
    if (place.depth >= deepestValue) return this.tooDeep(place);
    if (isList(value)) {
      const length = this.#length(value, longestArrays.other, place);
      if (typedArrayName(value) !== undefined) return new Composite('array', this.#jsonNumbers(value, length, place));
      const elements = this.#elements(value, length, place);
      return new Composite(
        'array',
        elements.map((item, at) => this.#json(item, inside(place, at))),
      );
    }
    if (!read(() => isPlain(value), cannotRead)) return this.mismatch('json', value, place);
    const items: MarshalledValue[] = [];
    for (const [key, item] of read(() => Object.entries(value as object), cannotRead))
      items.push(key.toWellFormed(), this.#json(item, inside(place, key)));
    return new Composite('object', items);
  }

  /** The type of a typed array decides whether its numbers are ints or doubles, not their values. */
  #jsonNumbers(list: ArrayLike<unknown>, length: number, place: Place): Numbers {
    const name = typedArrayName(list)!;
    if (name === 'BigInt64Array') return viewOf(list, BigInt64Array).slice();
    return name.startsWith('Float')
      ? new Float64Array(this.#doubles(list, length, place))
      : this.#ints(list, length, place);
  }

  #length(list: ArrayLike<unknown>, longest: number, place: Place): number {
    if (isDetached(list)) throw this.#error(place, 'the array was given away: its memory is detached');
    const length = lengthOf(list, this.#cannotRead(place));
    if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 && length <= longest) return length;
    throw this.#error(
      place,
      typeof length === 'number'
        ? `an array cannot have ${length} elements`
        : `the length of an array is a number, not ${describeValue(length)}`,
    );
  }

  elements(list: ArrayLike<unknown>, place: Place): readonly unknown[] {
    return this.#elements(list, this.#length(list, longestArrays.other, place), place);
  }

  #elements(list: ArrayLike<unknown>, length: number, place: Place): readonly unknown[] {
    return elementsOf(list, length, (cause, at) => this.#cannotRead(inside(place, at))(cause));
  }

  #cannotRead(place: Place): CannotRead {
    return (cause) => {
      throw this.#error(place, unreadable, { cause });
    };
  }

  #error(place: Place, what: string, options?: ErrorOptions): ArgumentError {
    return new ArgumentError(
      this.#target.parameter,
      `${this.#target.call === null ? '' : `${this.#target.call}: `}${shortened(describePlace(place))}: ${what}`,
      options,
    );
  }
}

function suggestion(missing: string, value: object): string {
  const nearest = nearestName(missing, Object.keys(value));
  return nearest === null ? '' : `, but there is ${nearest}`;
}

/** Whether an object is a plain object. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
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

/** For a long path, its beginning and its end are shown. */
function shortened(path: string): string {
  return path.length <= 120 ? path : `${path.slice(0, 60)}…${path.slice(-30)}`;
}
