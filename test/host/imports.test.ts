// Programs of several files as their host sees them: what the manifest says, what can be called, and stacks.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/node.ts';
import type { Script } from '../../runtime-host/node.ts';
import { compile, memoryReader } from '../../src/index.ts';

/** The program whose file is the first. */
async function load(files: Readonly<Record<string, string>>): Promise<Script> {
  const [[name, text]] = Object.entries(files) as [[string, string]];
  const { artifact, diagnostics } = await compile(name, text, { reader: memoryReader(files) });
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return loadScript(artifact!.wasm);
}

describe('the manifest of a program of several files', () => {
  it('names the file that was compiled, of a library too', async () => {
    const imported = { 'lib.slu': 'int twice(int n) { return 2 * n; }' };
    const library = await load({ 'main.slu': 'import "lib.slu" as lib;\nexport int f(int n) { return lib.twice(n); }', ...imported });
    expect(library.manifest.name).toBe('main.slu');
    expect((await load({ 'app.slu': 'import "lib.slu" as lib;\nmain() { return lib.twice(1); }', ...imported })).manifest.name).toBe('app.slu');
  });

  it('says which imported file declares a struct', async () => {
    const { manifest } = await load({
      'main.slu': 'import "lib/a.slu" as a;\ntype P { int x; }\nmain(a.P theirs, P mine) { return theirs.y + mine.x; }',
      'lib/a.slu': 'type P { int y; }',
    });
    expect(manifest.structs).toEqual([
      { name: 'P', file: 'lib/a.slu', fields: [{ name: 'y', type: 'int' }] },
      { name: 'P', fields: [{ name: 'x', type: 'int' }] },
    ]);
  });

  it('has the exports of its own file alone', async () => {
    const script = await load({
      'main.slu': 'import "lib.slu" as lib;\nexport int f(int n) { return lib.g(n) + lib.start; }',
      'lib.slu': 'int start = one();\nint one() { return 1; }\nexport int g(int n) { return 2 * n; }',
    });
    expect(script.exports.map(({ name }) => name)).toEqual(['f']);
    expect(script.callSync('f', 3).value).toBe(7n);
    expect(() => script.callSync('g', 3)).toThrow('g');
  });
});
