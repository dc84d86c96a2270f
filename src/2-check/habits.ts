// What people from other languages write, and how this language says it: tables of names and functions, each with its
// replacement if there is one. Methods are in method-habits.ts.

import { possibleFix, sureFix, wordFix } from '../diagnostics/fixes.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source.ts';
import { addCall } from './conversions.ts';

interface Habit {
  readonly help: string;
  /** The text that replaces it and means the same. */
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

const http: Habit = { help: 'Write Http.get(url), or Http.getJson(url).' };

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
  fs: { help: 'A file is read with File.read(path) and written with File.write(path, text).' },
  os: { help: 'A variable of the environment is Env.get("NAME"), what runs the script Env.system("os.name").' },
  requests: http,
  axios: http,
  random: { help: 'A random number is Math.random(), at least 0.0 and below 1.0.' },
  time: { help: 'The time is Date.now(), in milliseconds.' },
  datetime: { help: 'The time is Date.now(), in milliseconds.' },
  re: { help: 'There are no regular expressions: contains, indexOf, startsWith and split look for text.' },
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

const counted: FunctionHabit = { help: 'Count the position: for (int i = 0; i < xs.length(); i++) { … xs[i] … }' };
const loopOver: FunctionHabit = {
  help: 'Functions are not values here: go through the array with foreach (T x in xs) { … }.',
};
const keyed: FunctionHabit = {
  help: 'Keys that are known make a type of their own; for those that are not there is json: json j = {};',
};

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
  reversed: { help: 'xs.reverse() turns an array around in place; xs.copy() keeps the old order.' },
  enumerate: counted,
  zip: counted,
  any: loopOver,
  all: loopOver,
  map: loopOver,
  filter: loopOver,
  bool: { help: 'Nothing is true by itself: compare it, as in x != 0 or s != "".' },
  Boolean: { help: 'Nothing is true by itself: compare it, as in x != 0 or s != "".' },
  ord: { help: 'The number of a character is text.codeAt(i).', method: 'codeAt(0)' },
  hex: { help: 'Write n.toHex().', method: 'toHex()' },
  list: { help: 'An array is written [1, 2, 3]; new int[n] makes one of a length, xs.copy() a copy.' },
  Array: { help: 'An array is written [1, 2, 3]; new int[n] makes one of a length, xs.copy() a copy.' },
  tuple: { help: 'There are no tuples: several values go into a struct or an array.' },
  dict: keyed,
  set: keyed,
  Map: keyed,
  Set: keyed,
  open: { help: 'A file is read with File.read(path) and written with File.write(path, text).' },
  fetch: { help: 'Write Http.get(url), or Http.getJson(url).' },
  isinstance: { help: 'Every type is known when the script is compiled; what a json holds is j.kind().' },
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

const anyInt = 'An int from lo up to hi, both included, is lo + (Math.random() * (hi - lo + 1)).toInt().';
const lines = 'The lines of a file are File.read(path).split("\\n").';
const kindOfFile = 'What is at a path says File.metadata(path).getString("type", ""): "file", "directory" or "other".';

/** Functions that namespaces do not have, by what people write; a text that is one word is the name here. */
const foreignRows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Math: {
    ln: 'log',
    fabs: 'abs',
    mod: 'The remainder is a % b.',
    fmod: 'The remainder is a % b.',
    randint: anyInt,
    randInt: anyInt,
    randomInt: anyInt,
    clamp: 'It is a method: x.clamp(lo, hi).',
    sum: 'It is a method of int[] and double[]: xs.sum().',
    isNaN: 'It is a method: x.isNaN().',
    toRadians: 'Write x * Math.PI / 180.',
    radians: 'Write x * Math.PI / 180.',
    toDegrees: 'Write x * 180 / Math.PI.',
    degrees: 'Write x * 180 / Math.PI.',
  },
  File: {
    readLines: lines,
    readlines: lines,
    open: 'There is nothing to open: File.read(path) gives the text, File.write(path, text) replaces it.',
    readFile: 'read',
    readText: 'read',
    writeFile: 'write',
    writeText: 'write',
    remove: 'delete',
    unlink: 'delete',
    mkdir: 'createDir',
    readdir: 'list',
    isFile: kindOfFile,
    isDirectory: kindOfFile,
    isDir: kindOfFile,
    size: 'The bytes of a file are File.metadata(path).getInt("size", 0).',
    readJson: 'Write Json.parse(File.read(path)).',
  },
  Http: { fetch: 'get', request: 'get' },
};

export function foreignRow(
  namespace: string,
  name: string,
  span: Span,
): { readonly help: string; readonly fix?: Fix } | null {
  if (namespace === 'Env' && /^[A-Z][A-Z\d_]*$/.test(name))
    return { help: `A variable of the environment is Env.get("${name}"), which may be null.` };
  const rows = Object.hasOwn(foreignRows, namespace) ? foreignRows[namespace]! : {};
  if (!Object.hasOwn(rows, name)) return null;
  const meant = rows[name]!;
  return /^\w+$/.test(meant)
    ? { help: `It is called ${namespace}.${meant}.`, fix: wordFix(span, meant, false) }
    : { help: meant };
}

/** The author must choose the default of such a method; the other methods mean what the function meant. */
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

/** `let x = 1;`: words that stand in the place of the type. The value says which type is meant. */
export function isUntypedDeclaration(word: string): boolean {
  return ['let', 'var', 'auto', 'val'].includes(word);
}

/** The type of the value, which replaces the word; a whole number may be meant as int or double. */
export function typeFix(word: Span, type: string): Fix {
  return type === 'int' ? possibleFix("write 'int'", word, 'int') : wordFix(word, type, true);
}
