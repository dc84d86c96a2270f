// The library of the reference interpreter: what each row of the registry does, by its id, written from the library's
// documentation. Receivers and arguments are evaluated, and tested for null, before.

import type { Type } from '../../../src/language/types.ts';
import { cast, kindOf, pushItem, removeMember, sameJson, toJson, writeMember } from './json.ts';
import type { Structs } from './json.ts';
import { parseJson } from './parse-json.ts';
import { compareTexts, range, stringMethods } from './strings.ts';
import { doubleText, Failure, isList, isObject, jsonText, nullAccess, outOfBounds, position, wrap } from './values.ts';
import type { ArrayValue, Json, Value } from './values.ts';
import { outsideRows } from './world.ts';
import type { World } from './world.ts';

/** What a row may need beside its operands. */
export interface Context {
  /** What stands for `T`. */
  readonly typeArgument: Type | null;
  readonly structs: Structs;
  readonly world: World;
}

export type LibraryFunction = (operands: readonly never[], context: Context) => Value;

// Numbers

/** A whole number as an int; ArithmeticError for what no int can hold. */
function toInt(value: number): bigint {
  if (!(value >= -(2 ** 63) && value < 2 ** 63))
    throw new Failure('ArithmeticError', `${doubleText(value)} does not fit into an int`);
  return BigInt(Math.trunc(value));
}

/** Halves go up; `value + 0.5` would round a second time. */
function round(value: number): number {
  const below = Math.floor(value);
  return value - below >= 0.5 ? below + 1 : below;
}

function toFixed(value: number, digits: bigint): string {
  if (digits < 0n || digits > 20n)
    throw new Failure('IndexOutOfBoundsError', `toFixed() takes 0 to 20 digits, not ${digits}`);
  if (!Number.isFinite(value) || Math.abs(value) < 1e21) return value.toFixed(Number(digits));
  return BigInt(value).toString() + (digits === 0n ? '' : `.${'0'.repeat(Number(digits))}`);
}

/** Every NaN has the same. */
function bits(value: number): bigint {
  return Number.isNaN(value) ? 0x7ff8_0000_0000_0000n : new BigInt64Array(new Float64Array([value]).buffer)[0]!;
}

function doubleOfBits(value: bigint): number {
  return new Float64Array(new BigInt64Array([value]).buffer)[0]!;
}

/** The 64 binary digits. */
function digitsOf(value: bigint): string {
  return BigInt.asUintN(64, value).toString(2).padStart(64, '0');
}

const mathFunctions = [
  'sqrt',
  'abs',
  'min',
  'max',
  'pow',
  'sign',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'atan2',
  'sinh',
  'cosh',
  'tanh',
  'exp',
  'expm1',
  'log',
  'log2',
  'log10',
  'log1p',
  'cbrt',
  'hypot',
] as const;

const math: Readonly<Record<string, LibraryFunction>> = {
  ...Object.fromEntries(
    mathFunctions.map((name) => [
      `Math.${name}`,
      (operands: readonly number[]) => (Math[name] as (...values: readonly number[]) => number)(...operands),
    ]),
  ),
  'Math.PI': () => Math.PI,
  'Math.E': () => Math.E,
  'Math.floor': ([x]) => toInt(Math.floor(x!)),
  'Math.ceil': ([x]) => toInt(Math.ceil(x!)),
  'Math.round': ([x]) => toInt(round(x!)),
  'Math.trunc': ([x]) => toInt(x!),
};

