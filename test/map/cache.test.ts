// Modules that were compiled for an earlier plan: nothing else of a plan differs by them.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { planMap } from 'sluice-map';
import type { ModuleCache } from 'sluice-map';
import { MapFolder, rowsOf } from './harness.ts';

const folder = new MapFolder();
let input: string;
beforeAll(async () => {
  input = await folder.parquet('numbers.parquet', 'SELECT i AS id FROM range(10) AS t(i)');
});
afterAll(() => folder.remove());

/** Keeps everything, and what it is asked for. */
function cacheOf(): ModuleCache & { readonly asked: string[]; readonly imported: Map<string, readonly string[]> } {
  const modules = new Map<string, Uint8Array<ArrayBuffer>>();
  const imported = new Map<string, readonly string[]>();
  const asked: string[] = [];
  return {
    asked,
    imported,
    find: (name, text) => {
      const wasm = modules.get(`${name}\0${text}`) ?? null;
      asked.push(`${wasm === null ? 'no' : 'has'} ${name.slice(folder.path.length + 1)}`);
      return wasm;
    },
    keep: (name, text, files, wasm) => {
      modules.set(`${name}\0${text}`, wasm);
      imported.set(
        name.slice(folder.path.length + 1),
        files.map((file) => file.slice(folder.path.length + 1)),
      );
    },
  };
}

it('gives the plan that compiling gives', async () => {
  folder.write('shapes.slu', 'type Out { int id; int twice; }');
  const script = folder.write(
    'a.slu',
    'import "shapes.slu" as shapes; export shapes.Out map(int id) { return { id: id, twice: id * 2 }; }',
  );
  const cache = cacheOf();
  const output = folder.file('out');
  const first = await planMap({ script, input, output, cache });
  const second = await planMap({ script, input, output, cache });
  expect(second).toEqual(first);
  expect(cache.asked).toEqual(['no a.slu', 'no a.slu (driver of map)', 'has a.slu', 'has a.slu (driver of map)']);
  expect(Object.fromEntries(cache.imported)).toEqual({
    'a.slu': ['shapes.slu'],
    'a.slu (driver of map)': expect.arrayContaining(['a.slu', 'shapes.slu']),
  });
  const { output: written } = await folder.map(
    'type Out { int id; } export Out map(int id) { return { id: id }; }',
    input,
    { cache },
  );
  expect(await rowsOf(written)).toHaveLength(10);
});

it('keeps no script with warnings, so that they are said each time', async () => {
  const script = folder.write(
    'c.slu',
    'type Out { int id; } export Out map(int id) { return { id: id }; throw "never"; }',
  );
  const cache = cacheOf();
  for (let time = 0; time < 2; time++) {
    const { diagnostics } = await planMap({ script, input, output: folder.file('out'), cache });
    expect(diagnostics).toHaveLength(1);
  }
  expect(cache.asked.filter((line) => line === 'has c.slu')).toEqual([]);
});
