// More memories of WebAssembly than an engine has addresses for, one after the other and 50 at once.

import { loadScript } from '../../runtime-host/api/index.ts';
import type { Script } from '../../runtime-host/api/index.ts';
import { wasmPlugin } from '../../runtime-host/api/plugins.ts';
import { compile } from '../../src/index.ts';
import type { Check, Group } from './suites.ts';

/** A library whose function works in a memory of its own. */
export const matrices = `export double trace(int n) {
  double[][] a = new double[n][n];
  double[][] b = new double[n][n];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = i + j; b[i][j] = i - j; }
  double[][] c = new double[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += c[i][i];
  return sum;
}`;

async function build(name: string, text: string, plugins: readonly unknown[] = []): Promise<Uint8Array<ArrayBuffer>> {
  const { artifact, diagnostics } = await compile(name, text, { plugins });
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return artifact.wasm;
}

async function withPlugin(): Promise<Script> {
  const plugins = [wasmPlugin(await build('matrices.slu', matrices))];
  const text = 'main(double[] xs) { yield Matrices.trace(3); yield xs.sum(); }';
  return loadScript(await build('test.slu', text, plugins), { plugins });
}

const checks: readonly Check[] = [
  {
    name: '200 scripts, each of which has run',
    run: async () => {
      const wasm = await build('test.slu', 'main(int n) { int[] xs = [n]; return xs; }');
      const scripts: Script[] = [];
      for (let n = 0n; n < 200n; n++) {
        const script = await loadScript(wasm);
        scripts.push(script);
        const result = await script.run({ n }).result;
        if (String(result) !== String(n)) return [`script ${n} gave ${String(result)}`];
      }
      return scripts.length === 200 ? [] : [`${scripts.length} scripts`];
    },
  },
  {
    name: '2,000 runs with a plugin, one after the other',
    run: async () => {
      const script = await withPlugin();
      for (let n = 0; n < 2_000; n++) {
        const values: unknown[] = [];
        await script.run({ xs: Float64Array.of(n, 1) }).forEach((value) => void values.push(value));
        if (String(values) !== `0,${n + 1}`) return [`run ${n} gave ${String(values)}`];
      }
      return [];
    },
  },
  {
    name: '50 runs with a plugin at once, four times',
    run: async () => {
      const script = await withPlugin();
      for (let round = 0; round < 4; round++) {
        const runs = Array.from({ length: 50 }, (_, n) =>
          script.run({ xs: Float64Array.of(n, 1) })[Symbol.asyncIterator](),
        );
        const values: unknown[][] = runs.map(() => []);
        for (let step = 0; step < 3; step++)
          for (const [n, run] of runs.entries()) values[n]!.push((await run.next()).value);
        const wrong = values.findIndex((found, n) => String(found) !== `0,${n + 1},`);
        if (wrong >= 0) return [`run ${wrong} of round ${round} gave ${String(values[wrong])}`];
      }
      return [];
    },
  },
];

export const memoryGroup: Omit<Group, 'suite'> = { name: 'memories of WebAssembly', checks };