const numbers: Readonly<Record<string, (receiver: never, ...operands: readonly never[]) => Value>> = {
  'int.toDouble': (x: bigint) => Number(x),
  'int.toString': (x: bigint) => String(x),
  'int.abs': (x: bigint) => wrap(x < 0n ? -x : x),
  'int.min': (x: bigint, o: bigint) => (x < o ? x : o),
  'int.max': (x: bigint, o: bigint) => (x > o ? x : o),
  'int.clamp': (x: bigint, lo: bigint, hi: bigint) => (x < lo ? lo : x > hi ? hi : x),
  'int.toHex': (x: bigint) => BigInt.asUintN(64, x).toString(16),
  'int.bitCount': (x: bigint) => BigInt(digitsOf(x).replaceAll('0', '').length),
  'int.leadingZeros': (x: bigint) => BigInt(`${digitsOf(x)}1`.indexOf('1')),
  'int.trailingZeros': (x: bigint) => BigInt(64 - Math.max(digitsOf(x).lastIndexOf('1') + 1, 0)),
  'int.bitsToDouble': (x: bigint) => doubleOfBits(x),
  'double.toInt': (x: number) => toInt(x),
  'double.toString': (x: number) => doubleText(x),
  'double.isNaN': (x: number) => Number.isNaN(x),
  'double.isFinite': (x: number) => Number.isFinite(x),
  'double.abs': (x: number) => Math.abs(x),
  'double.min': (x: number, o: number) => Math.min(x, o),
  'double.max': (x: number, o: number) => Math.max(x, o),
  'double.clamp': (x: number, lo: number, hi: number) => (x < lo ? lo : x > hi ? hi : x),
  'double.toFixed': (x: number, digits: bigint) => toFixed(x, digits),
  'double.toBits': (x: number) => bits(x),
  'boolean.toString': (x: boolean) => String(x),
};

// Arrays

const array = (elements: Value[]): ArrayValue => ({ kind: 'array', elements });

/** `a == b`: structs and arrays by identity, json by content, NaN equal to nothing. */
function same(a: Value, b: Value, { typeArgument }: Context): boolean {
  return typeArgument?.kind === 'json' ? sameJson(a as Json, b as Json) : a === b;
}

function indexOf({ elements }: ArrayValue, wanted: Value, context: Context): number {
  return elements.findIndex((one) => same(one, wanted, context));
}

function filled(elements: Value[], name: string): Value[] {
  if (elements.length === 0) throw new Failure('IndexOutOfBoundsError', `${name}() of an empty array`);
  return elements;
}

function sort({ elements }: ArrayValue): null {
  if (elements.includes(null)) throw nullAccess('an element that sort() takes');
  elements.sort((a, b) => {
    if (typeof a === 'string') return compareTexts(a, b as string);
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a! < b! ? -1 : a! > b! ? 1 : 0;
  });
  return null;
}

function insert({ elements }: ArrayValue, index: bigint, item: Value): null {
  if (index < 0n || index > BigInt(elements.length)) throw outOfBounds(index, elements.length);
  elements.splice(Number(index), 0, item);
  return null;
}

function pop({ elements }: ArrayValue): Value {
  if (elements.length === 0) throw new Failure('IndexOutOfBoundsError', 'pop() on an empty array');
  return elements.pop()!;
}

function join({ elements }: ArrayValue, separator: string): string {
  if (elements.includes(null)) throw nullAccess('an element that join() takes');
  return elements.join(separator);
}

type ArrayMethod = (receiver: ArrayValue, operands: readonly never[], context: Context) => Value;

const arrays: Readonly<Record<string, ArrayMethod>> = {
  'T[].length': ({ elements }) => BigInt(elements.length),
  'T[].isEmpty': ({ elements }) => elements.length === 0,
  'T[].push': ({ elements }, [item]) => (elements.push(item!), null),
  'T[].pop': pop,
  'T[].slice': ({ elements }, [from, to]) => array(elements.slice(...range(elements.length, from!, to!))),
  'T[].concat': ({ elements }, [other]) => array([...elements, ...(other! as ArrayValue).elements]),
  'T[].reverse': ({ elements }) => (elements.reverse(), null),
  'T[].indexOf': (a, [wanted], context) => BigInt(indexOf(a, wanted!, context)),
  'T[].contains': (a, [wanted], context) => indexOf(a, wanted!, context) >= 0,
  'T[].insert': (a, [index, item]) => insert(a, index!, item!),
  'T[].removeAt': ({ elements }, [index]) => elements.splice(position(index!, elements.length), 1)[0]!,
  'T[].clear': ({ elements }) => ((elements.length = 0), null),
  'T[].fill': ({ elements }, [item]) => (elements.fill(item!), null),
  'T[].copy': ({ elements }) => array([...elements]),
  'int[].sort': sort,
  'double[].sort': sort,
  'string[].sort': sort,
  'int[].sum': ({ elements }) => wrap((elements as bigint[]).reduce((sum, one) => sum + one, 0n)),
  'double[].sum': ({ elements }) => (elements as number[]).reduce((sum, one) => sum + one, 0),
  'int[].min': ({ elements }) => (filled(elements, 'min') as bigint[]).reduce((best, one) => (one < best ? one : best)),
  'int[].max': ({ elements }) => (filled(elements, 'max') as bigint[]).reduce((best, one) => (one > best ? one : best)),
  'double[].min': ({ elements }) => Math.min(...(filled(elements, 'min') as number[])),
  'double[].max': ({ elements }) => Math.max(...(filled(elements, 'max') as number[])),
  'string[].join': (a, [separator]) => join(a, separator!),
};

