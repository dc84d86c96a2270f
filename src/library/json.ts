// Json, and the methods of json values.

import { prelude } from '../language/implementation.ts';
import { jsonType } from '../language/types.ts';
import { fn, library, methods } from './declare.ts';
import { lengths, pure } from './effects.ts';
import type { EffectsRow } from './effects.ts';

const looking: EffectsRow = { reads: ['this'], allocates: true };
const setting: EffectsRow = { reads: ['this'], stores: ['this'], throws: true, allocates: true };
const casting: EffectsRow = { reads: ['this'], flows: ['result = default'], throws: true, allocates: true };

export const json = library('Json', 'JSON text. No permission is needed.', [
  fn(
    'json parse(string text)',
    'Reads JSON text: digits alone are an int, a number with a fraction or an exponent is a double. ' +
      'ParseError with line and column for anything else.',
    prelude('parseJson'),
    'Json.parse("[1, 2.0]") → [1,2.0]',
    { throws: true, allocates: true, cost: 'text' },
  ),
  fn(
    'string stringify(json value, boolean pretty = true)',
    'JSON text: two spaces of indent for each level, or with pretty = false no white space at all. ' +
      'NaN and infinities are null.',
    prelude('stringifyJson'),
    'Json.stringify({ a: [1] }, false) → {"a":[1]}',
    { reads: ['value'], throws: true, allocates: true, cost: 'result' },
  ),
]);

const getter = 'or the default if the key is missing or its value of another kind.';
const setter = 'TypeError on anything but an object.';

