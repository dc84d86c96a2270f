// Refactorings keep what a program does: a sample of what is offered in examples and in random programs. All of it, in
// many more programs, is in refactorings.full.ts.

import { describe, expect, it } from 'vitest';
import { programs } from '../fuzz/programs.ts';
import { textOf } from '../fuzz/random-text.ts';
import { exampleTexts } from './examples.ts';
import { diceOf, tryRefactorings } from './refactored.ts';

describe('what is offered keeps what a program does', () => {
  const made = new Set<string>();

  it.each(Object.keys(exampleTexts).map((path, at) => ({ path, seed: at })))('in $path', ({ path, seed }) => {
    const tried = tryRefactorings(path, exampleTexts, diceOf(seed), 12);
    expect(tried.faults).toEqual([]);
    for (const kind of Object.keys(tried.made)) made.add(kind);
  });

  it('which is all kinds', () => {
    expect([...made].toSorted()).toEqual(['extract-function', 'extract-variable', 'inline']);
  });

  it.each([1, 2, 3, 4, 5, 6])('in the random program %d', (seed) => {
    const texts = { 'main.slu': textOf(programs, seed) };
    expect(tryRefactorings('main.slu', texts, diceOf(seed), 15).faults).toEqual([]);
  });
});
