// Mistakes with json: literals, keys, and casts.

import { fault } from '../fault.ts';

type Named = { readonly name: string };

export const jsonFaults = {
  duplicateKey: fault<{ readonly key: string }>({
    code: 'E2060',
    message: ({ key }) => `the key '${key}' is written twice`,
    help: 'Leave one of them away.',
    explanation:
      'A json object has each key once. In a literal a second one can only be a mistake, since its value would ' +
      'take the place of the first. A key that is to change is set afterwards, `j.a = 2;`.',
    wrong: 'main() { json j = { a: 1, a: 2 }; return j; }',
    right: 'main() { json j = { a: 2 }; return j; }',
  }),
  jsonSelector: fault<{ readonly found: string }>({
    code: 'E2061',
    message: ({ found }) =>
      `a json is read with a key, which is a string, or a position, which is an int, not with a ${found}`,
    help: null,
    explanation:
      'In `j[x]` the type of x tells what is meant: a string is a key of an object, an int a position in an ' +
      'array. Any other type is neither. A double that holds a position becomes an int with `.toInt()`, ' +
      'a number that is used as a key a text with `.toString()`.',
    wrong: 'main() { json j = [1, 2]; return j[1.0]; }',
    right: 'main() { json j = [1, 2]; return j[1]; }',
  }),
  cannotCast: fault<{ readonly from: string; readonly to: string }>({
    code: 'E2062',
    message: ({ from, to }) => `there is no cast from ${from} to ${to}`,
    help: 'A cast with as goes from json to another type, or from another type to json.',
    explanation:
      'What a json holds is known only while the program runs: `j as T` looks, as deep as T is, ' +
      'and throws CastError where it does not fit. `x as json` makes a json of a value. ' +
      'Between all other types conversions are methods: `.toInt()`, `.toDouble()`, `.toString()`.',
    wrong: 'main() { return 1.5 as int; }',
    right: 'main() { return 1.5.toInt(); }',
  }),
  untypedDefault: fault<Named>({
    code: 'E2063',
    message: ({ name }) => `the default of ${name}() must have a type`,
    help: 'Put null into a variable of the type that is wanted first: Point none = null;',
    explanation:
      '`getObject(key, default)` checks the value against the type of the default, and null alone has none. ' +
      'A variable of the wanted type that holds null has: what is found is checked against it, ' +
      'and null comes back where nothing fits.',
    wrong: 'main() { json j = { a: 1 }; return j.getObject("a", null); }',
    right: 'type P { int x; }\nmain() { json j = { p: { x: 1 } }; P none = null; return j.getObject("p", none); }',
  }),
  typeNameExpected: fault<Named>({
    code: 'E2064',
    message: ({ name }) => `${name}() takes the name of a type here`,
    help: 'Write the name of a struct type: j.getArray("points", Point, []).',
    explanation:
      'The second argument of `getArray(key, Type, default)` says what each element is cast to. ' +
      'A type is no value, so it stands there by its name and not as a text, and only a struct type can be ' +
      'meant: for numbers and texts there are `getIntArray`, `getDoubleArray` and `getStringArray`.',
    wrong: 'main() { json j = { p: [] }; return j.getArray("p", 1, []); }',
    right: 'type P { int x; }\nmain() { json j = { p: [{ x: 1 }] }; return j.getArray("p", P, []); }',
  }),
};
