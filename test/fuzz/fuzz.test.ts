// Random programs do by every setting of the compiler what the reference interpreter says, and random texts are taken as they
// should be. `npm run fuzz` goes on with other seeds.

import { describe, expect, it } from 'vitest';
import { describeFinding, reduceFinding, tryProgram } from './programs.ts';
import { faultOf, randomText, reduceText } from './texts.ts';

const seeds = (count: number, size: number): readonly number[] => Array.from({ length: count / size }, (_, at) => at * size + 1);

describe('random programs', () => {
  const atOnce = 25;

  it.each(seeds(250, atOnce))('do what the reference says: from seed %i', async (first) => {
    for (let seed = first; seed < first + atOnce; seed++) {
      const finding = await tryProgram(seed);
      if (finding !== null) expect.fail(describeFinding(await reduceFinding(finding)));
    }
  }, 120_000);
});

describe('random texts', () => {
  it.each(seeds(500, 100))('end with diagnostics in their places: from seed %i', (first) => {
    for (let seed = first; seed < first + 100; seed++) {
      const text = randomText(seed);
      const fault = faultOf(text);
      if (fault !== null) expect.fail(`seed ${seed}: ${fault}\n${JSON.stringify(reduceText(text))}`);
    }
  }, 60_000);
});
