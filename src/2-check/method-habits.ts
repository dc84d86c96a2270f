// What other languages call the methods of this one, and what replaces methods that this language does not have.

import type { Type } from '../language/types.ts';

/** What other languages call the methods. The fix is sure if the method takes the same arguments and means the same. */
const foreignMethods: Readonly<Record<string, { readonly name: string; readonly same: boolean }>> = {
  ...synonyms(true, {
    toUpperCase: 'upper',
    toUpper: 'upper',
    toLowerCase: 'lower',
    toLower: 'lower',
    size: 'length',
    len: 'length',
    includes: 'contains',
    append: 'push',
    add: 'push',
    push_back: 'push',
    strip: 'trim',
    codePointAt: 'codeAt',
    startswith: 'startsWith',
    endswith: 'endsWith',
    empty: 'isEmpty',
    to_string: 'toString',
    length: 'size',
    hasOwnProperty: 'has',
    hasKey: 'has',
    delete: 'remove',
    getBoolean: 'getBool',
    setBoolean: 'setBool',
    getJson: 'getJSON',
    setJSON: 'setJson',
    getFloat: 'getDouble',
    getNumber: 'getDouble',
    setFloat: 'setDouble',
    setNumber: 'setDouble',
    toHexString: 'toHex',
    enqueue: 'push',
    rfind: 'lastIndexOf',
    ljust: 'padEnd',
    rjust: 'padStart',
  }),
  ...synonyms(false, {
    count: 'length',
    has: 'contains',
    substr: 'substring',
    remove: 'removeAt',
    charCodeAt: 'codeAt',
    replaceAll: 'replace',
    find: 'indexOf',
    index: 'indexOf',
    sorted: 'sort',
    sortBy: 'sort',
    sortWith: 'sort',
    sort_by: 'sort',
    toSorted: 'sort',
    orderBy: 'sort',
    clone: 'copy',
    intValue: 'toInt',
    at: 'charAt',
    get: 'charAt',
    unshift: 'insert',
    splice: 'removeAt',
    extend: 'concat',
    addAll: 'concat',
    containsKey: 'has',
    setArray: 'setJson',
    setObject: 'setJson',
    ord: 'codeAt',
    search: 'indexOf',
    lstrip: 'trim',
    rstrip: 'trim',
    trimStart: 'trim',
    trimEnd: 'trim',
  }),
};

function synonyms(
  same: boolean,
  names: Readonly<Record<string, string>>,
): Record<string, { readonly name: string; readonly same: boolean }> {
  return Object.fromEntries(Object.entries(names).map(([foreign, name]) => [foreign, { name, same }]));
}

export function foreignMethod(name: string): { readonly name: string; readonly same: boolean } | null {
  return Object.hasOwn(foreignMethods, name) ? foreignMethods[name]! : null;
}

interface Idiom {
  readonly on: Type['kind'];
  /** Only where the type does not have this method. */
  readonly without?: string;
  readonly help: string;
}

const goThrough: Idiom = {
  on: 'array',
  help: 'Functions are not values here: go through the array with foreach (T x in xs) { … }.',
};
const ownOrder: Idiom = {
  on: 'array',
  without: 'sort',
  help:
    'Arrays of numbers and texts sort themselves. Of others you say the order: "Sort structs" in the cookbook has a ' +
    'function to copy.',
};
const neverChanges: Idiom = { on: 'string', help: 'A string never changes: s = s + "text" makes a longer one.' };
const byKey: Idiom = {
  on: 'json',
  help: 'A value is read by its key, j.key or j["key"], or by a getter with a default: j.getInt("key", 0).',
};
const byKeys: Idiom = { on: 'json', help: 'Go through the keys: foreach (string key in j.keys()) { … }.' };
const byCast: Idiom = { on: 'json', help: 'A json is cast to the type that it holds: j as int, j as string.' };
const asText: Idiom = { on: 'json', help: 'A template shows a json, `${j}`; its JSON text is Json.stringify(j).' };
const through: Idiom = {
  on: 'json',
  help: 'Functions are not values here: go through a json array with foreach (json x in j) { … }.',
};
const intoText: Idiom = { on: 'string', help: 'A template puts values into text: `${x} of ${y}`.' };

