// Faults of meaning: names, types, and where constructs are allowed.

import { fault } from '../fault.ts';

type Named = { readonly name: string };

/** 'a', 'a and b', 'a, b and c'. */
function list(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}

function shorten(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 57)}…`;
}

export const semanticFaults = {
  intTooLarge: fault<object>({
    code: 'E2010',
    message: () => 'this number is beyond the largest int, 9223372036854775807',
    help: 'Write a double, such as 1e19, if it need not be exact.',
    explanation:
      'An int has 64 bits and a sign: from -9223372036854775808 to 9223372036854775807. ' +
      'A literal beyond that is an error, since no value could stand for it exactly. ' +
      'A double reaches much further, with about 16 digits that are right.',
    wrong: 'main() { return 9223372036854775808; }',
    right: 'main() { return 9223372036854775807; }',
  }),
  doubleTooLarge: fault<object>({
    code: 'E2011',
    message: () => 'this number is beyond the largest double, about 1.8e308',
    help: 'Infinity is 1.0 / 0.0, if that is what you mean.',
    explanation:
      'A double is a 64-bit IEEE 754 number, whose largest value is about 1.8e308. ' +
      'A literal that would become infinite is more likely a slip in the exponent than a wish; ' +
      'infinity that is meant is `1.0 / 0.0`.',
    wrong: 'main() { return 1e999; }',
    right: 'main() { return 1e300; }',
  }),
  unknownName: fault<Named>({
    code: 'E2012',
    message: ({ name }) => `there is no variable '${shorten(name)}' here`,
    help: 'Declare it by its type: int x = 1;',
    explanation:
      'A name must be declared before it is used, in the same block or one around it, or at the top of the file: ' +
      'a slip would otherwise be a new variable that nobody set. A variable of an inner block is gone at the end ' +
      'of the block; one that is wanted behind it is declared in front of it.',
    wrong: 'main() { int count = 1; return cuont; }',
    right: 'main() { int count = 1; return count; }',
  }),
  unknownType: fault<Named>({
    code: 'E2013',
    message: ({ name }) => `there is no type '${shorten(name)}'`,
    help: 'Types are int, double, boolean, string, json, those declared with type, and arrays of them.',
    explanation:
      'A type is one of `int`, `double`, `boolean`, `string`, `json`, a struct declared with `type`, ' +
      'or any of these followed by `[]`. There are no others, and no aliases: `int` has 64 bits, ' +
      '`double` is the only floating-point type, a single character is a string.',
    wrong: 'main() { Pont p = null; return p; }',
    right: 'type Point { double x; }\nmain() { Point p = null; return p; }',
  }),
  unknownFunction: fault<Named>({
    code: 'E2014',
    message: ({ name }) => `there is no function '${shorten(name)}'`,
    help: 'Declare it by its return type and name: int twice(int x) { return 2 * x; }',
    explanation:
      'Functions are declared at the top of a file, in any order. Those of the library belong to a namespace, ' +
      'as `Math.sqrt(x)`, or to a value, as `text.length()`, so that no name of yours can collide with one of ' +
      'theirs. There is no function for output: a value is handed out with `yield`.',
    wrong: 'int twice(int x) { return 2 * x; }\nmain() { return twoce(1); }',
    right: 'int twice(int x) { return 2 * x; }\nmain() { return twice(1); }',
  }),
  unknownLibraryFunction: fault<{ readonly namespace: string; readonly name: string }>({
    code: 'E2015',
    message: ({ namespace, name }) => `${namespace} has no function '${shorten(name)}'`,
    help: null,
    explanation:
      'Each namespace has a fixed set of functions, listed in docs/library.md. Upper and lower case count. ' +
      'Some that other languages keep in a namespace are methods here: `a.min(b)` of ints, `x.isNaN()`, ' +
      '`text.toInt(0)`.',
    wrong: 'main() { return Math.sqr(2.0); }',
    right: 'main() { return Math.sqrt(2.0); }',
  }),
  unknownMethod: fault<{ readonly type: string; readonly method: string }>({
    code: 'E2016',
    message: ({ type, method }) => `${type} has no method '${shorten(method)}'`,
    help: null,
    explanation:
      'A method is one of the library, or a function of the script whose first parameter takes the value in ' +
      'front of the point: `x.f(y)` is `f(x, y)`. The type of the value decides: ' +
      'the methods of `int[]` are not those of `string`. All of them are listed in docs/library.md.',
    wrong: 'main() { return "abc".lenght(); }',
    right: 'main() { return "abc".length(); }',
  }),
  unknownField: fault<{ readonly struct: string; readonly field: string }>({
    code: 'E2017',
    message: ({ struct, field }) => `${struct} has no field '${shorten(field)}'`,
    help: null,
    explanation:
      'A struct has the fields that its declaration names, and no others: none can be added later, ' +
      'so a slip in a name is found before the script runs. Data whose keys are not known beforehand is a `json`.',
    wrong: 'type Point { double x; double y; }\nmain() { Point p = { x: 1, z: 2 }; return p.x; }',
    right: 'type Point { double x; double y; }\nmain() { Point p = { x: 1, y: 2 }; return p.x; }',
  }),
  missingField: fault<{ readonly struct: string; readonly fields: readonly string[] }>({
    code: 'E2018',
    message: ({ struct, fields }) => `${list(fields)} ${fields.length === 1 ? 'is' : 'are'} missing in this ${struct}`,
    help: 'Every field gets a value; a nullable one may be null.',
    explanation:
      'A struct literal gives every field a value, so that a field that is added to a type cannot be forgotten ' +
      'anywhere. Fields of nullable types (strings, structs, arrays, json) may be given null, ' +
      'where there is nothing to say yet.',
    wrong: 'type Point { double x; double y; }\nmain() { Point p = { x: 1 }; return p.x; }',
    right: 'type Point { double x; double y; }\nmain() { Point p = { x: 1, y: 0 }; return p.x; }',
  }),
  duplicateField: fault<Named>({
    code: 'E2019',
    message: ({ name }) => `'${name}' is given twice`,
    help: 'Leave one of them away.',
    explanation:
      'A struct literal gives each field one value. Of two, one would be lost in silence; ' +
      'leave away the one that was not meant, or correct its name.',
    wrong: 'type P { int x; }\nmain() { P p = { x: 1, x: 2 }; return p.x; }',
    right: 'type P { int x; }\nmain() { P p = { x: 2 }; return p.x; }',
  }),
  duplicateName: fault<Named>({
    code: 'E2020',
    message: ({ name }) => `'${shorten(name)}' is declared twice`,
    help: 'Give one of them another name.',
    explanation:
      'A name is declared once in a scope, so that there is no question which one is meant. ' +
      'Blocks inside may use it again for something of their own; ' +
      'the outermost block of a function may not use the name of a parameter. Functions are not overloaded: ' +
      'two that do alike things for different types have different names, or one has defaults. ' +
      'To set a variable again, leave its type away.',
    wrong: 'main() { int x = 1; int x = 2; return x; }',
    right: 'main() { int x = 1; int y = 2; return x + y; }',
  }),
  reservedName: fault<Named>({
    code: 'E2021',
    message: ({ name }) => `'${name}' is a namespace of the library and cannot be declared`,
    help: 'Choose another name.',
    explanation:
      'The names of namespaces are reserved, so that `Math.sqrt` means the same in every script and nobody can ' +
      'put something else in the place of `File` or `Http`.',
    wrong: 'main() { int Math = 1; return Math; }',
    right: 'main() { int math = 1; return math; }',
  }),
  emptyStruct: fault<Named>({
    code: 'E2022',
    message: ({ name }) => `the type ${name} has no fields`,
    help: 'Give it at least one.',
    explanation:
      'A struct is a set of named fields; without any it could say nothing, and every value of it would be the ' +
      'same. A mark that something has happened is a `boolean`.',
    wrong: 'type Nothing {}\nmain() { return 1; }',
    right: 'type Something { int x; }\nmain() { return 1; }',
  }),
  typeMismatch: fault<{ readonly expected: string; readonly found: string }>({
    code: 'E2023',
    message: ({ expected, found }) => `expected ${expected}, got ${found}`,
    help: null,
    explanation:
      'A value must have the type that its place asks for. The only conversions that happen by themselves lose ' +
      'nothing: an int becomes a double, and a struct a json where one is expected. Every other one is written, ' +
      'so that the script shows where digits or meaning may get lost: `.toInt()`, `.toDouble()`, `.toString()`, ' +
      '`text.toInt(default)`, `j as T`.',
    wrong: 'main() { int x = "1"; return x; }',
    right: 'main() { int x = "1".toInt(0); return x; }',
  }),
  nullToPrimitive: fault<{ readonly type: string }>({
    code: 'E2024',
    message: ({ type }) => `null cannot be assigned to ${type}`,
    help:
      'int, double and boolean always have a value; ' +
      'use 0, 0.0 or false, or a variable that says whether there is one.',
    explanation:
      'The primitive types int, double and boolean are never null, so that arithmetic need not ask. ' +
      'Strings, structs, arrays and json may be. Where a number may be missing, take a value that cannot occur, ' +
      'such as -1, or a boolean beside it.',
    wrong: 'main() { int x = null; return x; }',
    right: 'main() { int x = 0; return x; }',
  }),
  operatorUndefined: fault<{ readonly operator: string; readonly operands: string }>({
    code: 'E2025',
    message: ({ operator, operands }) => `Operator '${operator}' not defined for (${operands})`,
    help: null,
    explanation:
      'Each operator works on the types it is made for: arithmetic on numbers, `+` also on two strings, ' +
      'bits on ints, logic on booleans. No operand becomes text or truth by itself, because what it would become ' +
      'is easily guessed wrong: `1 + 2 + "3"` is two different things in two languages. ' +
      'Say it with `.toString()` or a template, and with a comparison.',
    wrong: 'main() { return "a" + 1; }',
    right: 'main() { return `a${1}`; }',
  }),
  branchesDiffer: fault<{ readonly then: string; readonly otherwise: string }>({
    code: 'E2026',
    message: ({ then, otherwise }) => `the two values of '? :' have no type in common: ${then} and ${otherwise}`,
    help: 'Convert one of them.',
    explanation:
      'Both values of a conditional must fit one type, since the expression has one: the same, int and double, ' +
      'or null and a nullable type. Convert one of them, or decide with `if` and two statements.',
    wrong: 'main() { boolean b = true; return b ? 1 : "one"; }',
    right: 'main() { boolean b = true; return b ? "1" : "one"; }',
  }),
  elementsDiffer: fault<{ readonly first: string; readonly found: string }>({
    code: 'E2027',
    message: ({ first, found }) => `this element is ${found}, those before it are ${first}`,
    help: 'All elements of an array have one type.',
    explanation:
      'The elements of an array literal have one type: that of the place where it stands, or the one they have ' +
      'in common (int and double mix to double). Values of different types that belong together are a struct; ' +
      'where nothing is known of them, they are a json: `json j = [1, "two"];`.',
    wrong: 'main() { return [1, "two"]; }',
    right: 'main() { return ["1", "two"]; }',
  }),
  literalNeedsType: fault<{ readonly literal: string }>({
    code: 'E2028',
    message: ({ literal }) => `nothing here says what type ${literal} has`,
    help: null,
    explanation:
      'A literal in braces, and an empty array, take their type from where they stand: a variable, a parameter, ' +
      'a field, a return. Where nothing says, as behind `yield` or in front of a point, put it into a variable ' +
      'of the type first.',
    wrong: 'main() { yield []; return 1; }',
    right: 'main() { int[] none = []; yield none; return 1; }',
  }),
  objectNotExpected: fault<{ readonly expected: string }>({
    code: 'E2029',
    message: ({ expected }) => `expected ${expected}, got a literal in braces`,
    help: 'Braces make a struct, where one is expected.',
    explanation:
      'A literal in braces is a struct literal where a struct is expected, and a json literal where json is. ' +
      'In the place of a number, a text or an array it can mean neither. Arrays are written in brackets, `[1, ' +
      '2]`.',
    wrong: 'main() { int x = { y: 1 }; return x; }',
    right: 'type P { int y; }\nmain() { P x = { y: 1 }; return x.y; }',
  }),
  voidValue: fault<object>({
    code: 'E2030',
    message: () => 'this call gives no value',
    help: 'Call it as a statement of its own.',
    explanation:
      'A function that returns void gives nothing that could be stored, yielded or computed with. ' +
      'Call it as a statement of its own, or let it return what is wanted.',
    wrong: 'void f() { yield 1; }\nmain() { int x = f(); return x; }',
    right: 'void f() { yield 1; }\nmain() { f(); return 1; }',
  }),
  voidType: fault<object>({
    code: 'E2031',
    message: () => 'void is only the return type of a function',
    help: 'Choose the type of the value.',
    explanation:
      'void says that a function returns nothing. No variable, parameter, field or element can hold nothing; ' +
      'one that may be empty has a nullable type and holds null.',
    wrong: 'main() { void x = 1; return 1; }',
    right: 'main() { int x = 1; return x; }',
  }),
  nullablePrimitive: fault<{ readonly type: string }>({
    code: 'E2032',
    message: ({ type }) => `${type} is never null, so there is no ${type}?`,
    help: 'Leave the question mark away.',
    explanation:
      'The primitive types int, double and boolean always have a value, so a mark that they may be null would ' +
      'promise what cannot be. On every other type `?` may be written and changes nothing: ' +
      'they are nullable anyway.',
    wrong: 'main() { int? x = 1; return x; }',
    right: 'main() { int x = 1; return x; }',
  }),
  missingInitialiser: fault<{ readonly name: string; readonly type: string }>({
    code: 'E2033',
    message: ({ name, type }) => `'${name}' needs a first value, since ${type} has none of its own`,
    help: 'Write = null if it shall hold nothing at first.',
    explanation:
      'int, double and boolean begin as 0, 0.0 and false. Every other type may be null, and a variable that is ' +
      'null without anybody having said so is the commonest reason for a NullAccessError. ' +
      'Give it its first value, or write `= null` where that is meant.',
    wrong: 'main() { string s; return s; }',
    right: 'main() { string s = ""; return s; }',
  }),
  assignToConst: fault<Named>({
    code: 'E2034',
    message: ({ name }) => `'${name}' is const and keeps its value`,
    help: 'Take the word const away where it is declared, or use another variable.',
    explanation:
      'A const variable is set where it is declared and never again, neither with `=` nor with `+=` or `++`. ' +
      'What it refers to may still change: the elements of a const array can be set. ' +
      'A value that shall change is declared without the word.',
    wrong: 'main() { const int x = 1; x = 2; return x; }',
    right: 'main() { int x = 1; x = 2; return x; }',
  }),
  notAssignable: fault<object>({
    code: 'E2035',
    message: () => 'this cannot be assigned to',
    help: 'A variable, a field (p.x) or an element (a[i]) can.',
    explanation:
      'On the left of an assignment, and under `++` and `--`, stands something that holds a value: ' +
      'a variable, a field `p.x`, an element `a[i]`, or a key of a json. Literals, calls and sums do not; ' +
      'functions and types are declared once.',
    wrong: 'main() { 1 = 2; return 1; }',
    right: 'main() { int x = 1; x = 2; return x; }',
  }),
  argumentCount: fault<{ readonly name: string; readonly expected: string; readonly found: number }>({
    code: 'E2036',
    message: ({ name, expected, found }) => `${name} takes ${expected}, got ${found}`,
    help: null,
    explanation:
      'A call gives a value to every parameter that has no default, and none to parameters that do not exist. ' +
      'Arguments are matched from the left. A parameter that is often left out may have a default, `int f(int a, ' +
      'int b = 1)`, and a last one of the form `int ...xs[]` takes as many as there are.',
    wrong: 'int add(int a, int b) { return a + b; }\nmain() { return add(1); }',
    right: 'int add(int a, int b) { return a + b; }\nmain() { return add(1, 2); }',
  }),
  notCallable: fault<{ readonly what: string }>({
    code: 'E2037',
    message: ({ what }) => `this calls ${what}, which is no function`,
    help: null,
    explanation:
      'Only functions are called. Functions are no values: they are called by their name, and cannot be kept in ' +
      'variables. Constants such as `Math.PI` are read without parentheses.',
    wrong: 'main() { int x = 1; return x(); }',
    right: 'int x() { return 1; }\nmain() { return x(); }',
  }),
  methodNotCalled: fault<{ readonly method: string }>({
    code: 'E2038',
    message: ({ method }) => `${method} is a function: call it with ()`,
    help: null,
    explanation:
      'Lengths and the like are methods and called with parentheses, so that a reader sees fields and work ' +
      'apart. Functions are no values: without a call there is nothing that a name of one could stand for.',
    wrong: 'main() { return "abc".length; }',
    right: 'main() { return "abc".length(); }',
  }),
  noField: fault<{ readonly type: string; readonly field: string }>({
    code: 'E2039',
    message: ({ type, field }) => `${type} has no field '${shorten(field)}'`,
    help: null,
    explanation:
      'Structs have fields, and json has keys. Strings, arrays and numbers have methods, which are called with ' +
      'parentheses: `text.length()`.',
    wrong: 'main() { return "abc".size; }',
    right: 'main() { return "abc".length(); }',
  }),
  nameIsNoValue: fault<{ readonly name: string; readonly what: string }>({
    code: 'E2040',
    message: ({ name, what }) => `'${name}' is ${what}, not a value`,
    help: null,
    explanation:
      'Functions, types and namespaces are no values: they cannot be stored, passed or yielded. ' +
      'A function is called, a value of a struct type is written as a literal, a namespace is followed by a ' +
      'point and a function. Where other languages would pass a function, a loop does the work here.',
    wrong: 'int f() { return 1; }\nmain() { return f; }',
    right: 'int f() { return 1; }\nmain() { return f(); }',
  }),
  stringIndex: fault<object>({
    code: 'E2041',
    message: () => 'a string has no index',
    help: 'The character at i is text.charAt(i), its code point text.codeAt(i).',
    explanation:
      'Characters are read with `charAt` and `codeAt`, which count characters and not bytes or units; ' +
      'an index would leave open which of them it counts. A string never changes, so there is nothing to assign ' +
      'to: a new one is put together from `substring` and `+`.',
    wrong: 'main() { return "abc"[0]; }',
    right: 'main() { return "abc".charAt(0); }',
  }),
  notIndexable: fault<{ readonly type: string }>({
    code: 'E2042',
    message: ({ type }) => `${type} has no elements to index`,
    help: null,
    explanation:
      'An index in brackets reads an element of an array, or an element or key of a json. ' +
      'The fields of a struct are read with a point, the characters of a string with `charAt`, ' +
      'and numbers have no parts.',
    wrong: 'main() { int x = 1; return x[0]; }',
    right: 'main() { int[] x = [1]; return x[0]; }',
  }),
  notIterable: fault<{ readonly type: string }>({
    code: 'E2043',
    message: ({ type }) => `foreach cannot walk through ${type}`,
    help: 'It walks through the elements of an array.',
    explanation:
      'foreach runs its body for each element of an array, or of an array in a json. ' +
      'Numbers are counted with `for (int i = 0; i < n; i++)`; the characters of a text are `text.split("")`; ' +
      'the keys of a json are `j.keys()`.',
    wrong: 'main() { foreach (int x in 10) yield x; return 1; }',
    right: 'main() { foreach (int x in [1, 2]) yield x; return 1; }',
  }),
};
