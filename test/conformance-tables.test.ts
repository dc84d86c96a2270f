// The tables of the language's definition, row by row, with the cases that show them: the types, their rules, and every
// cell of the conversion matrix. Functions and methods are asked for by completeness.test.ts, from the registry.

import { describe, expect, it } from 'vitest';
import { readCases } from './conformance-cases.ts';

const cases = new Map(readCases().map((testCase) => [testCase.name.replace(/\.slu$/, ''), testCase]));

/** What the matrix says of a cell; `no` means that there is no conversion that is implicit. */
type Cell = 'same' | 'implicit' | 'method' | 'cast' | 'no';

const kinds = ['int', 'double', 'boolean', 'string', 'json', 'struct', 'array'] as const;

/** From the row to the column. */
const matrix: Readonly<Record<(typeof kinds)[number], readonly Cell[]>> = {
  int: ['same', 'implicit', 'no', 'method', 'no', 'no', 'no'],
  double: ['method', 'same', 'no', 'method', 'no', 'no', 'no'],
  boolean: ['no', 'no', 'same', 'method', 'no', 'no', 'no'],
  string: ['method', 'method', 'no', 'same', 'no', 'no', 'no'],
  json: ['no', 'no', 'no', 'no', 'same', 'cast', 'no'],
  struct: ['no', 'no', 'no', 'no', 'implicit', 'same', 'no'],
  array: ['no', 'no', 'no', 'no', 'no', 'no', 'same'],
};

describe('the conversion matrix', () => {
  for (const from of kinds) {
    kinds.forEach((to, column) => {
      const cell = matrix[from][column]!;
      it(`${from} to ${to}: ${cell}`, () => {
        const shown = cases.get(`conversion-matrix/${from}-to-${to}`);
        expect(shown, `the case conversion-matrix/${from}-to-${to}`).toBeDefined();
        expect(shown!.errors.length > 0, 'an error stands in the case of a cell with no conversion').toBe(
          cell === 'no',
        );
        expect(shown!.outputs.length > 0, 'a value comes out of every other').toBe(cell !== 'no');
        if (cell !== 'method' && cell !== 'cast') return;
        const refused = cases.get(`conversion-matrix/${from}-to-${to}-is-not-implicit`);
        expect(refused?.errors.length, 'a case that shows that the conversion is not implicit').toBe(1);
      });
    });
  }
});

