// Random programs do by every setting of the compiler what the reference interpreter says, and random texts are taken
// as they should be. `npm run fuzz` goes on with other seeds.

import { describe, expect, it } from 'vitest';
import { drawChains } from './generator/chains.ts';
import { findDifference } from './programs.ts';
import { RandomText, textOf } from './random-text.ts';
import { smallerPrograms } from './reduce.ts';
import { findFault } from './texts.ts';

const seeds = (count: number, size: number): readonly number[] =>
  Array.from({ length: count / size }, (_, at) => at * size + 1);

describe('random programs', () => {
  it.each(seeds(250, 25))(
    'do what the reference says: from seed %i',
    async (first) => {
      for (let seed = first; seed < first + 25; seed++) expect(await findDifference(seed)).toBeNull();
    },
    120_000,
  );
});

describe('random chains', () => {
  const chains = new RandomText(drawChains, smallerPrograms);
  it.each(seeds(60, 20))(
    'do what the reference says: from seed %i',
    async (first) => {
      for (let seed = first; seed < first + 20; seed++) expect(await findDifference(seed, chains)).toBeNull();
    },
    120_000,
  );

  it('reach the length at which they are cut, and what is inlined into them', () => {
    const texts = Array.from({ length: 60 }, (_, at) => textOf(chains, at + 1));
    const having = (piece: RegExp): number => texts.filter((text) => piece.test(text)).length;
    expect(having(/(?:[^&|\n]* && ){64}/)).toBeGreaterThan(0);
    expect(having(/(?:[^+\n]* \+ ){64}/)).toBeGreaterThan(0);
    expect(having(/&& \(?isSmall\(/)).toBeGreaterThan(5);
    expect(having(/(?:\n\} else if \([^]*?){20}/)).toBeGreaterThan(5);
  });
});

describe('random texts', () => {
  it.each(seeds(500, 100))(
    'end with diagnostics in their places: from seed %i',
    (first) => {
      for (let seed = first; seed < first + 100; seed++) expect(findFault(seed)).toBeNull();
    },
    60_000,
  );
});
