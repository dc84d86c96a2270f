// Matrices that the host passes in: a loop nest looks at their rows, which may be shared or of other lengths.

import { expect, it } from 'vitest';
import { loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const text = `
main(double[][] a, double[][] b) {
  int n = a.length();
  int m = b[0].length();
  double[][] c = new double[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < b.length(); k++) c[i][j] += a[i][k] * b[k][j];
  for (int t = 0; t < 20; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < b.length(); j++) a[i][j] = a[i][j] * 0.5 + c[i][j % m];
  yield c;
  return a;
}
`;

const sizes = 24;
const matrix = (seed: number): number[][] =>
  Array.from({ length: sizes }, (_, i) => Array.from({ length: sizes }, (__, j) => ((i * 7 + j * seed) % 13) / 4));
const withRow = (rows: number[][], at: number, row: number[]): number[][] => rows.with(at, row);
const shared = matrix(3);

async function outcomesOf(wasm: Uint8Array, a: number[][], b: number[][]): Promise<readonly unknown[]> {
  const run = (await loadScript(wasm)).run({ a, b });
  const seen: unknown[] = [];
  try {
    for await (const value of run) seen.push(value);
    seen.push(await run.result);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    seen.push(error.message);
  }
  return seen;
}

it.each<readonly [string, number[][], number[][]]>([
  ['even', matrix(3), matrix(5)],
  ['the same row twice', withRow(shared, 9, shared[2]!), matrix(5)],
  ['the same matrix twice', shared, shared],
  ['rows of one in the other', matrix(3), withRow(matrix(5), 4, shared[4]!)],
  ['a longer row', matrix(3), withRow(matrix(5), 7, [...matrix(5)[7]!, 1, 2])],
  ['a shorter row', matrix(3), withRow(matrix(5), 7, matrix(5)[7]!.slice(1))],
  ['a first row that is shorter', matrix(3), withRow(matrix(5), 0, matrix(5)[0]!.slice(1))],
  ['no rows', [], matrix(5)],
])('%s', async (_, a, b) => {
  const [plain, fast] = await Promise.all(
    [false, true].map(async (optimise) => {
      const { artifact, diagnostics } = await compile('test.slu', text, { optimise });
      expect(diagnostics).toEqual([]);
      return outcomesOf(artifact!.wasm, a, b);
    }),
  );
  expect(fast).toEqual(plain);
  expect(plain!.length).toBeGreaterThan(0);
});
