// Loops whose next iteration works ahead (loop-interleaving.ts): what a script and a host can see is as if each waited
// for the one before, by every setting of the compiler.

import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { passes, runPasses } from '../../src/4-optimise/passes.ts';
import { loadScript } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { mirOf } from '../optimise/lowering.ts';
import { outcome } from './outcomes.ts';

const lines = (...text: readonly string[]): string => text.join('\n');

/** How many loops of a program are interleaved. */
function interleavedIn(text: string): number {
  let count = 0;
  runPasses(mirOf(text), settingsOf({ guards: { use: true } }), {
    optimise: true,
    observe: (name, { functions, entry }) => {
      if (name !== 'loop-interleaving') return;
      for (const fn of [...functions.values(), entry])
        count += fn?.locals.filter((local) => local.name === 'ahead' && local.origin === 'temporary').length ?? 0;
    },
  });
  return count;
}

const steps = lines(
  'int steps(int x) {',
  '  int k = 0;',
  '  while (x != 1) { x = x % 2 == 0 ? x / 2 : 3 * x + 1; k++; }',
  '  return k;',
  '}',
);

describe('a loop whose next iteration works ahead', () => {
  it('is one of the passes', () => expect(passes.map(({ name }) => name)).toContain('loop-interleaving'));

  it.each([
    ['none', 0, '0'],
    ['one', 1, '0'],
    ['two', 2, '1'],
    ['three', 3, '8'],
    ['many', 30, '441'],
  ])('makes %s of them', async (_name, n, sum) => {
    const text = lines(
      steps,
      `main(int n = ${n}) {`,
      'int sum = 0;',
      'for (int i = 1; i <= n; i++) sum += steps(i);',
      'return sum;',
      '}',
    );
    expect(interleavedIn(text)).toBe(1);
    const found = await outcome(text);
    expect(found[0]).toBe(`returns ${sum}`);
  });

  it('charges what was done ahead when its turn has come, and never what nobody came to', async () => {
    const text = (end: number): string =>
      lines(
        steps,
        'main(int n = 9) {',
        'int sum = 0;',
        `for (int i = 1; i <= n; i++) { int k = steps(i); sum += k; yield sum; if (i == ${end}) break; }`,
        'return sum;',
        '}',
      );
    expect(interleavedIn(text(5))).toBe(1);
    // A unit for the run, for each call, for each iteration inside, and for each that is not left around it.
    expect((await outcome(text(2))).slice(-1)).toEqual([`${1 + 2 + (0 + 1) + 1} units`]);
    expect((await outcome(text(3))).slice(-1)).toEqual([`${1 + 3 + (0 + 1 + 7) + 2} units`]);
    expect((await outcome(text(9))).slice(-1)).toEqual([`${1 + 9 + (0 + 1 + 7 + 2 + 5 + 8 + 16 + 3 + 19) + 8} units`]);
  });

  it('ends where the next iteration would have no end', async () => {
    const text = lines(
      steps,
      'main(int n = 9) {',
      'int sum = 0;',
      // From 0 there is no way to 1.
      'for (int i = 4; i > -n; i--) { sum += steps(i); yield i; if (i == 1) throw "one"; }',
      'return sum;',
      '}',
    );
    expect(interleavedIn(text)).toBe(1);
    const found = await outcome(text);
    expect(found.slice(0, 4)).toEqual(['4', '3', '2', '1']);
    expect(found[4]).toBe('Error: one');
  });

  it('is stopped where it has no end itself', async () => {
    const text = lines(
      steps,
      'main(int n = 9) {',
      'int sum = 0;',
      'for (int i = 1; i > -n; i--) sum += steps(i);',
      'return sum;',
      '}',
    );
    expect(interleavedIn(text)).toBe(1);
    const { artifact } = await compile('a.slu', text);
    const run = (await loadScript(artifact!.wasm, { limits: { fuel: 100_000 } })).run();
    await expect(run.result).rejects.toThrow('100,000 calls and turns of loops');
  });

  it.each([
    ['before it is left', 'if (i == 2) return s;', [], 1],
    ['before it hands out a value', 'yield i;', ['1'], 1],
  ])('is stopped by what it used ahead %s', async (_name, statement, yields, interleaved) => {
    const text = lines(
      'main(int n = 40) { double s = 0.0;',
      'for (int i = 1; i < n; i++) {',
      'double z = 1.0; int k = 0; int m = i < 3 ? 300000 : 290000;',
      'while (z > 0.0) { z = z * 0.999999 + 0.0000001; k++; if (k == m) break; }',
      `s += z; ${statement} } return s; }`,
    );
    expect(interleavedIn(text)).toBe(interleaved);
    for (const options of [{ optimise: false }, {}, { iterationsPerCall: 9 }]) {
      const { artifact } = await compile('a.slu', text, options);
      const run = (await loadScript(artifact!.wasm, { limits: { fuel: 310_000 } })).run();
      const seen: string[] = [];
      const error = await run
        .forEach((_value, show) => void seen.push(show()))
        .then(
          () => run.result,
          (e: unknown) => e,
        )
        .catch((e: unknown) => e);
      expect(seen).toEqual(yields);
      expect(error).toMatchObject({ name: 'QuotaExceededError', frames: [{ line: 4, column: 1 }] });
      expect(run.fuelUsed).toBeGreaterThan(310_000);
      expect(run.fuelUsed).toBeLessThanOrEqual(310_000 + 1024);
    }
  });

  it('keeps what a clause and the statements behind it see', async () => {
    const text = lines(
      'main(double c = 0.25, int[] seen = [0, 0, 0, 0]) {',
      'int last = -1;',
      'for (int turn = 0; turn < 3; turn++) {',
      '  try {',
      '    for (int x = 0; x < 9; x++) {',
      '      double z = 0.3 * x;',
      '      int k = 0;',
      '      while (k < 60 && z < 4.0) { z = z * z + c; k++; }',
      '      last = k;',
      '      seen[x] = k;',
      '      if (x == turn) throw `${x} ${k}`;',
      '    }',
      '  } catch (e) { yield e; yield last; }',
      '}',
      'yield seen;',
      'return last;',
      '}',
    );
    expect(interleavedIn(text)).toBe(1);
    expect((await outcome(text)).slice(0, -2)).toEqual(['0 60', '60', '1 60', '60', '2 13', '13', '[60,60,13,0]']);
  });

  it('is not one that reads what the iteration before has set', () => {
    const around = (before: string, behind: string): string =>
      lines(
        'main(int n = 9, double c = 0.25) {',
        'int last = 0; double z = 0.5; int k = 0;',
        `for (int x = 0; x < n; x++) { ${before} for (k = 0; k < 50 && z < 4.0; k++) z = z * z + c; ${behind} }`,
        'return last;',
        '}',
      );
    expect(interleavedIn(around('z = 0.1 * x;', 'last += k;'))).toBe(1);
    expect(interleavedIn(around('', 'last += k;'))).toBe(0);
    expect(interleavedIn(around('z = 0.1 * last;', 'last += k;'))).toBe(0);
    expect(interleavedIn(around('if (x > 2) z = 0.1 * x;', 'last += k;'))).toBe(0);
    expect(interleavedIn(around('z = 0.1 * x;', 'last += k; x += k & 1;'))).toBe(0);
    expect(interleavedIn(around('z = 0.1 * x;', 'last += k; c = c * 0.5;'))).toBe(0);
    expect(interleavedIn(around('int w = x / last; z = 0.1 * w;', 'yield k;'))).toBe(0);
  });

  it('may divide by what it tests, and by nothing else', async () => {
    const around = (test: string, then: string): string =>
      lines(
        'int gcd(int a, int b) {',
        `while (b ${test} 0) { int r = a % b; a = b; b = r; ${then} }`,
        'return a;',
        '}',
        'main(int n = 9) {',
        'int sum = 0;',
        'for (int i = 1; i < n; i++) { sum = sum * 3 + gcd(i, 60); yield sum; }',
        'return gcd(sum, -9);',
        '}',
      );
    for (const [test, then, isInterleaved] of [
      ['!=', '', 1],
      ['>', '', 1],
      ['>', 'r = 7 / b;', 0],
      ['!=', 'r = 7 / a;', 0],
      ['>=', '', 0],
    ] as const) {
      const text = around(test, then);
      expect([test, then, interleavedIn(text)]).toEqual([test, then, isInterleaved]);
      await outcome(text);
    }
  });

  it('may have a call in its statement, in front of which nothing happens', async () => {
    const around = (statement: string): string =>
      lines(
        steps,
        'int calls = 0;',
        'int count(int x) { calls = calls * 3 + 1; yield x; return x; }',
        'main(int n = 6, int[] a = [1, 2, 3, 4, 5, 6, 7]) {',
        'int sum = 0;',
        `for (int i = 1; i <= n; i++) ${statement}`,
        'yield calls;',
        'return sum;',
        '}',
      );
    for (const [statement, isInterleaved] of [
      ['sum = sum * 3 + steps(i);', 1],
      ['if (sum % 2 == 0 || i > 3) sum += i; else if (steps(i) > 3) sum++;', 0],
      ['if (steps(i) > 3) sum++;', 1],
      ['a[i] = sum + steps(i);', 1],
      ['sum += steps(i) * steps(i + 1);', 1],
      ['sum += count(i) * steps(i);', 0],
      ['sum += steps(i) * count(i);', 1],
      ['sum += a[i] * steps(i);', 0],
      ['sum += sum > 9 ? 1 : steps(i);', 0],
    ] as const) {
      const text = around(statement);
      expect([statement, interleavedIn(text)]).toEqual([statement, isInterleaved]);
      await outcome(text);
    }
  });
});
