// Json, and the methods of json values.

import { prelude } from '../language/implementation.ts';
import { jsonType } from '../language/types.ts';
import { fn, library, methods } from './declare.ts';

export const json = library('Json', 'JSON text. No permission is needed.', [
  fn('json parse(string text)', 'Reads JSON text: digits alone are an int, a number with a fraction or an exponent is a double. ParseError with line and column for anything else.', prelude('parseJson')),
  fn('string stringify(json value, boolean pretty = true)', 'JSON text: two spaces of indent for each level, or with pretty = false no white space at all. NaN and infinities are null.', prelude('stringifyJson')),
]);

const getter = 'or the default if the key is missing or its value of another kind.';
const setter = 'TypeError on anything but an object.';

export const jsonMethods = methods(jsonType, 'json', 'Methods of json.', [
  fn('string getString(string key, string? default)', `The string, ${getter}`, prelude('getStringMember')),
  fn('int getInt(string key, int default)', `The int, ${getter}`, prelude('getIntMember')),
  fn('boolean getBool(string key, boolean default)', `The boolean, ${getter}`, prelude('getBooleanMember')),
  fn('double getDouble(string key, double default)', `The double, an int widened, ${getter}`, prelude('getDoubleMember')),
  fn('json getJSON(string key, json? default)', 'The value, or the default if the key is missing or null.', prelude('getJsonMember')),
  fn('T getObject(string key, T default)', 'The value as the type of the default (a struct, an array or a primitive), or the default if the key is missing or the value does not fit.', prelude('getTypedMember')),
  fn('boolean has(string key)', 'True if the key exists; false on anything but an object.', prelude('jsonHas')),
  fn('string[] keys()', 'All keys of an object, in the order of their insertion.', prelude('keysOfJson')),
  fn('int size()', 'Number of keys of an object, or of elements of an array; otherwise 0.', prelude('sizeOfJson')),
  fn('void setString(string key, string? value)', `Sets a string. ${setter}`, prelude('setStringMember')),
  fn('void setInt(string key, int value)', `Sets an int. ${setter}`, prelude('setIntMember')),
  fn('void setBool(string key, boolean value)', `Sets a boolean. ${setter}`, prelude('setBooleanMember')),
  fn('void setDouble(string key, double value)', `Sets a double. ${setter}`, prelude('setDoubleMember')),
  fn('void setJson(string key, json? value)', `Sets a nested json. ${setter}`, prelude('writeMember')),
  fn('void remove(string key)', `Removes a key, if it is there. ${setter}`, prelude('removeKey')),
  fn('int[] getIntArray(string key, int[]? default)', `The array of ints, ${getter}`, prelude('getIntArrayMember')),
  fn('string[] getStringArray(string key, string[]? default)', `The array of strings, ${getter}`, prelude('getStringArrayMember')),
  fn('double[] getDoubleArray(string key, double[]? default)', `The array of doubles, ints widened, ${getter}`, prelude('getDoubleArrayMember')),
  fn('T[] getArray(string key, type T, T[]? default)', 'The array, each element cast to the struct type, or the default if the key is missing or one of them does not fit.', prelude('getArrayMember')),
  fn('boolean isObject()', 'True for an object.', prelude('jsonIsObject')),
  fn('boolean isArray()', 'True for an array.', prelude('jsonIsArray')),
  fn('string kind()', '"boolean", "int", "double", "string", "array" or "object".', prelude('kindOfJson')),
  fn('void push(json? value)', 'Appends any json value to an array. TypeError on anything else.', prelude('pushItem')),
  fn('json copy()', 'A copy, as deep as it is.', prelude('copyJson')),
]);
