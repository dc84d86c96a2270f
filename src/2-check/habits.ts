// What people write who come from other languages, and how it is said here: tables of names, functions and
// methods, each with the word that replaces it where there is one.

import { possibleFix, sureFix, wordFix } from '../diagnostics/fixes.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { addCall } from './conversions.ts';

interface Habit {
  readonly help: string;
  /** What stands in its place and means the same. */
  readonly word?: string;
}

const none: Habit = { help: 'The absence of a value is null.', word: 'null' };
const yes: Habit = { help: 'It is written true.', word: 'true' };
const no: Habit = { help: 'It is written false.', word: 'false' };
const noMethods = (word: string): Habit => ({
  help:
    `There are no methods of structs, so there is no ${word}: a function takes what it works on as its first ` +
    'parameter.',
});
const output: Habit = { help: 'Output is yielded: yield value;' };

/** Names that other languages have everywhere. */
const foreignNames: Readonly<Record<string, Habit>> = {
  console: output,
  System: output,
  fmt: output,
  std: output,
  cout: output,
  process: { help: 'What a script needs from outside are the parameters of main: main(string name) { … }' },
  undefined: none,
  NULL: none,
  Null: none,
  None: none,
  nil: none,
  nullptr: none,
  TRUE: yes,
  True: yes,
  FALSE: no,
  False: no,
  NaN: { help: 'NaN is 0.0 / 0.0; x.isNaN() tests for it.' },
  Infinity: { help: 'Infinity is 1.0 / 0.0; x.isFinite() tests for it.' },
  this: noMethods('this'),
  self: noMethods('self'),
  super: noMethods('super'),
  PI: { help: 'It is called Math.PI.', word: 'Math.PI' },
  JSON: { help: 'Its functions are Json.parse(text) and Json.stringify(value).', word: 'Json' },
  String: { help: 'Text is made by value.toString() or a template: `…${value}…`.' },
  string: { help: 'Text is made by value.toString() or a template: `…${value}…`.' },
  Integer: { help: 'The number in a text is read with text.toInt(default).' },
  Double: { help: 'The number in a text is read with text.toDouble(default).' },
  Number: { help: 'The number in a text is read with text.toInt(default) or text.toDouble(default).' },
  Object: { help: 'The keys of a json are j.keys(); the fields of a struct are those of its type.' },
  args: { help: 'What a script needs from outside are the parameters of main: main(string name) { … }' },
  argv: { help: 'What a script needs from outside are the parameters of main: main(string name) { … }' },
  pass: { help: 'A block that does nothing is { }.' },
};

export function foreignName(name: string, span: Span): { readonly help: string; readonly fix?: Fix } | null {
  const habit = Object.hasOwn(foreignNames, name) ? foreignNames[name]! : null;
  return habit === null
    ? null
    : { help: habit.help, ...(habit.word === undefined ? {} : { fix: wordFix(span, habit.word, true) }) };
}

// Functions

interface FunctionHabit extends Habit {
  /** The method that the only argument has instead: `len(x)` is `x.length()`. */
  readonly method?: string;
  /** Prints its only argument. */
  readonly prints?: boolean;
}

const prints: FunctionHabit = { help: 'Output is yielded: yield value;', prints: true };
const formats: FunctionHabit = { help: 'A template puts values into text: yield `${x} of ${y}`;' };
const throws: FunctionHabit = { help: 'An error is thrown by its message: throw "message";' };
const inMath = (name: string): FunctionHabit => ({ help: `It is called Math.${name}.`, word: `Math.${name}` });
const lesser = (name: string): FunctionHabit => ({
  help: `Of doubles it is Math.${name}(a, b), of ints a.${name}(b), of an array xs.${name}().`,
});

