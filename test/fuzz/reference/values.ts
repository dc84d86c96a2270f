// The values of the reference interpreter: an int is a bigint, a double a number, a string a JavaScript string, and
// json holds the same. What a value prints as follows from what it is. Written from the language's description, for
// clarity and not for speed; nothing of the compiler's own library is used.

import type { Struct } from '../../../src/2-check/typed-tree.ts';
import type { Type } from '../../../src/language/types.ts';

export type Value = bigint | number | boolean | string | null | StructValue | ArrayValue | Json;

/** What a json may hold; null is json null. */
export type Json = bigint | number | boolean | string | null | JsonList | JsonObject;

export interface StructValue {
  readonly kind: 'struct';
  readonly struct: Struct;
  /** In the order of the declaration. */
  readonly fields: Value[];
}

export interface ArrayValue {
  readonly kind: 'array';
  readonly elements: Value[];
}

export interface JsonList {
  readonly kind: 'list';
  readonly items: Json[];
}

export interface JsonObject {
  readonly kind: 'object';
  /** A Map keeps the order of insertion, and the place of a key that is set again. */
  readonly members: Map<string, Json>;
}

/** An error of the script; who raises it below knows no place, which is added where the failing node is known. */
export class Failure extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/**
 * A value was walked through as deep as values go: the library has done work on the way, for which it takes units that
 * nothing here counts.
 */
export class DeepFailure extends Failure {}

/** The program does more than the interpreter cares to follow: it proves nothing, and is left out. */
export class Exhausted extends Error {}

export const nullAccess = (what: string): Failure => new Failure('NullAccessError', `cannot use ${what} of null`);
export const outOfBounds = (index: bigint, length: number): Failure =>
  new Failure('IndexOutOfBoundsError', `index ${index} is out of bounds for length ${length}`);

/** Arrays, structs and json nest so deep at most. */
export const deepest = 512;

/**
 * What the library does with longer ones is work, which uses units that nothing here counts; so do sorts of 256
 * elements.
 */
const longestText = 4000;
export const longestArray = 250;
/** In elements of all its rows; what is larger is charged by its size. */
export const largestMatrix = 4095;

/** Wraps at 64 bits. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/** A text that did not grow out of hand. */
export function text(value: string): string {
  if (value.length > longestText) throw new Exhausted();
  return value;
}

/** The position of a valid index. */
export function position(index: bigint, length: number): number {
  if (index < 0n || index >= BigInt(length)) throw outOfBounds(index, length);
  return Number(index);
}

export function isStructValue(value: Value): value is StructValue {
  return typeof value === 'object' && value !== null && value.kind === 'struct';
}

export function isArrayValue(value: Value): value is ArrayValue {
  return typeof value === 'object' && value !== null && value.kind === 'array';
}

export function isList(value: Value): value is JsonList {
  return typeof value === 'object' && value !== null && value.kind === 'list';
}

export function isObject(value: Value): value is JsonObject {
  return typeof value === 'object' && value !== null && value.kind === 'object';
}

// Text

/** As JavaScript prints it, but never like an int. */
export function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const plain = String(value);
  return /^-?\d+$/.test(plain) ? `${plain}.0` : plain;
}

/** A value of the type as a template shows it, and as it is shown when it is yielded or returned: JSON has no NaN. */
export function shown(value: Value, type: Type): string {
  if (typeof value === 'string') return value;
  return type.kind === 'double' ? doubleText(value as number) : jsonText(value);
}

/** Compact JSON, or with two spaces of indent for each level. */
export function jsonText(value: Value, pretty = false): string {
  return text(writeJson(value, pretty, new Around()));
}

function writeJson(value: Value, pretty: boolean, around: Around): string {
  if (typeof value === 'number') return Number.isFinite(value) ? doubleText(value) : 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inside = around.enter(value);
  const write = (part: Value): string => writeJson(part, pretty, inside);
  const [open, close, parts] = isStructValue(value)
    ? ['{', '}', value.fields.map((field, at) => member(value.struct.fields[at]!.name, write(field), pretty))]
    : isObject(value)
      ? ['{', '}', [...value.members].map(([key, part]) => member(key, write(part), pretty))]
      : ['[', ']', (isList(value) ? value.items : value.elements).map(write)];
  if (!pretty || parts.length === 0) return `${open}${parts.join(',')}${close}`;
  const indent = '  '.repeat(inside.depth);
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}\n${indent.slice(2)}${close}`;
}

function member(key: string, value: string, pretty: boolean): string {
  return `${quoted(key)}:${pretty ? ' ' : ''}${value}`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quoted(value: string): string {
  return `"${value.replace(/["\\\u0000-\u001f]/g, (one) => escapes[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

/** How many values are walked through at once: what is shared may come as often as there are ways to it. */
const mostParts = 6000;

/**
 * What is around a value that is walked through. Beyond the deepest level either a struct holds itself, or there is
 * simply too much; json that holds itself is of the second kind.
 */
export class Around {
  readonly #objects: readonly (object | null)[];
  readonly #seen: { parts: number };

  constructor(objects: readonly (object | null)[] = [], seen = { parts: 0 }) {
    this.#objects = objects;
    this.#seen = seen;
  }

  get depth(): number {
    return this.#objects.length;
  }

  /** What is around the parts of the value. */
  enter(value: object): Around {
    if (this.depth >= deepest) {
      const known = this.#objects.filter((one) => one !== null);
      throw new Set(known).size < known.length
        ? new DeepFailure('CastError', 'a struct that holds itself has no end')
        : tooDeep();
    }
    const isJson = isList(value as Value) || isObject(value as Value);
    this.#seen.parts += 1;
    if (this.#seen.parts > mostParts) throw new Exhausted();
    return new Around([...this.#objects, isJson ? null : value], this.#seen);
  }
}

export function tooDeep(): Failure {
  return new DeepFailure('TypeError', `nested deeper than ${deepest}`);
}
