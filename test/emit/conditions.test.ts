// Conditions of several tests (conditions.ts): each has a branch, in the order in which it is written, and what stands
// behind the one that decides is not worked out.

import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compile.ts';
import { outcome } from './outcomes.ts';

/** The comparisons of a function, in the order in which they stand in the module. */
async function testsOf(condition: string): Promise<readonly string[]> {
  const text = `
    int seen = 0;
    void f(double d, double r, int k) { if (${condition}) seen = seen + 1; }
    export int run(int n) { for (int i = 0; i < n; i++) f(0.5 * i, 2.0 * i, i); return seen; }`;
  const { artifact, diagnostics } = await compile('test.slu', text, { guards: {}, text: true });
  expect(diagnostics).toEqual([]);
  const [, body] = /\(func \$run [^]*?(\(loop [^]*?)\n \)\n/.exec(artifact!.text!) ?? [];
  return [...body!.matchAll(/f64\.(?:gt|lt|eq|ne|ge|le)|i32\.(?:or|and)\b|i64\.(?:eq|ne)\b/g)].map(([found]) => found);
}

describe('the tests of a condition', () => {
  it.each([
    ['of a cheap one behind a costly one', 'd * d + r * r * d > 9.0 || d == 0.0', ['f64.gt', 'f64.eq']],
    ['of a costly one behind a cheap one', 'd == 0.0 || d * d + r * r * d > 9.0', ['f64.eq', 'f64.gt']],
    ['of those that must all hold', 'd * d * d + r * r * d > 9.0 && r != 0.0', ['f64.gt', 'f64.ne']],
    ['where there is no else', '!(d * d * r + r * r > 9.0 || d == 0.0 || k == 3)', ['f64.gt', 'f64.eq', 'i64.eq']],
  ])('stand in the order in which they are written: %s', async (_name, condition, expected) => {
    // A test may stand as its opposite, but no two are made one number.
    const opposite = new Map([
      ['f64.ne', 'f64.eq'],
      ['i64.ne', 'i64.eq'],
    ]);
    const found = (await testsOf(condition)).map((test) => opposite.get(test) ?? test);
    expect(found).toEqual(expected.map((test) => opposite.get(test) ?? test));
  });

  const calls = [
    'string log = "";',
    'boolean t(int n) { log += `t${n} `; return true; }',
    'boolean f(int n) { log += `f${n} `; return false; }',
  ].join(' ');
  it.each([
    ['t(1) || t(2)', 'yes', 't1'],
    ['f(1) || t(2)', 'yes', 'f1 t2'],
    ['f(1) || f(2)', 'no', 'f1 f2'],
    ['t(1) && f(2) && t(3)', 'no', 't1 f2'],
    ['t(1) && t(2)', 'yes', 't1 t2'],
    ['!(f(1) || t(2))', 'no', 'f1 t2'],
    ['!(t(1) && f(2))', 'yes', 't1 f2'],
    ['(f(1) || t(2)) && (t(3) || f(4))', 'yes', 'f1 t2 t3'],
    ['(f(1) && t(2)) || (t(3) && !f(4))', 'yes', 'f1 t3 f4'],
    ['!(!(f(1) || f(2)) && !t(3))', 'yes', 'f1 f2 t3'],
    ['t(1) && (f(2) || !(t(3) && f(4)))', 'yes', 't1 f2 t3 f4'],
  ])('are asked as far as they decide: %s', async (condition, answer, asked) => {
    const once = (statement: string): string => `${calls} ${statement} yield log; return 0;`;
    const said = (text: string): Promise<readonly string[]> => outcome(once(text));
    expect(await said(`if (${condition}) yield "yes"; else yield "no";`)).toContain(`${asked} `);
    expect((await said(`if (${condition}) yield "yes"; else yield "no";`))[0]).toBe(answer);
    expect((await said(`string s = "no"; if (${condition}) s = "yes"; yield s;`))[0]).toBe(answer);
    expect((await said(`string s = "no"; while (${condition}) { s = "yes"; break; } yield s;`))[0]).toBe(answer);
    expect(
      (await said(`int n = 0; do { n++; if (n == 2) break; } while (${condition}); yield n == 2 ? "yes" : "no";`))[0],
    ).toBe(answer);
    expect(
      (
        await said(`string s = "yes"; for (int i = 0; i < 1; i++) { if (${condition}) continue; s = "no"; } yield s;`)
      )[0],
    ).toBe(answer);
    expect((await said(`string s = "yes"; for (;;) { if (${condition}) break; s = "no"; break; } yield s;`))[0]).toBe(
      answer,
    );
  });

  it('has the error of the test that fails, or none where it is not asked', async () => {
    const text = (condition: string): string =>
      `int[] a = [1, 2]; int f(int i) { if (${condition}) return 1; return 2; }
       try { yield f(5); } catch (e) { yield e; } return f(0);`;
    expect((await outcome(text('i < 2 && a[i] == 1')))[0]).toBe('2');
    expect((await outcome(text('i >= 2 || a[i] == 1')))[0]).toBe('1');
    expect((await outcome(text('a[i] == 1 || i >= 2')))[0]).toContain('index 5 is out of bounds');
    expect((await outcome(text('!(a[i] == 1 && i >= 2)')))[0]).toContain('index 5 is out of bounds');
  });
});