const foreignFunctions: Readonly<Record<string, FunctionHabit>> = {
  print: prints,
  println: prints,
  echo: prints,
  puts: prints,
  alert: prints,
  printf: formats,
  sprintf: formats,
  format: formats,
  Error: throws,
  Exception: throws,
  RuntimeError: throws,
  ValueError: throws,
  TypeError: throws,
  panic: throws,
  assert: { help: 'Test it and throw: if (x != 1) throw "x is not 1";' },
  exit: { help: 'return ends the program at top level and in main; throw "message" ends it with an error.' },
  not: { help: 'Write !(…).' },
  range: { help: 'Count in a loop: for (int i = 0; i < n; i++) { … }' },
  int: { help: 'Write text.toInt(default).' },
  typeof: { help: 'Every type is known when the script is compiled; what a json holds is j.kind().' },
  type: { help: 'Every type is known when the script is compiled; what a json holds is j.kind().' },
  isNaN: { help: 'It is a method: x.isNaN().', method: 'isNaN()' },
  parseInt: { help: 'Write text.toInt(default).', method: 'toInt(0)' },
  parseFloat: { help: 'Write text.toDouble(default).', method: 'toDouble(0.0)' },
  Number: { help: 'Write text.toDouble(default).', method: 'toDouble(0.0)' },
  float: { help: 'Write text.toDouble(default), or x.toDouble() of an int.' },
  String: { help: 'Write value.toString(), or a template.', method: 'toString()' },
  str: { help: 'Write value.toString(), or a template.', method: 'toString()' },
  len: { help: 'Write x.length().', method: 'length()' },
  strlen: { help: 'Write x.length().', method: 'length()' },
  sum: { help: 'It is a method of int[] and double[]: xs.sum().', method: 'sum()' },
  sorted: { help: 'xs.sort() sorts an array in place; xs.copy() keeps the old order.' },
  min: lesser('min'),
  max: lesser('max'),
  sqrt: inMath('sqrt'),
  abs: inMath('abs'),
  floor: inMath('floor'),
  ceil: inMath('ceil'),
  pow: inMath('pow'),
  round: inMath('round'),
  sin: inMath('sin'),
  cos: inMath('cos'),
  tan: inMath('tan'),
  log: inMath('log'),
  exp: inMath('exp'),
  random: inMath('random'),
  input: { help: 'What a script needs from outside are the parameters of main: main(string name) { … }' },
  require: { help: 'A file is imported at the top: import "file.slu" as name;' },
  sleep: { help: 'A script does not wait; the host may.' },
  setTimeout: { help: 'A script does not wait; the host may.' },
};

/** How a method takes its default is for the author to say; the others mean what the function meant. */
const isSure = ({ method }: FunctionHabit): boolean => method !== undefined && !/\(.+\)/.test(method);

/** `name` is called with these arguments; `call` is the whole call, `isStatement` where nothing else is around it. */
export function foreignFunction(
  name: string,
  callee: Span,
  call: Span,
  operands: readonly Span[],
  isStatement: boolean,
): { readonly help: string; readonly fix?: Fix } | null {
  const habit = Object.hasOwn(foreignFunctions, name) ? foreignFunctions[name]! : null;
  if (habit === null) return null;
  const { help, word, method } = habit;
  if (word !== undefined) return { help, fix: wordFix(callee, word, name !== 'abs') };
  if (operands.length !== 1) return { help };
  if (method !== undefined)
    return {
      help,
      fix: { ...addCall(operands[0]!, method, isSure(habit)), span: call, description: `write .${method}` },
    };
  return habit.prints === true ? { help, ...yieldFix(call, operands, isStatement) } : { help };
}

/** A call that prints its only argument, which a statement of its own can yield. */
export function yieldFix(call: Span, operands: readonly Span[], isStatement: boolean): { readonly fix?: Fix } {
  const [only] = operands;
  if (!isStatement || operands.length !== 1 || only === undefined) return {};
  return { fix: sureFix('yield it', call, `yield ${call.file.text.slice(only.start, only.end)}`) };
}

/**
 * The owner in `console.log`, `System.out.println`, `fmt.Println`, as it stands in front of the parentheses; null for
 * any other.
 */
