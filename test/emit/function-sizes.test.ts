// The bytes of each function of a module.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compile, functionSizes, memoryReader } from '../../src/index.ts';

it('are those of the code, by the names of the script, the largest first', async () => {
  const reader = memoryReader({
    'lib.slu': 'int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * n; return s; }\n',
  });
  const text =
    'import "lib.slu" as lib;\n' +
    'export double total(double[] xs) { double s = 0; foreach (double x in xs) s += x; return s; }\n' +
    'main(int n) { return lib.sum(n); }\n';
  const { artifact } = await compile('a.slu', text, { reader });
  const sizes = await functionSizes(artifact!.wasm);
  const own = sizes.filter(({ isOwn }) => isOwn);
  expect(own.map(({ name }) => name).toSorted()).toEqual(['lib.slu#sum', 'main', 'total']);
  expect(sizes.map(({ bytes }) => bytes)).toEqual(sizes.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
  // All of them together are the code section, but for a few bytes that say how long each is.
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(all).toBeLessThan(artifact!.wasm.length);
  expect(all).toBeGreaterThan(artifact!.wasm.length / 10);
});

it('count loops that run as functions of their own for their function', async () => {
  const { artifact } = await compile('a.slu', readFileSync('examples/cars.slu', 'utf8'));
  expect(new TextDecoder('latin1').decode(artifact!.wasm)).toContain('$loop');
  const names = (await functionSizes(artifact!.wasm)).map(({ name }) => name);
  expect(names.filter((name) => name.includes('$loop'))).toEqual([]);
  expect(names).toContain('bestAgainst');
});

it('want a module', async () => {
  await expect(functionSizes(new Uint8Array([1, 2, 3]))).rejects.toThrow(WebAssembly.CompileError);
});