export const jsonMethods = methods(jsonType, 'json', 'Methods of json.', [
  fn(
    'string getString(string key, string? default)',
    `The string, ${getter}`,
    prelude('getStringMember'),
    'json j = { a: "x" }; j.getString("a", "") + j.getString("b", "!") → x!',
    { ...looking, cost: 'key' },
  ),
  fn(
    'int getInt(string key, int default)',
    `The int, ${getter}`,
    prelude('getIntMember'),
    'json j = { a: 1 }; j.getInt("a", 0) + j.getInt("b", 5) → 6',
    { ...looking, cost: 'key' },
  ),
  fn(
    'boolean getBool(string key, boolean default)',
    `The boolean, ${getter}`,
    prelude('getBooleanMember'),
    'json j = { a: true }; j.getBool("a", false) → true',
    { ...looking, cost: 'key' },
  ),
  fn(
    'double getDouble(string key, double default)',
    `The double, an int widened, ${getter}`,
    prelude('getDoubleMember'),
    'json j = { a: 1 }; j.getDouble("a", 0.0) → 1.0',
    { ...looking, cost: 'key' },
  ),
  fn(
    'json getJSON(string key, json? default)',
    'The value, or the default if the key is missing or null.',
    prelude('getJsonMember'),
    'json j = { a: { b: 1 } }; j.getJSON("a", {}) → {"b":1}',
    { reads: ['this'], flows: ['result = default', 'result = this[]'], allocates: true, cost: 'key' },
  ),
  fn(
    'T getObject(string key, T default)',
    'The value as the type of the default (a struct, an array or a primitive), or the default if the key is ' +
      'missing or the value does not fit.',
    prelude('getTypedMember'),
    'json j = { a: [1, 2] }; int[] none = []; j.getObject("a", none).sum() → 3',
    {
      reads: ['this'],
      flows: ['result = default', 'result = this[]', 'result[..] = this[..]'],
      throws: true,
      allocates: true,
      cost: 'key + 4 result',
    },
  ),
  fn(
    'boolean has(string key)',
    'True if the key exists; false on anything but an object.',
    prelude('jsonHas'),
    'json j = { a: null }; j.has("a") → true',
    { ...looking, cost: 'key' },
  ),
  fn(
    'string[] keys()',
    'All keys of an object, in the order of their insertion.',
    prelude('keysOfJson'),
    'json j = { b: 1, a: 2 }; j.keys() → ["b","a"]',
    { reads: ['this'], throws: true, allocates: true, cost: 'result' },
  ),
  fn(
    'int size()',
    'Number of keys of an object, or of elements of an array; otherwise 0.',
    prelude('sizeOfJson'),
    'json j = [1, 2, 3]; j.size() → 3',
    { reads: ['this'], range: lengths, cost: '0' },
  ),
  fn(
    'void setString(string key, string? value)',
    `Sets a string. ${setter}`,
    prelude('setStringMember'),
    'json j = {}; j.setString("a", "x"); j → {"a":"x"}',
    { ...setting, cost: 'key' },
  ),
  fn(
    'void setInt(string key, int value)',
    `Sets an int. ${setter}`,
    prelude('setIntMember'),
    'json j = {}; j.setInt("a", 1); j → {"a":1}',
    { ...setting, cost: 'key' },
  ),
  fn(
    'void setBool(string key, boolean value)',
    `Sets a boolean. ${setter}`,
    prelude('setBooleanMember'),
    'json j = {}; j.setBool("a", true); j → {"a":true}',
    { ...setting, cost: 'key' },
  ),
  fn(
    'void setDouble(string key, double value)',
    `Sets a double. ${setter}`,
    prelude('setDoubleMember'),
    'json j = {}; j.setDouble("a", 1.0); j → {"a":1.0}',
    { ...setting, cost: 'key' },
  ),
  fn(
    'void setJson(string key, json? value)',
    `Sets a nested json. ${setter}`,
    prelude('writeMember'),
    'json j = {}; j.setJson("a", [1]); j → {"a":[1]}',
    { reads: ['this'], stores: ['this'], flows: ['this[] = value'], throws: true, allocates: true, cost: 'key' },
  ),
  fn(
    'void remove(string key)',
    `Removes a key, if it is there. ${setter}`,
    prelude('removeKey'),
    'json j = { a: 1, b: 2 }; j.remove("a"); j → {"b":2}',
    { ...setting, cost: 'key' },
  ),
  fn(
    'int[] getIntArray(string key, int[]? default)',
    `The array of ints, ${getter}`,
    prelude('getIntArrayMember'),
    'json j = { a: [1, 2] }; j.getIntArray("a", []) → [1,2]',
    { ...casting, cost: 'key + result' },
  ),
  fn(
    'string[] getStringArray(string key, string[]? default)',
    `The array of strings, ${getter}`,
    prelude('getStringArrayMember'),
    'json j = { a: ["x"] }; j.getStringArray("a", []) → ["x"]',
    { ...casting, cost: 'key + result' },
  ),
  fn(
    'double[] getDoubleArray(string key, double[]? default)',
    `The array of doubles, ints widened, ${getter}`,
    prelude('getDoubleArrayMember'),
    'json j = { a: [1, 2.5] }; j.getDoubleArray("a", []) → [1.0,2.5]',
    { ...casting, cost: 'key + result' },
  ),
  fn(
    'T[] getArray(string key, type T, T[]? default)',
    'The array, each element cast to the struct type, or the default if the key is missing or one of them does ' +
      'not fit.',
    prelude('getArrayMember'),
    'type P { int x; } json j = { a: [{ x: 1 }] }; j.getArray("a", P, [])[0].x → 1',
    {
      reads: ['this'],
      flows: ['result = default', 'result[..] = this[..]'],
      throws: true,
      allocates: true,
      cost: 'key + 4 result',
    },
  ),
  fn('boolean isObject()', 'True for an object.', prelude('jsonIsObject'), 'json j = {}; j.isObject() → true', pure),
  fn('boolean isArray()', 'True for an array.', prelude('jsonIsArray'), 'json j = {}; j.isArray() → false', pure),
  fn(
    'string kind()',
    '"boolean", "int", "double", "string", "array" or "object".',
    prelude('kindOfJson'),
    'json j = { a: 1.5 }; j.a.kind() → double',
    pure,
  ),
  fn(
    'void push(json? value)',
    'Appends any json value to an array. TypeError on anything else.',
    prelude('pushItem'),
    'json j = []; j.push(1); j.push("x"); j → [1,"x"]',
    {
      reads: ['this'],
      stores: ['this'],
      resizes: ['this'],
      flows: ['this[] = value'],
      throws: true,
      allocates: true,
      cost: '0',
    },
  ),
  fn(
    'json copy()',
    'A copy, as deep as it is.',
    prelude('copyJson'),
    'json j = { a: 1 }; json k = j.copy(); k.a = 2; j → {"a":1}',
    { reads: ['this'], throws: true, allocates: true, cost: '2 this' },
  ),
]);