export function foreignOutput(callee: string): string | null {
  const match =
    /^(?:(console)\.(?:log|info|error|warn|debug)|(System)\.out\.print(?:ln)?|(fmt)\.Print(?:ln)?|(Console)\.Write(?:Line)?)$/.exec(
      callee,
    );
  return match === null ? null : (match[1] ?? match[2] ?? match[3] ?? match[4]!);
}

// Methods

/** What other languages call the methods here; where it takes the same arguments and means the same, surely. */
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
    clone: 'copy',
    intValue: 'toInt',
    at: 'charAt',
    get: 'charAt',
    unshift: 'insert',
    splice: 'removeAt',
    extend: 'concat',
    addAll: 'concat',
    containsKey: 'has',
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
  readonly help: string;
}

const goThrough: Idiom = {
  on: 'array',
  help: 'Functions are not values here: go through the array with foreach (T x in xs) { … }.',
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

/** Methods of other languages for which there is a statement, an operator or a function. */
const foreignIdioms: Readonly<Record<string, readonly Idiom[]>> = {
  values: [byKeys],
  entries: [byKeys],
  asInt: [byCast],
  asString: [byCast],
  toInt: [byCast],
  toDouble: [byCast],
  isNull: [{ on: 'json', help: 'Compare with null: j == null.' }],
  put: [{ on: 'json', help: 'A value is set by its key: j["key"] = value;' }],
  toString: [asText],
  map: [goThrough, through],
  filter: [goThrough, through],
  forEach: [goThrough, through],
  reduce: [goThrough],
  each: [goThrough],
  some: [goThrough],
  every: [goThrough],
  push: [neverChanges],
  append: [neverChanges],
  add: [neverChanges],
  concat: [{ on: 'string', help: 'Texts are joined with +, or in a template.' }],
  equals: [{ on: 'string', help: 'Compare with ==, which looks at the content.' }],
  compareTo: [{ on: 'string', help: 'Compare with <, <=, > or >=.' }],
  format: [intoText],
  get: [{ on: 'array', help: 'An element is read with brackets: xs[i].' }, byKey],
  set: [
    { on: 'array', help: 'An element is set with brackets: xs[i] = value;' },
    { on: 'json', help: 'A value is set by its key: j["key"] = value;' },
  ],
  at: [{ on: 'array', help: 'An element is read with brackets: xs[i].' }],
  slice: [{ on: 'string', help: 'A part of a text is text.substring(from, to).' }],
  shift: [{ on: 'array', help: 'The first element is taken off with xs.removeAt(0).' }],
  unshift: [{ on: 'array', help: 'An element is put in front with xs.insert(0, value).' }],
  join: [{ on: 'string', help: 'The array comes first: parts.join(", ").' }],
  chars: [{ on: 'string', help: 'The characters are text.split("").' }],
  round: [{ on: 'double', help: 'Write Math.round(x); text with so many digits is x.toFixed(digits).' }],
  floor: [{ on: 'double', help: 'Write Math.floor(x).' }],
  ceil: [{ on: 'double', help: 'Write Math.ceil(x).' }],
  sqrt: [{ on: 'double', help: 'Write Math.sqrt(x).' }],
  toFixed: [{ on: 'int', help: 'toFixed() is a method of double: x.toDouble().toFixed(2).' }],
};

export function foreignIdiom(name: string, receiver: Type): string | null {
  const rows = Object.hasOwn(foreignIdioms, name) ? foreignIdioms[name]! : [];
  return rows.find(({ on }) => on === receiver.kind)?.help ?? null;
}

/** `let x = 1;`: words in the place of the type, which the value tells. */
export function isUntypedDeclaration(word: string): boolean {
  return ['let', 'var', 'auto', 'val'].includes(word);
}

/** The type of the value in the place of the word; a number may be meant as either. */
export function typeFix(word: Span, type: string): Fix {
  return type === 'int' ? possibleFix("write 'int'", word, 'int') : wordFix(word, type, true);
}
