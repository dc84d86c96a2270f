// The source of the prelude: the files of src/prelude in a row, and in front of them constants for the numbers that
// tables of the compiler and the host hold, so that no such number stands in a file.

import { readdirSync, readFileSync } from 'node:fs';
import { callDone, jsonKinds } from '../src/abi/imports.ts';
import { raisedErrors } from '../src/abi/raised-errors.ts';
import { deepestValue } from '../src/abi/nesting.ts';
import { errorTypes } from '../src/language/errors.ts';

const folder = new URL('../src/prelude/', import.meta.url);

/** The names of the files, in the order in which they stand in the source. */
export function preludeFiles(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.slu'))
    .toSorted();
}

/** `const int divisionByZeroError = 3;` and its like, in one line, so that all other lines keep their places. */
export function preludeConstants(): string {
  const constants: readonly (readonly [string, number])[] = [
    ...errorTypes.map(({ id, name }) => [`${name[0]!.toLowerCase()}${name.slice(1)}`, id] as const),
    ...raisedErrors.map(({ name }, row) => [`${name}Message`, row] as const),
    ...jsonKinds.map((kind, index) => [`${kind}Kind`, index] as const),
    ['callDone', callDone],
    ['deepestValue', deepestValue],
  ];
  return constants.map(([name, value]) => `const int ${name} = ${value};`).join(' ');
}

export function preludeSource(): string {
  const files = preludeFiles().map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return [`${preludeConstants()} ${files[0]!}`, ...files.slice(1)].join('\n');
}
