// Bounds on the code of functions: what passes add to a loop nest, beside the nest as its author wrote it.

import { describe, expect, it } from 'vitest';
import { passes } from '../../src/4-optimise/passes.ts';
import { compileWith } from '../../src/compile.ts';

const all = 'for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)';
const inside = 'for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)';
const mean = (of: string): string => `(${of}[i][j] + ${of}[i - 1][j] + ${of}[i + 1][j] + ${of}[i][j - 1]) * 0.25`;

const nests: Readonly<Record<string, string>> = {
  gemm: `${all} { c[i][j] *= 1.2; for (int k = 0; k < n; k++) c[i][j] += 1.5 * a[i][k] * b[k][j]; }`,
  'a product': `${all} for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];`,
  'shortest paths': `for (int k = 0; k < n; k++) ${all} if (a[i][k] + a[k][j] < a[i][j]) a[i][j] = a[i][k] + a[k][j];`,
  'a triangle':
    'for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) ' +
    'for (int j = 0; j <= i; j++) c[i][j] += a[i][k] * a[j][k];',
  'a stencil': `for (int t = 0; t < n; t++) { ${inside} b[i][j] = ${mean('a')}; ${inside} a[i][j] = ${mean('b')}; }`,
  'a sweep in place': `for (int t = 0; t < n; t++) ${inside} a[i][j] = ${mean('a')} + a[i - 1][j + 1];`,
  columns: `for (int t = 0; t < n; t++) ${all} b[0][i] += a[j][i] * c[0][j];`,
  'an update of rows': `${all} for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[k][j];`,
  sums: `${all} { b[0][i] += a[i][j] * c[0][j]; b[1][j] += a[i][j] * c[1][i]; }`,
};

const optional = new Set(passes.filter(({ isRequired }) => !isRequired).map(({ name }) => name));

const bound = 4;

/** What misses the bound (docs/decisions/0099), by how much at most; what comes back within it leaves the list. */
const missed: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'without limits': { 'a triangle': 4.53 },
};

describe.each([
  ['without limits', {}],
  ['with all limits', { use: true, depth: true, memory: true }],
])('the code of a function, %s', (limits, guards) => {
  it.each(Object.entries(nests))('is at most four times its plain size, or listed: %s', async (name, nest) => {
    const matrices = 'double[][] a, double[][] b, double[][] c';
    const text = `export void kernel(int n, ${matrices}) { ${nest} }`;
    const sizeOf = async (without: ReadonlySet<string>): Promise<number> => {
      const { artifact } = await compileWith('kernel.slu', text, { guards }, { without });
      return codeSize(artifact!.wasm);
    };
    const growth = (await sizeOf(new Set())) / (await sizeOf(optional));
    const most = missed[limits]?.[name];
    expect(growth).toBeLessThanOrEqual(most ?? bound);
    if (most !== undefined) expect(growth).toBeGreaterThan(bound);
  });
});

/** The bytes of the largest function and of the loops that were taken out of it, which are larger than all others. */
function codeSize(wasm: Uint8Array): number {
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < wasm.length) {
    const id = wasm[at++]!;
    const end = number() + at;
    if (id !== 10) {
      at = end;
      continue;
    }
    const count = number();
    let [sum, largest] = [0, 0];
    for (let index = 0; index < count; index++) {
      const size = number();
      at += size;
      largest = Math.max(largest, size);
      // The driver of a loop that was taken out is small.
      if (size >= 200) sum += size;
    }
    return Math.max(sum, largest);
  }
  return 0;
}
