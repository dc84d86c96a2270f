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

/** A function whose inner loop does this, in front of which this is done. */
const inLoop = (body: string, before = '', limit = 'n'): string =>
  lines(
    'type Size { int width; int[] a; }',
    'int count = 0;',
    'int ten() { return 10; }',
    'int counted() { count = count + 1; return 10; }',
    'int f(Size p, int n, int r, int big, int[] a) {',
    `  int sum = 0; ${before}`,
    `  for (int i = 0; i < ${limit}; i++) {`,
    '    for (int d = -r; d <= r; d++) {',
    `      ${body}`,
    '      if (i + d >= 0 && i + d < n) sum += 1;',
    '    }',
    '  }',
    '  return sum;',
    '}',
  );

describe('what a comparison in the interior does besides', () => {
  const call = 'f({ width: 5, a: [1, 2, 3] }, 10, 1, 9223372036854775802, [1, 0, 1])';
  const ofNull = 'f(null, 10, 0, 0, null)';
  it.each([
    ['wraps on both sides', inLoop('if (i + d + big < n + big) sum += 100;'), call, '1128'],
    ['wraps alone', inLoop('if (big + 10 < big + 11) sum += 100;'), call, '3028'],
    [
      'takes a local for a field that was another',
      inLoop('if (width < p.width) sum += 100;', 'int width = p.width; p.width = 7;'),
      call,
      '3028',
    ],
    [
      'compares with such a local',
      inLoop('if (i + d + width < n + p.width) sum += 100;', 'int width = p.width; p.width = 1;'),
      call,
      '1828',
    ],
    ['fails for want of a struct', inLoop('if (i + d < n - p.width + p.width) sum += 1;'), ofNull, null],
    ['fails for want of a struct times zero', inLoop('if (i + d + p.width * 0 < n) sum += 1;'), ofNull, null],
    ['fails for want of an array', inLoop('if (i + d + a.length() >= a.length()) sum += 1;'), ofNull, null],
    ['says that a struct is there', inLoop('if (p.width + i + d >= p.width) sum += p.a[0];'), ofNull, null],
    ['fails in the limit', inLoop('sum += 2;', '', 'n + p.width - p.width'), ofNull, null],
    ['sets what is read later', inLoop('int at = i + d; if (at++ >= 0) sum += at;'), call, '193'],
    [
      'sets a number behind another test',
      inLoop('int k = 5; if (a[1] == 0 && (k++ > 9 || i + d >= 0)) sum += k;'),
      call,
      '202',
    ],
    ['sets a number in a choice', inLoop('int z = 0; int q = d.max(z++); sum += z + q;'), call, '68'],
    ['calls', inLoop('if (i + d < ten()) sum += 100;'), call, '2928'],
    ['calls in the limit', inLoop('sum += 2;', '', 'counted()'), call, '88'],
    [
      'is behind one that is not known',
      inLoop(
        lines(
          'int at = i + d; int p0 = -100;',
          'if (a[d + r] == 1) sum += 1; else if (at >= 0) p0 = at;',
          'if (p0 >= 0) sum += 1000;',
        ),
      ),
      call,
      '10048',
    ],
    [
      'sets a number in the test of a later branch',
      inLoop(
        'int q = i + d; if (a[d + r] == 1) sum += 1; else if (q++ > a[0] + 100) sum += 5; if (q >= 1) sum += 1000;',
      ),
      call,
      '28048',
    ],
  ])('%s', async (_name, text, run, sum) => {
    const whole = lines(text, `try { yield ${run}; } catch (e) { yield e; }`, 'yield count;');
    const [result, seen] = await outcome(whole);
    if (sum === null) expect(result).toContain('null');
    else expect(result).toBe(sum);
    expect(seen).toBe(text.includes('i < counted()') ? '11' : '0');
  });
});
