// Loop nests that work in the scratch memory: what the script, its host and its limits see of them.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { runtimeModule, scratchImport } from '../../src/abi/imports.ts';
import { compile } from '../../src/compile.ts';
import type { CompileOptions } from '../../src/compile.ts';

// Arrays that are in structs are not on the stack.
const product = `
type Seen { double[][] array; }
Seen seen = { array: [] };
double[][] product(double[][] a, double[][] b, int n) {
  double[][] c = new double[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
  seen.array = c;
  return c;
}
double[][] fill(int n, int by) {
  double[][] a = new double[n][n];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = (i * by + j) % 17 - 8;
  seen.array = a;
  return a;
}
double sum(double[][] a) {
  double sum = 0.0;
  foreach (double[] row in a) foreach (double x in row) sum = sum * 0.5 + x;
  return sum;
}
`;

async function build(text: string, options: CompileOptions = {}): Promise<Uint8Array> {
  const { artifact, diagnostics } = await compile('test.slu', text, options);
  expect(diagnostics).toEqual([]);
  return artifact!.wasm;
}

async function load(text: string, options: CompileOptions = {}): Promise<Script> {
  return loadScript(await build(text, options));
}

function memoriesOf(wasm: Uint8Array): readonly string[] {
  const module = new WebAssembly.Module(
    wasm as Uint8Array<ArrayBuffer>,
    {
      builtins: ['js-string'],
      importedStringConstants: "'",
    } as never,
  );
  return WebAssembly.Module.imports(module).flatMap(({ module: from, name, kind }) =>
    kind === 'memory' ? [`${from}.${name}`] : [],
  );
}

const sides = [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 65, 130];

describe('a product of matrices', () => {
  const text = `${product} main(int n) { return sum(product(fill(n, 3), fill(n, 5), n)); }`;

  it('is worked out in the scratch memory', async () => {
    expect(memoriesOf(await build(text))).toEqual([`${runtimeModule}.${scratchImport}`]);
  });

  it.each(sides)('of side %i is what it is without', async (n) => {
    const [fast, plain] = [await load(text), await load(text, { optimise: false })];
    expect(await fast.run({ n }).result).toBe(await plain.run({ n }).result);
  });

  it('is right again in the next run, which has the same memory', async () => {
    const script = await load(text);
    const first = await script.run({ n: 130 }).result;
    await script.run({ n: 40 }).result;
    expect(await script.run({ n: 130 }).result).toBe(first);
  });

  it('is right where the memory may not grow', async () => {
    const expected = await (await load(text)).run({ n: 130 }).result;
    const script = await loadScript(await build(text), { limits: { memoryBytes: 1 << 22 } });
    expect(await script.run({ n: 130 }).result).toBe(expected);
  });
});

describe('arrays that are one', () => {
  const text = `${product}
    void add(double[][] to, double[][] from, int n) {
      for (int t = 0; t < 9; t++)
        for (int i = 1; i < n; i++)
          for (int j = 0; j < n; j++) to[i][j] = to[i][j] * 0.5 + from[i - 1][j];
    }
    main(int n) { double[][] a = fill(n, 3); double[][] b = fill(n, 5); add(a, b, n); add(a, a, n); return sum(a); }`;

  it.each([2, 9, 40])('of side %i', async (n) => {
    const [fast, plain] = [await load(text), await load(text, { optimise: false })];
    expect(await fast.run({ n }).result).toBe(await plain.run({ n }).result);
  });
});

describe('the host', () => {
  it('gives and takes arrays of numbers before and after the memory has grown', async () => {
    const text = `${product}
      export double[] through(double[] xs, int n) {
        double before = xs.sum();
        xs[0] = before + 0.0 * sum(product(fill(n, 3), fill(n, 5), n));
        return xs;
      }`;
    const script = await load(text);
    const xs = Float64Array.from({ length: 20_001 }, (_, at) => at);
    const instance = script.instance();
    for (const n of [3, 90, 150]) {
      const result = (await instance.call('through', xs, n)).value as Float64Array;
      expect(result.length).toBe(xs.length);
      expect(result[0]).toBe(xs.reduce((one, other) => one + other, 0));
      expect(result.at(-1)).toBe(20_000);
    }
  });

  it('has a thousand instances at once', async () => {
    const script = await load(
      `${product} main(int n) {
        yield sum(product(fill(n, 3), fill(n, 5), n));
        return sum(product(fill(n, 5), fill(n, 3), n));
      }`,
    );
    const runs = Array.from({ length: 1000 }, () => script.run({ n: 20 })[Symbol.asyncIterator]());
    const firsts = new Set<unknown>();
    for (const run of runs) firsts.add((await run.next()).value);
    expect(firsts.size).toBe(1);
    for (const run of runs) expect((await run.next()).done).toBe(true);
  });
});

describe('a clause for an error of a limit', () => {
  const loops = 'for (t = 0; t < 1000000; t++) for (int i = 0; i < n; i++) a[i] += 1.0;';
  const clause = 'catch (QuotaExceededError e) { yield a[0] == t || a[0] == t + 1.0; yield a[0] > 0.0; }';

  it.each([
    ['around it', `main(int n) { double[] a = new double[n]; int t = 0; try { ${loops} } ${clause} }`],
    [
      'in a caller',
      `int t = 0;
       void count(double[] a, int n, int deep) { if (deep > 0) count(a, n, deep - 1); else { ${loops} } }
       main(int n) { double[] a = new double[n]; try { count(a, n, 3); } ${clause} }`,
    ],
  ])('sees the arrays as the loops have left them: %s', async (_where, text) => {
    const script = await loadScript(await build(text), { limits: { fuel: 1_000_000 } });
    const yielded: unknown[] = [];
    try {
      for await (const value of script.run({ n: 100 })) yielded.push(value);
    } catch {
      // The limit.
    }
    expect(yielded).toEqual([true, true]);
  });
});
