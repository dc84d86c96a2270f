// Programs of several files as their host sees them: what the manifest says, what can be called, and stacks.

import { describe, expect, it } from 'vitest';
import { formatLocation, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
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
    const library = await load({
      'main.slu': 'import "lib.slu" as lib;\nexport int f(int n) { return lib.twice(n); }',
      ...imported,
    });
    expect(library.manifest.name).toBe('main.slu');
    expect(
      (await load({ 'app.slu': 'import "lib.slu" as lib;\nmain() { return lib.twice(1); }', ...imported })).manifest
        .name,
    ).toBe('app.slu');
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

describe('stacks across files', () => {
  /** The frames with which a run of the program fails. */
  async function stackOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    try {
      await (await load(files)).run({}).result;
      return [];
    } catch (error) {
      return error instanceof ScriptError ? error.frames.map(formatLocation) : [String(error)];
    }
  }

  it('name the import on whose behalf the globals of a file are set', async () => {
    const files = {
      'mid.slu': 'import "lib.slu" as lib;\nint z = lib.x;',
      'lib.slu': 'int x = g(0);\nint g(int a) {\n  return 1 / a;\n}',
    };
    const expected = ['g (lib.slu:3:10)', '<globals> (lib.slu:1:9)'];
    expect(await stackOf({ 'main.slu': '\nimport "mid.slu" as mid;\nyield mid.z;', ...files })).toEqual([
      ...expected,
      '<top level> (main.slu:2:1)',
    ]);
    expect(await stackOf({ 'main.slu': '\nimport "mid.slu" as mid;\nmain() { return mid.z; }', ...files })).toEqual([
      ...expected,
      '<globals> (main.slu:2:1)',
    ]);
  });

  it('tell functions of one name apart, those written into their callers too', async () => {
    const stack = await stackOf({
      'main.slu':
        'import "lib.slu" as lib;\nint area(int a) {\n  return lib.area(a) + 1;\n}\nmain() {\n  return area(0);\n}',
      'lib.slu':
        '\n\n\n\n\n\n\nint area(int a) {\n  int sum = 0;\n  for (int i = 0; i < 3; i++) sum += inner(a);\n' +
        '  return sum;\n}\nint inner(int a) { return 1 / a; }',
    });
    expect(stack).toEqual([
      'inner (lib.slu:13:27)',
      'area (lib.slu:10:38)',
      'area (main.slu:3:10)',
      'main (main.slu:6:10)',
    ]);
  });

  it.each(['a (b)#@<c>.slu', '$call.slu', 'prelude', 'grüße.slu'])('show a file called %s', async (name) => {
    const stack = await stackOf({
      'main.slu': `import "${name}" as lib;\nmain() { return lib.f(3); }`,
      [name]: 'int f(int a) {\n  if (a == 0) throw "x";\n  return f(a - 1) + 1;\n}',
    });
    const turn = `f (${name}:3:10)`;
    expect(stack).toEqual([`f (${name}:2:15)`, turn, turn, turn, 'main (main.slu:2:17)']);
  });
});