// json

/** The value of a key, null where there is none. */
function valueOf(json: Json, key: string): Json {
  return isObject(json) ? (json.members.get(key) ?? null) : null;
}

/** The value of a key where it fits the type, otherwise the default. */
function castOr(json: Json, key: string, type: Type, otherwise: Value, { structs }: Context): Value {
  const value = valueOf(json, key);
  if (value === null) return otherwise;
  try {
    return cast(value, type, structs);
  } catch (error) {
    if (error instanceof Failure && error.type === 'CastError') return otherwise;
    throw error;
  }
}

const arrayType = (element: Type): Type => ({ kind: 'array', element });
const getterTypes: Readonly<Record<string, Type>> = {
  getString: { kind: 'string' },
  getInt: { kind: 'int' },
  getBool: { kind: 'boolean' },
  getDouble: { kind: 'double' },
  getIntArray: arrayType({ kind: 'int' }),
  getStringArray: arrayType({ kind: 'string' }),
  getDoubleArray: arrayType({ kind: 'double' }),
};

type JsonMethod = (receiver: Json, operands: readonly never[], context: Context) => Value;

const set: JsonMethod = (j, [key, value]) => (writeMember(j, key!, value!), null);

const jsonMethods: Readonly<Record<string, JsonMethod>> = {
  ...Object.fromEntries(
    Object.entries(getterTypes).map(([name, type]): [string, JsonMethod] => [
      `json.${name}`,
      (j, [key, otherwise], context) => castOr(j, key!, type, otherwise!, context),
    ]),
  ),
  'json.getJSON': (j, [key, otherwise]) => valueOf(j, key!) ?? otherwise!,
  'json.getObject': (j, [key, otherwise], context) => castOr(j, key!, context.typeArgument!, otherwise!, context),
  'json.getArray': (j, [key, otherwise], context) =>
    castOr(j, key!, arrayType(context.typeArgument!), otherwise!, context),
  'json.has': (j, [key]) => isObject(j) && j.members.has(key!),
  'json.keys': (j) => array(isObject(j) ? [...j.members.keys()] : []),
  'json.size': (j) => BigInt(isObject(j) ? j.members.size : isList(j) ? j.items.length : 0),
  'json.setString': set,
  'json.setInt': set,
  'json.setBool': set,
  'json.setDouble': set,
  'json.setJson': set,
  'json.remove': (j, [key]) => (removeMember(j, key!), null),
  'json.isObject': (j) => isObject(j),
  'json.isArray': (j) => isList(j),
  'json.kind': (j) => kindOf(j),
  'json.push': (j, [value]) => (pushItem(j, value!), null),
  'json.copy': (j) => toJson(j),
  'Json.parse': (source) => parseJson(source as string),
  'Json.stringify': (j, [pretty]) => jsonText(j, pretty!),
};

export const library: ReadonlyMap<string, LibraryFunction> = new Map<string, LibraryFunction>([
  ...Object.entries(math),
  ...Object.entries(outsideRows).map(([id, run]): [string, LibraryFunction] => [
    id,
    (operands, { world }) => run(world, operands),
  ]),
  ...Object.entries(numbers).map(([id, run]): [string, LibraryFunction] => [
    id,
    (operands) => run(...(operands as unknown as [never])),
  ]),
  ...Object.entries(stringMethods).map(([name, run]): [string, LibraryFunction] => [
    `string.${name}`,
    ([receiver, ...others]) => run(receiver!, ...others),
  ]),
  ...Object.entries({ ...arrays, ...jsonMethods }).map(([id, run]): [string, LibraryFunction] => [
    id,
    ([receiver, ...others], context) => run(receiver!, others, context),
  ]),
]);
