// What is said of loops: each reason by a script, and that nobody who wants to know changes what is built.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lower } from '../../src/3-lower/lower.ts';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { passes, runPasses } from '../../src/4-optimise/passes.ts';
import { reasons, tables } from '../../src/4-optimise/remarks/reasons.ts';
import type { ReasonKey } from '../../src/4-optimise/remarks/reasons.ts';
import { Remarks } from '../../src/4-optimise/remarks/remarks.ts';
import type { ExplainedLoop } from '../../src/4-optimise/remarks/remarks.ts';
import { checkSource, compileWith } from '../../src/compile.ts';
import { printProgram } from '../../src/mir/print.ts';
import { programs } from '../fuzz/programs.ts';
import { cases } from './remark-cases.ts';

async function explain(text: string): Promise<readonly ExplainedLoop[]> {
  const remarks = new Remarks();
  const { diagnostics } = await compileWith('script.slu', text, {}, { remarks });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return remarks.explained();
}

/** What is said of loops for one reason. */
async function saidOf(text: string, reason: ReasonKey): Promise<readonly string[]> {
  const loops = await explain(text);
  return loops.flatMap(({ remarks }) => remarks.filter((remark) => remark.reason === reason).map((one) => one.text));
}

describe('remarks', () => {
  it('come from passes', () => {
    const names = passes.map(({ name }) => name);
    expect(Object.values(reasons).filter(({ pass }) => !names.includes(pass))).toEqual([]);
  });

  it('have names of their own in all tables', () => {
    expect(tables.flatMap((table) => Object.keys(table)).toSorted()).toEqual(Object.keys(reasons).toSorted());
  });

  it('have a case for each reason', () => {
    const shown = new Set(cases.map(({ reason }) => reason));
    expect(Object.keys(reasons).filter((key) => !shown.has(key as ReasonKey))).toEqual([]);
  });

  it.each(cases)('$reason: $says', async ({ reason, script, says }) => {
    expect(await saidOf(script, reason)).toEqual([says]);
  });

  it.each(cases)('$reason: the module is the same without anybody who asks', async ({ script }) => {
    const asked = await compileWith('script.slu', script, {}, { remarks: new Remarks() });
    const plain = await compileWith('script.slu', script, {}, {});
    expect(Buffer.from(asked.artifact!.wasm).equals(Buffer.from(plain.artifact!.wasm))).toBe(true);
  });

  it('change nothing in random programs', () => {
    for (const [index, text] of fc.sample(programs, { seed: 50, numRuns: 40 }).entries()) {
      const settings = settingsOf({ guards: { use: index % 2 === 0, depth: true } });
      const [asked, plain] = [{ remarks: new Remarks() }, {}].map((choice) => {
        const { program } = checkSource('script.slu', text);
        return program === null ? '' : printProgram(runPasses(lower(program), settings, { optimise: true, ...choice }));
      });
      expect(asked).toBe(plain);
    }
  }, 60_000);

  it('say that a loop is counted where it is in a nest alone', async () => {
    const [, inner] = await explain(
      'main(int n = 9, int m = 9) {\n  double[] x = new double[m];\n  double[] out = new double[m];\n' +
        '  for (int lag = 0; lag < n; lag++)\n' +
        '    for (int i = 0; i + lag < n; i++) out[lag] = out[lag] + x[i] * x[i + lag];\n  return out[1];\n}\n',
    );
    const count = inner!.remarks.filter(({ pass }) => pass === 'loop-canonicalisation' || pass === 'strip-mining');
    expect(count.map(({ text }) => text)).toEqual(["counts 'i' up, while 'i + lag < n'"]);
  });

  it('name the limit of a loop whose ends are done apart as it was written', async () => {
    const loops = await explain(
      'main(int n = 9, int m = 7) {\n  int[][] b = new int[n][m];\n  int[][] c = new int[n][m];\n' +
        '  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) c[i][j] = b[i][(j + 1) % m] / n;\n' +
        '  return c[1][1];\n}\n',
    );
    const texts = loops.flatMap(({ remarks }) => remarks.map(({ text }) => text));
    expect(texts.filter((text) => text.startsWith('counts'))).toEqual(["counts 'j' up to 'm'"]);
  });

  it('say nothing of choices that a nest makes to put its sums together', async () => {
    const loops = await explain(
      'main(int n = 9) {\n  double[][] b = new double[n][n];\n  yield b;\n  double most = 0.0;\n' +
        '  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) {\n      double d = Math.abs(b[i][j]);\n' +
        '      if (d > most) most = d;\n    }\n  return most;\n}\n',
    );
    const texts = loops.flatMap(({ remarks }) => remarks.map(({ text }) => text));
    expect(texts).toContain('works on 4 of its iterations at once');
    expect(texts.filter((text) => text.startsWith('chooses'))).toEqual([
      "chooses without a branch: 'if (d > most) most = d'",
    ]);
  });

  it('say of what a nest does not look at nothing else, though the loop as it was stays behind it', async () => {
    const loops = await explain(
      'double[] f(int[] start, int[] column, double[] value, double[] x, int times) {\n' +
        '  double[] y = new double[start.length() - 1];\n' +
        '  for (int t = 0; t < times; t++)\n    for (int i = 0; i < y.length(); i++) {\n      double sum = 0.0;\n' +
        '      for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];\n' +
        '      y[i] = sum;\n    }\n' +
        '  return y;\n}\nyield f([0, 1, 3], [0, 1, 0], [1.0, 2.0, 3.0], [1.0, 2.0], 9);\n',
    );
    const texts = loops.flatMap(({ remarks }) => remarks.map(({ text }) => text));
    expect(texts.filter((text) => /^checks .*index|^checks indices/.test(text) && text.includes('column'))).toEqual([
      "checks indices in front of the loop at 3:3, not inside: 'value[k]', 'x[column[k]]' and 'column[k]'",
    ]);
  });

  it('are of the loops of the text, each once, whatever becomes of them, and of none of the library', async () => {
    const loops = await explain(
      'int total = 0;\nint[] xs = [3, 1, 2];\nfor (int at = 0; at < 3; at++) total += xs[at];\nxs.sort();\n' +
        'export int add(int n) {\n  for (int i = 0; i < n; i++) {\n' +
        '    while (n > 9) for (int j = 0; j < n; j++) n -= 1;\n    do n += 1; while (n < 9);\n' +
        '  }\n  return n;\n}\n',
    );
    expect(loops.map((loop) => ({ ...loop, remarks: [] }))).toEqual([
      { ...place(3, 1), function: '<top level>', head: 'for (int at = 0; at < 3; at++) total += xs[at];' },
      { ...place(6, 3, 0, true), head: 'for (int i = 0; i < n; i++)' },
      { ...place(7, 5, 1, true), head: 'while (n > 9) for (int j = 0; j < n; j++) n -= 1;' },
      { ...place(7, 19, 2), head: 'for (int j = 0; j < n; j++) n -= 1;' },
      { ...place(8, 5, 1), head: 'do n += 1; while (n < 9);' },
    ]);
  });

  it('say first what was done, in one version at least, then what was not, then what makes no difference', async () => {
    const [, loop] = await explain(
      'int total = 0;\nmain(int n = 9, int m = 3) {\n  int[] xs = new int[n];\n  for (int j = 0; j < m; j++)\n' +
        '    for (int i = 0; i < n; i++) {\n      total += xs[i] + xs[i / 2 * 2 / 2];\n' +
        '      n = i > 3 ? n / i : n;\n    }\n  return total;\n}\n',
    );
    expect(loop!.remarks.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
      'applied hoistedFurther',
      'applied outlined',
      'missed limitChanges',
      'missed checkedUncounted',
      'missed noStrips',
      'analysis branches',
    ]);
    const [, promoted] = await explain(
      'int total = 0;\nmain(int n = 9) {\n  for (int j = 0; j < n; j++)\n' +
        '    for (int i = 0; i < n; i++) total += i;\n  return total;\n}\n',
    );
    expect(promoted!.remarks.filter(({ pass }) => pass === 'scalar-promotion')).toEqual([
      {
        pass: 'scalar-promotion',
        reason: 'promoted',
        outcome: 'applied',
        text: "keeps in a variable until it ends: 'total'",
        help: null,
        places: [],
      },
    ]);
  });
});

function place(line: number, column: number, depth = 0, isOuter = false): Omit<ExplainedLoop, 'head'> {
  return { file: 'script.slu', function: 'add', line, column, depth, isOuter, remarks: [] };
}
