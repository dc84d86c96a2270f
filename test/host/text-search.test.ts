// Searches in texts: what is found, compared with JavaScript, for texts and needles that take each of the ways of the
// search: long needles, needles that repeat themselves, texts beyond a window, and needles that nearly match again and
// again.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const source = `
export int first(string s, string sub) { return s.indexOf(sub); }
export int last(string s, string sub) { return s.lastIndexOf(sub); }
export boolean contains(string s, string sub) { return s.contains(sub); }
export string split(string s, string sub) { return s.split(sub).join("|"); }
export string replace(string s, string a, string b) { return s.replace(a, b); }
export string upper(string s) { return s.upper(); }
export string lower(string s) { return s.lower(); }
`;

const { artifact } = await compile('search.slu', source);
const instance = (await loadScript(artifact!.wasm)).instance();
const call = (name: string, ...values: string[]): unknown => instance.callSync(name, ...values).value;

/** A generator that gives the same numbers every time (Lehmer). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

function search(s: string, sub: string): void {
  expect([call('first', s, sub), call('last', s, sub), call('contains', s, sub)]).toEqual([
    BigInt(s.indexOf(sub)),
    BigInt(s.lastIndexOf(sub)),
    s.includes(sub),
  ]);
}

describe('a search finds what JavaScript finds', () => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed + 1))('in texts of few letters, seed %i', (seed) => {
    const next = random(seed * 7919);
    const word = (letters: number, length: number): string =>
      Array.from({ length }, () => 'abc'[next(letters)]).join('');
    for (let iteration = 0; iteration < 40; iteration++) {
      const letters = 1 + next(3);
      const piece = word(letters, 1 + next(60));
      const s = next(2) === 0 ? word(letters, next(3000)) : piece.repeat(1 + next(90)) + word(letters, next(60));
      const at = next(s.length + 1);
      const found = s.slice(at, at + next(next(2) === 0 ? 60 : 900));
      search(s, found);
      // One letter is another.
      const odd = next(found.length + 1);
      search(s, `${found.slice(0, odd)}${word(3, 1)}${found.slice(odd + 1)}`);
      search(s, piece.repeat(1 + next(4)));
    }
  });

  it.each<[name: string, s: string, sub: string]>([
    [
      'a needle across the edge of a window',
      `${'x'.repeat(65_530)}needle in the middle${'x'.repeat(70_000)}`,
      'needle in the middle',
    ],
    ['a needle in the last window', `${'ab'.repeat(100_000)}needle`, 'needle'],
    ['a needle in the first window', `needle${'ab'.repeat(100_000)}`, 'needle'],
    ['a long needle at the end', `${'a'.repeat(150_000)}b`, `${'a'.repeat(50_000)}b`],
    ['a long needle at the start', `b${'a'.repeat(150_000)}`, `b${'a'.repeat(50_000)}`],
    [
      'a long needle in the middle',
      `${'a'.repeat(70_000)}b${'a'.repeat(70_000)}`,
      `${'a'.repeat(1000)}b${'a'.repeat(2000)}`,
    ],
    [
      'a needle that repeats itself',
      `${'ab'.repeat(60_000)}a${'ab'.repeat(40_000)}`,
      `${'ab'.repeat(20_000)}a${'ab'.repeat(10_000)}`,
    ],
    ['a needle that is nowhere', 'ab'.repeat(100_000), `${'ab'.repeat(30_000)}b`],
    ['a needle as long as the text', 'abc'.repeat(30_000), 'abc'.repeat(30_000)],
    ['a needle longer than the text', 'abc'.repeat(30_000), 'abc'.repeat(30_001)],
    [
      'characters beyond the BMP',
      `${'\u{1F600}a'.repeat(40_000)}\u{1F601}${'\u{1F600}a'.repeat(10)}`,
      `\u{1F601}${'\u{1F600}a'.repeat(10)}`,
    ],
  ])('%s', (_name, s, sub) => {
    const characters = (unit: number): bigint => BigInt(unit < 0 ? -1 : Array.from(s.slice(0, unit)).length);
    expect([call('first', s, sub), call('last', s, sub)]).toEqual([
      characters(s.indexOf(sub)),
      characters(s.lastIndexOf(sub)),
    ]);
    if (sub.length > 3000) return;
    expect(call('split', s, sub)).toBe(s.split(sub).join('|'));
    for (const by of ['', 'x', 'xyz'.repeat(50)]) expect(call('replace', s, sub, by)).toBe(s.replaceAll(sub, by));
  });

  it.each<[name: string, s: string, a: string, b: string]>([
    ['each letter of a long text', 'ab'.repeat(50_000), 'a', 'xyz'],
    ['by nothing', 'ab'.repeat(50_000), 'a', ''],
    ['by what is longer than a piece', 'ab'.repeat(500), 'ab', 'x'.repeat(500)],
    ['by characters beyond the BMP', 'ab'.repeat(50_000), 'b', '\u{1F600}'],
    ['characters beyond the BMP', 'a\u{1F600}'.repeat(50_000), '\u{1F600}', 'b'],
    ['what stands across itself', 'a'.repeat(100_001), 'aa', 'b'],
    ['what may stand across the edge of a piece', 'abab a'.repeat(30_000), 'aba', 'c'],
    ['between all characters', 'a\u{1F600}'.repeat(50_000), '', '-'],
  ])('replace %s', (_name, s, a, b) => {
    const expected =
      a === '' ? `${b}${Array.from(s, (character) => character + b).join('')}` : s.replaceAll(a, () => b);
    expect(call('replace', s, a, b)).toBe(expected);
  });
});

describe('the case of a long text is that of JavaScript', () => {
  it.each<[name: string, s: string]>([
    ['letters', 'aB'.repeat(100_000)],
    ['letters that become more', 'stra\u00dfe \u0390 \ufb03 '.repeat(20_000)],
    ['characters beyond the BMP', '\u{10428}\u{10400}'.repeat(50_000)],
    ['sigmas at the ends of words', '\u039f\u03a3 \u03a3\u0391\u03a3, '.repeat(20_000)],
    ['sigmas without a space', '\u03a3\u0391'.repeat(60_000)],
    ['sigmas and what stands between letters', "\u0391\u03a3'\u0391\u03a3.".repeat(30_000)],
  ])('%s', (_name, s) => {
    expect(call('upper', s)).toBe(s.toUpperCase());
    expect(call('lower', s)).toBe(s.toLowerCase());
  });
});
