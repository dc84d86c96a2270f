// Loops whose interior comes by itself (loop-bound-splitting.ts): what a script and a host can see is as if each
// iteration looked for borders, by every setting of the compiler.

import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { mirOf } from '../optimise/lowering.ts';
import { outcome } from './outcomes.ts';

const lines = (...text: readonly string[]): string => text.join('\n');

/** Whether a loop of a program is split. */
function isSplit(text: string): boolean {
  let is = false;
  runPasses(mirOf(text), settingsOf({ guards: { use: true } }), {
    optimise: true,
    observe: (name, { functions, entry }) => {
      if (name !== 'loop-bound-splitting') return;
      for (const fn of [...functions.values(), entry])
        is ||= fn?.locals.some((local) => local.name === 'from' && local.origin === 'temporary') === true;
    },
  });
  return is;
}

/** A sum of what is around each place of an array, as JavaScript works it out. */
function expected(n: number, r: number, take: (at: number) => number | null): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let d = -r; d <= r; d++) {
      const at = take(i + d);
      if (at !== null) sum = (sum * 3 + (at + 1) * 7) % 10007;
    }
  }
  return sum;
}

const around = (inside: string): string =>
  lines(
    'int around(int[] a, int n, int r, int size) {',
    '  int sum = 0;',
    '  for (int i = 0; i < n; i++) {',
    '    for (int d = -r; d <= r; d++) {',
    '      int at = i + d;',
    `      ${inside}`,
    '    }',
    '  }',
    '  return sum;',
    '}',
  );

const add = 'sum = (sum * 3 + a[at] * 7) % 10007;';
const ways: readonly (readonly [string, string, (n: number, size: number) => (at: number) => number | null])[] = [
  ['left out', `if (at < 0 || at >= size) continue; ${add}`, (_n, size) => (at) => (at < 0 || at >= size ? null : at)],
  ['kept', `if (0 <= at && size > at) ${add}`, (_n, size) => (at) => (at < 0 || at >= size ? null : at)],
  ['moved', `at = at.max(0).min(size - 1); ${add}`, (_n, size) => (at) => Math.min(Math.max(at, 0), size - 1)],
  [
    'moved in steps',
    `if (at < 0) at = 0; if (at > size - 1) at = size - 1; ${add}`,
    (_n, size) => (at) => Math.min(Math.max(at, 0), size - 1),
  ],
];

describe.each(ways)('places outside that are %s', (_name, inside, take) => {
  it('are looked for apart', () => {
    expect(isSplit(`${around(inside)} return around([1], 1, 1, 1);`)).toBe(true);
  });

  it.each([
    [0, 1, 0],
    [1, 0, 1],
    [1, 1, 1],
    [3, 1, 3],
    [9, 2, 9],
    [9, 4, 9],
    [9, 5, 9],
    [9, 20, 9],
    [9, -1, 9],
    [9, 2, 4],
    [70, 3, 70],
  ])('%i places, %i around each, %i in all', async (n, r, size) => {
    const text = lines(
      around(inside),
      `int[] a = new int[${Math.max(size, 1)}];`,
      'for (int i = 0; i < a.length(); i++) a[i] = i + 1;',
      `return around(a, ${n}, ${r}, ${size});`,
    );
    expect((await outcome(text))[0]).toBe(`returns ${expected(n, r, take(n, size))}`);
  });
});

describe('a loop with borders', () => {
  const huge = '9223372036854775807';

  it.each([
    ['a size that wraps', `around(a, 5, 1, ${huge})`],
    ['a size below all', `around(a, 5, 1, -${huge})`],
    ['a radius that wraps', 'around(a, 5, -9223372036854775000, 5)'],
    ['no place', `around(a, -${huge}, 1, 5)`],
  ])('has the same outcome with %s', async (_name, call) => {
    const text = lines(
      around(`if (at < 0 || at >= size) continue; ${add}`),
      'int[] a = [1, 2, 3, 4, 5];',
      `try { yield ${call}; } catch (e) { yield e; }`,
    );
    expect(await outcome(text)).not.toEqual([]);
  });

  it('fails where it failed, with what it had done', async () => {
    const text = lines(
      'int[] out = new int[9];',
      'void f(int[] a, int n, int r) {',
      '  for (int i = 0; i < n; i++) {',
      '    for (int d = -r; d <= r; d++) if (i + d >= 0 && i + d < n) out[i] += a[i + d];',
      '  }',
      '}',
      'int[] a = [1, 2, 3, 4, 5, 6];',
      'try { f(a, 9, 2); } catch (e) { yield e; }',
      'yield out;',
    );
    expect((await outcome(text)).slice(0, 2)).toEqual([
      'index 6 is out of bounds for length 6',
      '[6,10,15,20,18,0,0,0,0]',
    ]);
  });

  it('fails for a struct that is missing where its size is read, and not before', async () => {
    const text = lines(
      'type Line { int size; int[] a; }',
      'int seen = 0;',
      'int f(Line line, int n, int r) {',
      '  int sum = 0;',
      '  for (int i = 0; i < n; i++) {',
      '    seen++;',
      '    for (int d = 0; d <= r; d++) if (i + d < line.size) sum += line.a[i + d];',
      '  }',
      '  return sum;',
      '}',
      'yield f(null, 0, 3); yield f(null, 4, -1); yield seen;',
      'try { yield f(null, 4, 1); } catch (e) { yield e; }',
      'yield seen; yield f({ size: 2, a: [3, 4] }, 2, 1);',
    );
    expect(isSplit(text)).toBe(true);
    const [none, few, seen, error, then, sum] = await outcome(text);
    expect([none, few, seen, then, sum]).toEqual(['0', '0', '4', '5', '11']);
    expect(error).toContain('null');
  });
});
