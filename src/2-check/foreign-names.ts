// Names that people bring from other languages, and what to write here instead.

interface ForeignType {
  readonly help: string;
  /** The type that was surely meant. */
  readonly replacement?: string;
}

const declareByType = 'A variable is declared by its type: int x = 1;';
const declareFunction = 'A function is declared by its return type: int add(int a, int b) { … }';

export const foreignTypes: ReadonlyMap<string, ForeignType> = new Map<string, ForeignType>([
  ...['let', 'var', 'auto', 'val', 'dim', 'mut'].map((name) => [name, { help: declareByType }] as const),
  ...['function', 'func', 'fn', 'def', 'fun', 'sub', 'proc'].map((name) => [name, { help: declareFunction }] as const),
  ...['final', 'readonly', 'static'].map((name) => [name, { help: 'Write const in front of the type: const int x = 1;' }] as const),
  ...['bool', 'Boolean', 'Bool'].map((name) => [name, { help: 'The type is called boolean.', replacement: 'boolean' }] as const),
  ...['String', 'str', 'Str', 'text', 'Text'].map((name) => [name, { help: 'The type is called string.', replacement: 'string' }] as const),
  ...['char', 'Char', 'Character', 'rune'].map((name) => [name, { help: 'A character is a string of length 1.', replacement: 'string' }] as const),
  ...['float', 'Float', 'Double', 'real', 'decimal', 'f64', 'f32'].map((name) => [name, { help: 'The type is called double.', replacement: 'double' }] as const),
  ...['long', 'short', 'byte', 'Int', 'Integer', 'Long', 'integer', 'i64', 'i32', 'u8', 'uint', 'size_t', 'unsigned'].map(
    (name) => [name, { help: 'The type is called int, and has 64 bits.', replacement: 'int' }] as const,
  ),
  ['number', { help: 'The types of numbers are int and double.' }],
  ['Number', { help: 'The types of numbers are int and double.' }],
  ...['any', 'object', 'Object', 'dynamic', 'unknown'].map((name) => [name, { help: 'Every value has one type; a struct type is declared with type.' }] as const),
  ...['List', 'ArrayList', 'Array', 'Vector', 'vector', 'list'].map((name) => [name, { help: 'A list is an array: int[] xs = [];' }] as const),
  ...['Map', 'HashMap', 'dict', 'Dictionary', 'Record'].map((name) => [name, { help: 'There are no maps; named fields are a struct: type Point { int x; int y; }' }] as const),
  ['undefined', { help: 'A function that returns nothing is void.' }],
]);

const output = 'Output is yielded: yield "text";';

/** Names used as a value, or in front of a dot. */
export const foreignValues: ReadonlyMap<string, string> = new Map([
  ['console', output],
  ['System', output],
  ['process', output],
  ['stdout', output],
  ['undefined', 'The value for nothing is null.'],
  ['nil', 'The value for nothing is null.'],
  ['None', 'The value for nothing is null.'],
  ['NULL', 'The value for nothing is null.'],
  ['nullptr', 'The value for nothing is null.'],
  ['True', 'Write true.'],
  ['TRUE', 'Write true.'],
  ['False', 'Write false.'],
  ['FALSE', 'Write false.'],
  ['this', 'Structs have no methods; a function takes the struct as a parameter.'],
  ['self', 'Structs have no methods; a function takes the struct as a parameter.'],
  ['NaN', 'Write 0.0 / 0.0.'],
  ['Infinity', 'Write 1.0 / 0.0.'],
  ['JSON', 'The namespace is called Json.'],
]);

/** Names that are called. */
export const foreignFunctions: ReadonlyMap<string, string> = new Map([
  ...['print', 'println', 'puts', 'echo', 'alert', 'log', 'write', 'cout'].map((name) => [name, output] as const),
  ...['printf', 'sprintf', 'format'].map((name) => [name, 'Output is yielded, and a template formats it: yield `x is ${x}`;'] as const),
  ...['len', 'strlen', 'sizeof', 'size', 'count'].map((name) => [name, 'Write x.length().'] as const),
  ...['parseInt', 'atoi', 'Integer'].map((name) => [name, 'Write text.toInt(0), with the value for a text that is no number.'] as const),
  ...['parseFloat', 'atof', 'Number', 'Float'].map((name) => [name, 'Write text.toDouble(0.0), with the value for a text that is no number.'] as const),
  ...['String', 'str', 'toString'].map((name) => [name, 'Write x.toString(), or a template: `${x}`.'] as const),
  ...['exit', 'die', 'quit'].map((name) => [name, 'To end the program, return from main, or throw "message";'] as const),
  ...['error', 'raise', 'panic', 'Error'].map((name) => [name, 'Write throw "message";'] as const),
  ['assert', 'Write if (!condition) throw "message";'],
  ['range', 'Count with for (int i = 0; i < n; i++).'],
  ['require', 'Write import "file.slu" as name;'],
  ['fetch', 'Requests are made by the namespace Http.'],
  ['main', 'main is run by the host and cannot be called. Move the code into a function of its own.'],
  ['isNaN', 'Write x.isNaN().'],
  ['typeof', 'The type of everything is known when the script is compiled.'],
]);

/** Methods that other languages have, and the ones here; the same for strings and arrays unless there is no such method. */
export const foreignMethods: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['toUpperCase', ['upper']],
  ['toUpper', ['upper']],
  ['upperCase', ['upper']],
  ['toLowerCase', ['lower']],
  ['toLower', ['lower']],
  ['lowerCase', ['lower']],
  ['size', ['length']],
  ['count', ['length']],
  ['len', ['length']],
  ['getLength', ['length']],
  ['append', ['push']],
  ['add', ['push']],
  ['includes', ['contains']],
  ['has', ['contains']],
  ['substr', ['substring']],
  ['slice', ['substring', 'slice']],
  ['sub', ['substring', 'slice']],
  ['at', ['charAt']],
  ['get', ['charAt']],
  ['charCodeAt', ['codeAt']],
  ['codePointAt', ['codeAt']],
  ['replaceAll', ['replace']],
  ['find', ['indexOf']],
  ['search', ['indexOf']],
  ['strip', ['trim']],
  ['remove', ['removeAt']],
  ['delete', ['removeAt']],
  ['splice', ['removeAt']],
  ['shift', ['removeAt']],
  ['unshift', ['insert']],
  ['clone', ['copy']],
  ['round', ['toInt']],
  ['intValue', ['toInt']],
  ['int', ['toInt']],
  ['parseInt', ['toInt']],
  ['double', ['toDouble']],
  ['str', ['toString']],
  ['string', ['toString']],
  ['popcount', ['bitCount']],
]);

/** Methods that stand for a construct of the language. */
export const foreignIdioms: ReadonlyMap<string, string> = new Map([
  ...['map', 'filter', 'forEach', 'reduce', 'each', 'some', 'every'].map((name) => [name, 'Functions are not values here: go through the array with foreach (T x in xs) { … }.'] as const),
  ['equals', 'Compare with ==, which compares the content of strings.'],
  ['compareTo', 'Compare with <, <=, > or >=.'],
  ['concat', 'Join strings with +, or in a template.'],
  ['push', 'A string never changes: join with + and assign the result.'],
  ['append', 'A string never changes: join with + and assign the result.'],
  ['toInt', 'Only double and string have it.'],
]);
