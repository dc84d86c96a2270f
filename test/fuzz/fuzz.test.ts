// Random programs do by every setting of the compiler what the reference interpreter says, and random texts are taken
// as they should be. `npm run fuzz` goes on with other seeds.

import { describe, expect, it } from 'vitest';
import { drawChains } from './generator/chains.ts';
import { drawNests } from './generator/nests.ts';
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

describe('random nests', () => {
  const nests = new RandomText(drawNests, smallerPrograms);
  it.each(seeds(80, 20))(
    'do what the reference says: from seed %i',
    async (first) => {
      for (let seed = first; seed < first + 20; seed++) expect(await findDifference(seed, nests)).toBeNull();
    },
    120_000,
  );

  it('are deep, triangular, long, on the same array twice, and fail', () => {
    const texts = Array.from({ length: 300 }, (_, at) => textOf(nests, at + 1));
    const having = (piece: RegExp): number => texts.filter((text) => piece.test(text)).length;
    expect(having(/\n {2}for [^\n]*\n {4}(?:.*\n {4})*?for .*\n {6}(?:.*\n {6})*?for /)).toBeGreaterThan(20);
    expect(having(/for \(int (\w+) = [ijkl]\d+[^\n]*; \1 < /)).toBeGreaterThan(20);
    expect(having(/^ {2}run\(.*[56]\d/m)).toBeGreaterThan(20);
    expect(having(/^ {2}try \{ .*kernel.*\b(\w), .*\b\1, .*box/m)).toBeGreaterThan(10);
    expect(having(/^ {2}if \(mode.*\b(\w) = (?!\1)\w;$/m)).toBeGreaterThan(10);
    expect(having(/\[\w+ - 1\].*\[\w+ \+ 1\]/)).toBeGreaterThan(10);
    // Time loops, tiles, matrices in one row, booleans, the least of several, sums that the next nest works with.
    expect(having(/for \(int t\d+ = 0/)).toBeGreaterThan(10);
    expect(having(/\.min\(|Math\.min\(/)).toBeGreaterThan(20);
    expect(having(/flat\d+\[\w+ \* /)).toBeGreaterThan(3);
    expect(having(/boolean\[\]\[\] is/)).toBeGreaterThan(3);
    expect(having(/ best\d+ = /)).toBeGreaterThan(5);
    // Rows from their end, by pairs, with one element that is read again and again.
    expect(having(/= .*\w\[[nm] - 1 - j\d+\]/)).toBeGreaterThan(5);
    expect(having(/\[2 \* j\d+ \+ 1\]/)).toBeGreaterThan(3);
    expect(having(/(\w+)\[j\d+\] = \1\[(?:k|at)\d+\]/)).toBeGreaterThan(3);
    expect(having(/ - s\d+;$/m)).toBeGreaterThan(5);
    expect(having(/^ *if \(.*\) (t\d+) = .*\n(?:.*\n)*.*yield \1;/m)).toBeGreaterThan(5);
    // A place that a loop finds, rows and elements that change places there.
    expect(having(/^ *(?:int )?pivot\d+ = /m)).toBeGreaterThan(3);
    expect(having(/\[\w+\] = (\w+\[pivot\d+\]|\w+\[k\d+\]);\n *\w+\[\w+\] = held\d+;/)).toBeGreaterThan(1);
    // Small functions, in their values and under conditions.
    expect(having(/= .*\b(?:square|mix|clip|twice)\(/)).toBeGreaterThan(20);
    expect(having(/^ *if \(.*\bisLess\(/m)).toBeGreaterThan(3);
    // Functions with loops, called again and again, with arrays that change places in between.
    expect(having(/= .*\b(?:norm|halve)\(/)).toBeGreaterThan(20);
    expect(having(/for \(int turn\d+ = 0.*\n.*kernel\d+\(/)).toBeGreaterThan(20);
    expect(having(/^ *(\w+) = \w+;\n *\w+ = held\d+;$/m)).toBeGreaterThan(10);
    // Buffers that change places, in variables and in fields.
    expect(having(/^ *buffer\d+ = buffer\d+;$/m)).toBeGreaterThan(3);
    expect(having(/^ *pair\d+\.now = pair\d+\./m)).toBeGreaterThan(2);
    // Loops between elements, and such as begin or end at one.
    expect(having(/ (k\d+) = \w+\[i\d+\]; \1 < \w+\[i\d+ \+ 1\];/)).toBeGreaterThan(1);
    expect(having(/^ *int bound\d+ = start\d+\[/m)).toBeGreaterThan(1);
    // Positions that are clamped or go around, and indices out of tables.
    expect(having(/\.clamp\(0, [nm] - |% [nm] \+ [nm]\) % /)).toBeGreaterThan(3);
    expect(having(/\[table\d+\[/)).toBeGreaterThan(3);
    // Filters of constant sides, and literals.
    expect(having(/\* weights\d+\[/)).toBeGreaterThan(3);
    expect(having(/\[\] literal\d+ = \[/)).toBeGreaterThan(3);
    // Intervals, from shorter ones.
    expect(having(/for \(int k\d+ = (i\d+) \+ 1; .*\n *(\w+)\[\1\]\[(j\d+)\] = \2\[\1\]\[\3\]\.m/)).toBeGreaterThan(2);
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
