// json in the reference interpreter: conversions to and from other values, equality, keys and elements.

import type { Struct } from '../../../src/2-check/typed-tree.ts';
import { formatType } from '../../../src/language/types.ts';
import type { Type } from '../../../src/language/types.ts';
import { Around, deepest, Failure, isArrayValue, isList, isObject, nullAccess, position, tooDeep } from './values.ts';
import type { Json, Value } from './values.ts';

export type Structs = ReadonlyMap<string, Struct>;

/** A value as json: a copy, as deep as it is. */
export function toJson(value: Value, around = new Around()): Json {
  if (typeof value !== 'object' || value === null) return value;
  const inside = around.enter(value);
  if (isArrayValue(value)) return { kind: 'list', items: value.elements.map((one) => toJson(one, inside)) };
  if (isList(value)) return { kind: 'list', items: value.items.map((one) => toJson(one, inside)) };
  if (isObject(value))
    return { kind: 'object', members: new Map([...value.members].map(([key, one]) => [key, toJson(one, inside)])) };
  return {
    kind: 'object',
    members: new Map(value.fields.map((one, at) => [value.struct.fields[at]!.name, toJson(one, inside)])),
  };
}

export function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return value.kind === 'list' ? 'array' : 'object';
  return { bigint: 'int', number: 'double', boolean: 'boolean', string: 'string' }[
    typeof value as 'bigint' | 'number' | 'boolean' | 'string'
  ];
}

// Casts

type Step = string | number;

/** `value as type`: CastError names the path to what does not fit. */
export function cast(value: Json, type: Type, structs: Structs, path: readonly Step[] = []): Value {
  const refuse = (): Failure =>
    new Failure('CastError', `${pathText(path)}expected ${formatType(type)}, got ${kindOf(value)}`);
  switch (type.kind) {
    case 'json':
      return value;
    case 'int':
    case 'boolean':
      if (kindOf(value) !== type.kind) throw refuse();
      return value;
    case 'double':
      if (typeof value === 'bigint') return Number(value);
      if (typeof value !== 'number') throw refuse();
      return value;
    case 'string':
      if (value !== null && typeof value !== 'string') throw refuse();
      return value;
    case 'array':
      if (value === null) return null;
      if (!isList(value)) throw new Failure('CastError', `${pathText(path)}expected array, got ${kindOf(value)}`);
      if (path.length >= deepest) throw tooDeep();
      return { kind: 'array', elements: value.items.map((one, at) => cast(one, type.element, structs, [...path, at])) };
    case 'struct': {
      if (value === null) return null;
      if (!isObject(value)) throw refuse();
      if (path.length >= deepest) throw tooDeep();
      const struct = structs.get(type.id)!;
      const fields = struct.fields.map((field) => {
        const inside = [...path, field.name];
        if (!value.members.has(field.name)) throw new Failure('CastError', `${pathText(inside)}missing`);
        return cast(value.members.get(field.name)!, field.type, structs, inside);
      });
      return { kind: 'struct', struct, fields };
    }
    case 'slots':
    case 'elements':
    case 'vector':
    case 'invalid':
    case 'null':
    case 'offsets':
    case 'codeUnits':
    case 'variable':
    case 'void':
      throw new Error(`nothing is cast to ${type.kind}`);
  }
}

/** `items[3].price: `, or nothing at the top. */
function pathText(path: readonly Step[]): string {
  if (path.length === 0) return '';
  return (
    path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('') + ': '
  );
}

// Equality by content

export function sameJson(a: Json, b: Json, around = new Around()): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return sameScalar(a, b);
  const inside = around.enter(a);
  if (isList(a))
    return (
      isList(b) && a.items.length === b.items.length && a.items.every((one, at) => sameJson(one, b.items[at]!, inside))
    );
  if (!isObject(b) || a.members.size !== b.members.size) return false;
  return [...a.members].every(([key, one]) => b.members.has(key) && sameJson(one, b.members.get(key)!, inside));
}

/** Numbers are equal when they are exactly the same number, as JavaScript compares a bigint with a number. */
function sameScalar(a: Json, b: Json): boolean {
  const isNumber = (value: Json): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
  // oxlint-disable-next-line eqeqeq -- an int and a double compare as the numbers that they are.
  return isNumber(a) && isNumber(b) ? a == b : a === b;
}

// Keys and elements

export function readMember(json: Json, key: string): Json {
  const members = membersOf(json, key);
  if (!members.has(key)) throw missingKey(members, key);
  return members.get(key)!;
}

export function writeMember(json: Json, key: string, value: Json): void {
  membersOf(json, key).set(key, value);
}

export function removeMember(json: Json, key: string): void {
  membersOf(json, key).delete(key);
}

/** The members of what has keys. */
function membersOf(json: Json, key: string): Map<string, Json> {
  if (json === null) throw nullAccess(`key '${key}'`);
  if (!isObject(json)) throw new Failure('TypeError', `${withArticle(json)} has no key '${key}'${lengthHint(key)}`);
  return json.members;
}

function missingKey(members: ReadonlyMap<string, Json>, key: string): Failure {
  const keys = [...members.keys()].map((other) => `'${other}'`);
  const known = keys.length > 5 ? [...keys.slice(0, 5), '…'] : keys;
  const others = known.length === 0 ? ', nor any other' : `; the keys are ${known.join(', ')}`;
  return new Failure('KeyNotFoundError', `there is no key '${key}'${lengthHint(key)}${others}`);
}

function lengthHint(key: string): string {
  return key === 'length' ? '; how many there are says size()' : '';
}

function withArticle(json: Json): string {
  const kind = kindOf(json);
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

export function readItem(json: Json, index: bigint): Json {
  const items = itemsOf(json, index);
  return items[position(index, items.length)]!;
}

export function writeItem(json: Json, index: bigint, value: Json): void {
  const items = itemsOf(json, index);
  items[position(index, items.length)] = value;
}

function itemsOf(json: Json, index: bigint): Json[] {
  if (json === null) throw nullAccess('an element');
  if (!isList(json)) throw new Failure('TypeError', `${withArticle(json)} has no element ${index}`);
  return json.items;
}

/** How many elements foreach walks through. */
export function itemCount(json: Json): bigint {
  if (json === null) throw nullAccess('the elements');
  if (!isList(json)) throw new Failure('TypeError', `foreach needs an array, not ${withArticle(json)}`);
  return BigInt(json.items.length);
}

export function pushItem(json: Json, value: Json): void {
  if (!isList(json)) throw new Failure('TypeError', `push() needs an array, not ${withArticle(json)}`);
  json.items.push(value);
}
