// What holds of any range of any text: the tokens stay, nothing changes outside of the items that it touches, and
// formatting the whole afterwards leads where formatting it at once does.

import { globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { format, formatRange } from '../../src/formatter/format.ts';
import type { TextRange } from '../../src/formatter/format.ts';
import { expectEdits, read, wordsOf } from './checks.ts';

const root = new URL('../../', import.meta.url).pathname;

/** The scripts of the repository, each with its path from there. */
export const scripts: readonly (readonly [path: string, text: string])[] = globSync(
  `${root}{src,examples,benchmarks,test,packages,docs,site,editors}/**/*.slu`,
  { exclude: (path) => path.includes('node_modules') },
)
  .sort()
  .map((path) => [path.slice(root.length), readFileSync(path, 'utf8')] as const);

/** Formats so many ranges of a text. */
export function checkRanges(name: string, text: string, count: number): void {
  const whole = format(text).text;
  for (const range of rangesIn(text, count)) {
    try {
      check(text, range, whole);
    } catch (fault) {
      throw new Error(`${name} from ${range.start} to ${range.end}`, { cause: fault });
    }
  }
}

/** Numbers that look random, and are the same in each run. */
function rangesIn(text: string, count: number): TextRange[] {
  let state = text.length + 1;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () => {
    const start = draw(text.length + 1);
    return { start, end: Math.min(text.length, start + draw(draw(2) === 0 ? 4 : text.length)) };
  });
}

/** From the end of what stands in front of the first item that a range touches, to the end of the last. */
function itemsAround(text: string, { start, end }: TextRange): TextRange {
  const { file } = read(text);
  const mark = text.length - file.source.text.length;
  const touched = [...file.headers, ...file.imports, ...file.items]
    .map(({ span }) => ({ start: span.start + mark, end: span.end + mark }))
    .filter((span) => span.end >= start && span.start <= end);
  const from = Math.min(start, ...touched.map((span) => span.start));
  const before = file.tokens.findLast((token) => token.end + mark <= from);
  return {
    // White space at the end of a comment is nobody's.
    start: before === undefined ? 0 : text.slice(0, before.end + mark).trimEnd().length,
    end: Math.max(end, ...touched.map((span) => span.end)),
  };
}

function check(text: string, range: TextRange, whole: string): void {
  const result = formatRange(text, range);
  expect(result.fault).toBe(null);
  expectEdits(text, result.edits);
  expect(wordsOf(read(result.text).file)).toEqual(wordsOf(read(text).file));
  const around = itemsAround(text, range);
  for (const { start, end } of result.edits) {
    expect(start).toBeGreaterThanOrEqual(around.start);
    expect(end).toBeLessThanOrEqual(around.end);
  }
  expect(format(result.text).text).toBe(whole);
}
