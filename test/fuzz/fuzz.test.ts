// Random programs do by every setting of the compiler what the reference interpreter says, and random texts are taken
// as they should be. `npm run fuzz` goes on with other seeds.

import { describe, expect, it } from 'vitest';
import { findDifference } from './programs.ts';
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

describe('random texts', () => {
  it.each(seeds(500, 100))(
    'end with diagnostics in their places: from seed %i',
    (first) => {
      for (let seed = first; seed < first + 100; seed++) expect(findFault(seed)).toBeNull();
    },
    60_000,
  );
});