/** Rules by section of the definition, each with the cases that show it. */
const rules: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  types: {
    'int is 64 bits, not nullable, 0 by default': [
      'types/int-holds-sixty-four-bits',
      'types/a-primitive-is-never-nullable',
      'types/primitives-have-defaults',
    ],
    'double is IEEE 754, not nullable, 0.0 by default': [
      'literals/doubles',
      'types/a-primitive-is-never-nullable',
      'types/primitives-have-defaults',
    ],
    'boolean is not nullable, false by default': [
      'types/a-primitive-is-never-nullable',
      'types/primitives-have-defaults',
    ],
    'a string is immutable and nullable': ['strings/a-string-never-changes', 'null/tests-on-every-nullable-type'],
    'a struct is passed by reference and nullable': [
      'structs/a-function-changes-the-callers-struct',
      'null/tests-on-every-nullable-type',
    ],
    'an array is passed by reference and nullable': [
      'arrays/a-function-changes-the-callers-array',
      'null/tests-on-every-nullable-type',
    ],
    'a json is passed by reference and nullable': [
      'json-access/a-function-changes-the-callers-json',
      'json-access/null-is-tested',
    ],
    'a string, struct, array or json has no default': [
      'types/a-nullable-type-must-be-initialised',
      'types/arrays-and-structs-must-be-initialised',
      'types/a-json-must-be-initialised',
    ],
    'an array holds one element type': [
      'literals/an-array-literal-of-unlike-elements-is-an-error',
      'arrays/elements-must-fit',
    ],
    'a struct has no methods': ['structs/have-no-methods'],
    'a string is a sequence of characters': ['strings/length-counts-characters'],
    'void is a return type only': ['types/void-is-a-return-type-only'],
    'primitives are passed as copies': ['functions/primitives-are-copied'],
  },
  structs: {
    'fields may have struct types, their own too': ['structs/structs-nest', 'structs/may-hold-themselves'],
    'a recursive field is nullable, and null where nothing follows': [
      'structs/may-hold-themselves',
      'structs/a-recursive-field-must-be-given-too',
    ],
    'an object literal makes one': ['structs/literals-make-structs'],
    'a missing field is a SemanticError': ['structs/a-missing-field-is-an-error'],
    'an unknown field is a SemanticError': ['structs/an-unknown-field-is-an-error'],
    'fields are read and assigned': ['structs/fields-can-be-assigned'],
    'an assigned field changes the original object': [
      'structs/assignment-shares-the-struct',
      'structs/a-function-changes-the-callers-struct',
    ],
  },
  arrays: {
    'a literal, and an empty one': [
      'literals/an-array-literal-takes-the-common-type',
      'literals/an-empty-array-literal-takes-the-expected-type',
      'literals/an-empty-array-literal-fits-every-array',
    ],
    'elements are read and assigned': ['arrays/read-an-element', 'arrays/write-an-element'],
  },
  json: {
    'literals of any depth and kind, with trailing commas': ['json-literals/every-kind-of-value-at-any-depth'],
    'j[i] and size() of an array': [
      'json-access/keys-and-positions-are-read-and-written',
      'json-methods/kinds-sizes-and-copies',
    ],
    'a struct converts implicitly': ['conversion-matrix/struct-to-json'],
    'to a struct by a cast': ['conversion-matrix/json-to-struct'],
    'a cast validates deeply': ['json-casts/the-path-of-what-does-not-fit'],
    'integers are int and decimals double, read and written': [
      'json-parse/numbers-keep-their-kind',
      'json-stringify/numbers-keep-their-kind',
    ],
    'NaN and infinities are written as null': [
      'json-stringify/pretty-and-compact',
      'json-stringify/of-null-and-structs',
    ],
  },
  strings: {
    'plain literals and templates': ['literals/strings-hold-any-character', 'templates/holes-take-any-expression'],
    'values of every type become text in a template': [
      'templates/values-become-text',
      'templates/structs-and-arrays-print-as-json',
      'templates/json-prints-compactly',
      'templates/null-prints-as-null',
    ],
    '+ joins two strings and nothing else': [
      'operators-string/plus-concatenates',
      'operators-string/plus-with-a-number-is-an-error',
      'operators-string/plus-with-a-boolean-is-an-error',
      'operators-string/plus-with-arrays-and-structs-is-an-error',
      'operators-string/plus-with-json-is-an-error',
      'operators-string/plus-with-null-is-an-error',
    ],
  },
  nullability: {
    'null is not assigned to a primitive': ['null/assigning-null-to-a-primitive-is-an-error'],
    '== null and != null': ['null/tests-on-every-nullable-type'],
    'a field of null': ['null/reading-a-field-of-null-throws'],
    'a method of null': [
      'null/a-string-method-on-null-throws',
      'null/an-array-method-on-null-throws',
      'json-access/a-method-of-null',
    ],
    'a key of null': ['json-access/a-key-of-null'],
  },
  conversions: {
    'nothing narrows implicitly': ['widening/never-the-other-way', 'widening/never-back-in-compound-assignment'],
    'structs only to the same type': ['conversion-matrix/struct-to-struct-of-another-type'],
    'arrays only to the same element type': [
      'conversion-matrix/array-to-array-of-other-elements',
      'conversions/arrays-of-other-elements-do-not-convert',
    ],
    'int.toDouble(), and implicitly': ['conversions/int-to-double-by-method', 'widening/in-an-assignment'],
    'double.toInt() truncates': ['conversions/double-to-int-truncates'],
    'toString() of int, double and boolean': [
      'conversions/int-to-string',
      'conversions/double-to-string',
      'conversions/boolean-to-string',
    ],
    'string.toInt(default)': ['conversions/string-to-int', 'conversions/text-that-is-no-int-gives-the-default'],
    'string.toDouble(default)': [
      'conversions/string-to-double',
      'conversions/text-that-is-no-double-gives-the-default',
    ],
  },
};

describe.each(Object.entries(rules))('the rules of %s', (_section, rows) => {
  it.each(Object.entries(rows))('%s', (_rule, names) => {
    for (const name of names) expect(cases.has(name), `the case ${name}`).toBe(true);
  });
});