const ofTime: Idiom = {
  on: 'int',
  help:
    'Date.now() is an int, milliseconds since the beginning of 1970; a template shows it: `${x}`. ' +
    'No function writes it as a date.',
};

const field: Idiom = {
  on: 'struct',
  help: 'A struct is copied field by field, into a literal of its own: P q = { x: p.x, y: p.y };',
};
const shown = (on: Type['kind']): Idiom => ({ on, help: 'A template shows it as JSON: `${x}`.' });
const whole: Idiom = { on: 'int', help: 'An int has no fraction: leave the call away.' };
const byKind: Idiom = { on: 'json', help: 'What a json holds is j.kind(): "int", "double", "string" and so on.' };
const oneByOne: Idiom = {
  on: 'json',
  help: 'Keys of another json are set one by one: foreach (string key in other.keys()) j[key] = other[key];',
};
const inFront: Idiom = { on: 'array', help: 'An element is put in front with xs.insert(0, value).' };
const takenOff: Idiom = { on: 'array', help: 'The first element is taken off with xs.removeAt(0).' };
const lastElement: Idiom = { on: 'array', help: 'The last element is xs[xs.length() - 1].' };
const mean: Idiom = {
  on: 'array',
  help: 'The mean of an int[] is xs.sum().toDouble() / xs.length(), of a double[] xs.sum() / xs.length().',
};
const textLines: Idiom = { on: 'string', help: 'The lines are text.split("\\n").' };
const turned: Idiom = {
  on: 'string',
  help: 'An array can be turned around: string[] cs = text.split(""); cs.reverse(); cs.join("") is the text again.',
};
const capital: Idiom = {
  on: 'string',
  help: 'The first letter alone is text.charAt(0).upper(), and what follows text.substring(1, text.length()).',
};

const noPatterns = 'There are no regular expressions: contains, indexOf, startsWith and split look for text.';
const noClasses = 'Compare the characters: text.charAt(i) >= "0" && text.charAt(i) <= "9".';

