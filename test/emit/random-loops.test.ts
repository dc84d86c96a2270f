// Random programs full of loops do the same whether they are optimised or not, and however often they stop on the way.
// SLUICE_LOOPS=1000-3000 runs the programs of these seeds instead of the fixed ones.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomText, textOf } from '../fuzz/random-text.ts';
import { smallerPrograms } from '../fuzz/reduce.ts';
import { findDifference, Refused } from './compare-settings.ts';
import { randomProgram } from './random-loops.ts';

const [first, last] = (process.env['SLUICE_LOOPS'] ?? '0-39').split('-').map(Number) as [number, number];
const perTest = 20;
const programs = new RandomText(randomProgram, smallerPrograms);

describe('random loops', () => {
  for (let begin = first; begin <= last; begin += perTest) {
    const end = Math.min(begin + perTest - 1, last);
    it(`of the seeds ${begin} to ${end}`, { timeout: 120_000 }, async () => {
      for (let seed = begin; seed <= end; seed++) await check(seed);
    });
  }
});

async function check(seed: number): Promise<void> {
  let isReduced = false;
  await fc.assert(
    fc.asyncProperty(programs, async (text) => {
      try {
        expect(await findDifference(text), text).toBeNull();
      } catch (error) {
        // What no longer compiles is nothing smaller.
        if (isReduced && error instanceof Refused) return;
        isReduced = true;
        throw error;
      }
    }),
    { seed, numRuns: 1 },
  );
}

describe('the comparison', () => {
  it('notices what is printed, how a program ends, and a fault', async () => {
    expect(await findDifference('yield 1;')).toBeNull();
    expect(await findDifference('yield Math.random();')).toMatch(/^as it is: expected 0\./);
    await expect(findDifference('yield x;')).rejects.toThrow('x');
  });
});

describe('the programs', () => {
  it('are those of their seeds, and full of loops', () => {
    const texts = Array.from({ length: 40 }, (_, seed) => textOf(programs, seed));
    expect(new Set(texts).size).toBe(40);
    expect(textOf(programs, 7)).toBe(texts[7]);
    for (const [name, pattern] of Object.entries({
      for: /for \(/,
      while: /while \(/,
      do: /do \{/,
      foreach: /foreach/,
      clauses: /catch \(/,
      exits: /break;/,
    })) {
      expect(texts.filter((text) => pattern.test(text)).length, name).toBeGreaterThan(10);
    }
  });
});
