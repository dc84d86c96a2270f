// Refactorings keep what a program does: a sample of what is offered in examples and in random programs. All of it, in
// many more programs, is in refactorings.full.ts.

import { describe, expect, it } from 'vitest';
import { programs } from '../fuzz/programs.ts';
import { textOf } from '../fuzz/random-text.ts';
import { exampleTexts } from './examples.ts';
import { diceOf, tryRefactorings } from './refactored.ts';

const paths = Object.keys(exampleTexts);

describe('what is offered keeps what a program does', () => {
  it('in examples', () => {
    const made: Record<string, number> = {};
    for (const [at, path] of paths.entries()) {
      const tried = tryRefactorings(path, exampleTexts, diceOf(at), 12);
      expect(tried.faults, path).toEqual([]);
      for (const [kind, count] of Object.entries(tried.made)) made[kind] = (made[kind] ?? 0) + count;
    }
    // It is no sample if hardly anything is offered.
    expect(Object.keys(made).toSorted()).toEqual(['extract-function', 'extract-variable', 'inline']);
  });

  it('in random programs', () => {
    for (let seed = 1; seed <= 8; seed++)
      expect(tryRefactorings('main.slu', { 'main.slu': textOf(programs, seed) }, diceOf(seed), 25).faults).toEqual([]);
  });
});