/** Methods of other languages for which there is a statement, an operator or a function. */
const foreignIdioms: Readonly<Record<string, readonly Idiom[]>> = {
  values: [byKeys],
  entries: [byKeys],
  items: [{ on: 'json', help: `${byKeys.help} A key of that name is j.items.` }],
  contains: [{ on: 'json', help: 'Whether an object has a key is j.has(key).' }],
  isString: [byKind],
  isInt: [byKind],
  isNumber: [byKind],
  isDouble: [byKind],
  isBool: [byKind],
  isBoolean: [byKind],
  merge: [oneByOne],
  update: [oneByOne],
  assign: [oneByOne],
  clear: [{ on: 'json', help: 'An empty one takes its place: j = {};' }],
  stringify: [asText],
  toJson: [asText],
  toJSON: [asText],
  asInt: [byCast],
  asString: [byCast],
  toInt: [byCast, whole],
  toDouble: [byCast],
  isNull: [{ on: 'json', help: 'Compare with null: j == null.' }],
  put: [{ on: 'json', help: 'A value is set by its key: j["key"] = value;' }],
  toString: [asText, shown('struct'), shown('array')],
  copy: [field],
  clone: [field],
  map: [goThrough, through],
  filter: [goThrough, through],
  forEach: [goThrough, through],
  reduce: [goThrough],
  each: [goThrough],
  sort: [ownOrder],
  sorted: [ownOrder],
  sortBy: [ownOrder],
  sortWith: [ownOrder],
  sort_by: [ownOrder],
  toSorted: [ownOrder],
  orderBy: [ownOrder],
  groupBy: [{ on: 'array', help: 'Collect what has the same key in a json: sums[key] = sums.getInt(key, 0) + x;' }],
  some: [goThrough],
  every: [goThrough],
  any: [goThrough],
  all: [goThrough],
  mean: [mean],
  average: [mean],
  avg: [mean],
  swap: [
    { on: 'array', help: 'Two elements change places by a third variable: int x = xs[i]; xs[i] = xs[j]; xs[j] = x;' },
  ],
  push: [neverChanges],
  append: [neverChanges],
  add: [neverChanges],
  concat: [{ on: 'string', help: 'Texts are joined with +, or in a template.' }],
  equals: [{ on: 'string', help: 'Compare with ==, which looks at the content.' }],
  compareTo: [{ on: 'string', help: 'Compare with <, <=, > or >=.' }],
  localeCompare: [{ on: 'string', help: 'Compare with <, <=, > or >=.' }],
  reverse: [turned],
  reversed: [turned],
  capitalize: [capital],
  title: [capital],
  zfill: [{ on: 'string', help: 'Zeros in front are text.padStart(n, "0").' }],
  json: [{ on: 'string', help: 'Http.getJson(url) gives the answer as json; any text is read with Json.parse(text).' }],
  format: [intoText, ofTime],
  toISOString: [ofTime],
  getTime: [ofTime],
  getFullYear: [ofTime],
  strftime: [ofTime],
  get: [{ on: 'array', help: 'An element is read with brackets: xs[i].' }, byKey],
  set: [
    { on: 'array', help: 'An element is set with brackets: xs[i] = value;' },
    { on: 'json', help: 'A value is set by its key: j["key"] = value;' },
  ],
  at: [{ on: 'array', help: 'An element is read with brackets: xs[i].' }],
  slice: [{ on: 'string', help: 'A part of a text is text.substring(from, to).' }],
  shift: [takenOff],
  popleft: [takenOff],
  dequeue: [takenOff],
  poll: [takenOff],
  unshift: [inFront],
  appendleft: [inFront],
  join: [{ on: 'string', help: 'The array comes first: parts.join(", ").' }],
  first: [{ on: 'array', help: 'The first element is xs[0].' }],
  last: [lastElement],
  peek: [lastElement],
  extend: [{ on: 'array', help: 'xs = xs.concat(ys) makes a longer one; xs.push(x) adds one element in place.' }],
  addAll: [{ on: 'array', help: 'xs = xs.concat(ys) makes a longer one; xs.push(x) adds one element in place.' }],
  count: [{ on: 'string', help: 'Characters are counted by text.length(), parts by text.split(part).length() - 1.' }],
  splitlines: [textLines],
  lines: [textLines],
  words: [{ on: 'string', help: 'The words are text.split(" ").' }],
  body: [{ on: 'string', help: 'Http.get and the others give the text of the answer itself.' }],
  message: [{ on: 'string', help: 'What catch (e) has is the message itself: yield e;' }],
  stack: [
    {
      on: 'string',
      help: 'What catch (e) has is the message; where an error comes from is told where none catches it.',
    },
  ],
  match: [{ on: 'string', help: noPatterns }],
  test: [{ on: 'string', help: noPatterns }],
  isdigit: [{ on: 'string', help: noClasses }],
  isalpha: [{ on: 'string', help: noClasses }],
  isDigit: [{ on: 'string', help: noClasses }],
  isLetter: [{ on: 'string', help: noClasses }],
  isNumeric: [{ on: 'string', help: noClasses }],
  chars: [{ on: 'string', help: 'The characters are text.split("").' }],
  toCharArray: [{ on: 'string', help: 'The characters are text.split("").' }],
  round: [{ on: 'double', help: 'Write Math.round(x); text with so many digits is x.toFixed(digits).' }, whole],
  floor: [whole],
  ceil: [whole],
  trunc: [whole],
  toFixed: [{ on: 'int', help: 'toFixed() is a method of double: x.toDouble().toFixed(2).' }],
};

/** `methods` are those of the receiver. */
export function foreignIdiom(name: string, receiver: Type, methods: readonly string[]): string | null {
  const rows = Object.hasOwn(foreignIdioms, name) ? foreignIdioms[name]! : [];
  const fits = ({ on, without }: Idiom): boolean =>
    on === receiver.kind && (without === undefined || !methods.includes(without));
  return rows.find(fits)?.help ?? null;
}
