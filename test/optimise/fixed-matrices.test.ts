// Which matrices are fixed: made by `new T[n][m]`, or by a literal of equally long literals, with no row stored or
// resized, anywhere in the program.

import { describe, expect, it } from 'vitest';
import { FixedMatrices } from '../../src/4-optimise/analysis/fixed-matrices.ts';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { visitStatements } from '../../src/mir/children.ts';
import type { LocalId } from '../../src/mir/mir.ts';
import type { MirFunction } from '../../src/mir/program.ts';
import { mirOf } from './lowering.ts';

const loop =
  'double f(double[][] m) { double s = 0.0; for (int k = 0; k < m.length(); k++) s += m[k][0]; return s; }\n';

/** Whether `m` of `f` is fixed. */
function isFixed(script: string): boolean {
  return ask(script, (matrices, fn, rows) => matrices.isFixed(fn, rows));
}

/** Whether `m` of `f` is rectangular, in front of all passes but those that make its loop. */
function isRectangular(script: string): boolean {
  return ask(script, (matrices, fn, rows) => matrices.isRectangular(fn, rows));
}

function ask(script: string, question: (matrices: FixedMatrices, fn: MirFunction, rows: LocalId) => boolean): boolean {
  let answer: boolean | null = null;
  runPasses(mirOf(script), settingsOf({}), {
    optimise: true,
    observe: (pass, program) => {
      if (pass !== 'loop-invariant-code-motion') return;
      const fn = program.functions.get('#f')!;
      const matrices = new FixedMatrices(program);
      visitStatements(fn.body, (node) => {
        if (node.kind === 'hoist-array' && node.array.kind === 'get-local' && fn.locals[node.array.local]!.name === 'm')
          answer = question(matrices, fn, node.elements);
      });
    },
  });
  if (answer === null) throw new Error('the matrix is not hoisted');
  return answer;
}

describe('fixed', () => {
  it.each<[string, string]>([
    ['made at once', 'double[][] a = new double[2][3]; return f(a);'],
    ['two of them', 'double[][] a = new double[2][3]; double[][] b = new double[4][5]; return f(a) + f(b);'],
    ['a row under another name', 'double[][] a = new double[2][3]; double[] r = a[1]; r[0] = 2.0; return f(a);'],
    ['a row that is filled and sorted', 'double[][] a = new double[2][3]; a[0].fill(1.0); a[0].sort(); return f(a);'],
    ['a row in an array of its own', 'double[][] a = new double[2][3]; double[] r = [1.0]; r = a[0]; return f(a);'],
    ['a literal', 'return f([[1.0, 2.0], [3.0, 4.0]]);'],
    ['one of two is a literal', 'double[][] a = new double[2][3]; a = [[1.0]]; return f(a);'],
    ['a literal in three dimensions', 'double[][][] a = [[[1.0], [2.0]], [[3.0], [4.0]]]; return f(a[1]);'],
    ['literals of several shapes', 'double[][][] a = [[[1.0]], [[3.0, 4.0]]]; return f(a[1]);'],
    ['in a field', 'type B { double[][] w; } B b = { w: new double[2][3] }; return f(b.w);'],
    ['in three dimensions', 'double[][][] a = new double[2][3][4]; return f(a[1]);'],
    ['another matrix is resized', 'double[][] o = new double[2][3]; o.pop(); return f(new double[1][1]);'],
  ])('%s', (_, script) => expect(isFixed(loop + script)).toBe(true));
});

describe('not fixed', () => {
  it.each<[string, string]>([
    ['a row is stored', 'double[][] a = new double[2][3]; a[0] = a[1]; return f(a);'],
    [
      'a row is stored through another name',
      'double[][] a = new double[2][3]; double[][] b = a; b[0] = [1.0]; return f(a);',
    ],
    [
      'a row is stored in a loop',
      'double[][] a = new double[2][3]; for (int i = 0; i < 2; i++) a[i] = [1.0]; return f(a);',
    ],
    [
      'a row is stored by a function',
      'void g(double[][] x) { x[0] = [1.0]; } double[][] a = new double[2][3]; g(a); return f(a);',
    ],
    ['a row is resized', 'double[][] a = new double[2][3]; a[0].push(1.0); return f(a);'],
    [
      'a row is resized under another name',
      'double[][] a = new double[2][3]; double[] r = a[1]; r.pop(); return f(a);',
    ],
    ['a row is added', 'double[][] a = new double[2][3]; a.push([1.0]); return f(a);'],
    ['a row is taken away', 'double[][] a = new double[2][3]; a.pop(); return f(a);'],
    ['a literal', 'return f([[1.0], [2.0, 3.0]]);'],
    [
      'one of two is a literal with rows of two lengths',
      'double[][] a = new double[2][3]; a = [[1.0], []]; return f(a);',
    ],
    ['a literal of arrays', 'double[] b = [1.0]; return f([b, b]);'],
    ['a literal without a row', 'return f([[1.0], null]);'],
    ['rows of one array', 'double[][] a = new double[2][3]; a.fill([1.0]); return f(a);'],
    ['without rows', 'double[][] a = new double[2][]; a[0] = [1.0]; return f(a);'],
    ['rows that are never made', 'double[][] a = new double[2][]; return f(a);'],
    ['a copy, whose rows are those of the other', 'double[][] a = new double[2][3]; return f(a.copy());'],
    ['a slice', 'double[][] a = new double[2][3]; return f(a.slice(0, 1));'],
    ['rows in another order', 'double[][] a = new double[2][3]; a.reverse(); return f(a);'],
    ['from json', 'json j = [[1.0], [2.0, 3.0]]; return f(j as double[][]);'],
    ['a field of a struct from json', 'type B { double[][] w; } json j = {}; B b = j as B; return f(b.w);'],
    ['from the host', 'main(double[][] a) { return f(a); }'],
    ['in three dimensions without rows', 'double[][][] a = new double[2][][]; a[0] = new double[1][]; return f(a[0]);'],
    [
      'a row of the second dimension is stored',
      'double[][][] a = new double[2][3][4]; a[0][1] = [1.0]; return f(a[1]);',
    ],
  ])('%s', (_, script) => expect(isFixed(loop + script)).toBe(false));
});

describe('rectangular', () => {
  const swap = (lines: string): string =>
    `${loop}void swap(double[][] m, double[][] o, int i, int j) { ${lines} }\n` +
    'double[][] a = new double[2][3]; double[][] b = new double[2][3]; swap(a, b, 0, 1); return f(a);';

  it('is what has rows that change places', () => {
    const script = swap('double[] t = m[i]; m[i] = m[j]; m[j] = t;');
    expect(isRectangular(script)).toBe(true);
    expect(isFixed(script)).toBe(false);
  });

  it.each([
    ['a row that is there twice', 'double[] t = m[i]; m[i] = m[j]; m[i] = t;'],
    ['a row of another matrix', 'double[] t = m[i]; m[i] = o[j]; m[j] = t;'],
    ['something in between', 'double[] t = m[i]; m[i] = m[j]; j = j - 1; m[j] = t;'],
    ['another row', 'double[] t = m[i]; double[] u = m[j]; m[i] = m[j]; m[j] = u; m[j] = t;'],
    ['an index that a function gives', 'double[] t = m[i]; m[i] = m[j.max(0)]; m[j.max(0)] = t;'],
  ])('is not what has %s', (_, lines) => expect(isRectangular(swap(lines))).toBe(false));
});
