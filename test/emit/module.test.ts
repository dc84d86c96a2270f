// What a module consists of: only what its program reaches, valid for an independent validator where that
// knows the instructions, and small where the program is.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import createWabt from 'wabt';
import { compile } from '../../src/compile.ts';
import type { CompiledGuards, EmittedProgram } from '../../src/5-emit/emitted-program.ts';

async function build(text: string, guards: CompiledGuards = {}): Promise<EmittedProgram> {
  const { artifact, diagnostics } = await compile('test.slu', text, { text: true, sourceMap: true, guards });
  expect(diagnostics).toEqual([]);
  return artifact!;
}

function importsOf({ wasm }: EmittedProgram): string[] {
  return WebAssembly.Module.imports(new WebAssembly.Module(wasm))
    .map(({ module, name }) => `${module}.${name}`)
    .toSorted();
}

/** The module without its custom sections: names, manifest, locations. */
function codeSize({ wasm }: EmittedProgram): number {
  let size = 8;
  for (let at = 8; at < wasm.length;) {
    let length = 0;
    let next = at + 1;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[next]!;
      next += 1;
      length |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    if (wasm[at] !== 0) size += next + length - at;
    at = next + length;
  }
  return size;
}

describe('a module', () => {
  it('turns the bits of a variable by one instruction', async () => {
    const { text } = await build(
      `int turn(int x, int by) { return (x << by | x >>> (32 - by)) & 0xffffffff; }
      main(int n) { return (n << 13 | n >>> 51) + (n >>> 9 ^ n << 55) + turn(n & 0xffffffff, 7); }`,
    );
    expect(text!.match(/i(32|64)\.rot[lr]/g)).toHaveLength(3);
    expect(text).not.toContain('shr_u');
  });

  it('of a small program is small', async () => {
    const artifact = await build('main() { return 42; }');
    expect(importsOf(artifact)).toEqual(['sluice.finish', 'sluice.writeInt']);
    expect(codeSize(artifact)).toBeLessThanOrEqual(400);
  });

  it('of some loops over objects takes 3 KB', async () => {
    const artifact = await build(
      readFileSync(new URL('../../benchmarks/programs/nbody/main.slu', import.meta.url), 'utf8'),
    );
    expect(codeSize(artifact)).toBeLessThanOrEqual(3072);
    // The words of its errors are the host's.
    expect(importsOf(artifact)).toEqual([
      'sluice.finish',
      'sluice.hasArgument',
      'sluice.message',
      'sluice.readInt',
      'sluice.uncaught',
      'sluice.writeDouble',
    ]);
  });

  it('names its functions alone', async () => {
    const { wasm } = await build('int calls = 0;\nvoid f() { calls++; }\nmain() { f(); return calls; }');
    const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), 'name');
    const names = new Uint8Array(section!);
    expect([names[0], names[1]]).toEqual([1, names.length - 2]);
    expect(new TextDecoder().decode(names)).toContain('entry');
  });

  it('imports only what the program reaches', async () => {
    const artifact = await build(
      'double unused(double x) { return Math.sin(x); }\nmain(double x) { return Math.cos(x); }',
    );
    expect(importsOf(artifact)).toContain('Math.cos');
    expect(importsOf(artifact)).not.toContain('Math.sin');
    expect(artifact.manifest.namespaces).toEqual(['Math']);
  });

  it('says which permissions the program can ask for', async () => {
    const text =
      'string host = "example.com";\nvoid save(string text) { File.write("out.txt", text); }\n' +
      'string get(string path) { return Http.get(`https://${host}/${path}`); }\n' +
      'main(string path) { save(get(path)); save(File.read(path)); return Env.get("HOME") == null; }';
    expect((await build(text)).manifest.asks).toEqual(['Env.Get', 'File.Read', 'File.Write', 'Http.Get']);
    expect(
      (await build('void f() { File.write("out.txt", ""); }\nmain() { return 1; }')).manifest.asks,
    ).toBeUndefined();
    expect((await build('main() { return Math.random() + Date.now(); }')).manifest.asks).toBeUndefined();
  });

  it('exports run and the error tag, and no memory', async () => {
    const { wasm } = await build('yield "text".split("t"); return [1, 2];');
    const found = WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ kind, name }) => `${kind} ${name}`);
    expect(found.toSorted()).toEqual(['function run', 'tag error']);
  });

  it('exports the functions that a host may call: numbers directly, others behind the streams', async () => {
    const { wasm } = await build(
      'int n = [1][0];\nexport int f(int x) { return x + n; }\nexport int g(int x = 2) { return x; }\n' +
        'export string h() { return "h"; }\nexport int run() { return 1; }\nmain() { return 1; }',
    );
    const found = WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ kind, name }) => `${kind} ${name}`);
    expect(found.toSorted()).toEqual([
      'function call.g',
      'function call.h',
      'function direct.f',
      'function direct.g',
      'function direct.run',
      'function initialise',
      'function run',
      'tag error',
    ]);
  });

  it('with limits also imports what asks, and exports what was used and how deep calls may nest', async () => {
    const { wasm, manifest } = await build(
      'int f(int n) { return n == 0 ? 0 : f(n - 1); }\nmain(int n) { return new int[n].length() + f(n); }',
      { use: true, depth: true, memory: true },
    );
    const module = new WebAssembly.Module(wasm);
    expect(manifest.guards).toEqual(['use', 'depth', 'memory']);
    expect(
      WebAssembly.Module.exports(module)
        .map(({ kind, name }) => `${kind} ${name}`)
        .toSorted(),
    ).toEqual(['function run', 'function used', 'global depth', 'tag error']);
    expect(WebAssembly.Module.imports(module).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['look', 'reserve']),
    );
    expect((await build('main() { }')).manifest.guards).toBeUndefined();
  });

  it('imports the staging memory only if int[] or double[] go through it', async () => {
    const memories = async (text: string): Promise<string[]> =>
      importsOf(await build(text)).filter((name) => /staging|Staged/.test(name));
    expect(await memories('main(string[] texts, boolean[] bits) { double[] xs = [1.5]; return xs.sum(); }')).toEqual(
      [],
    );
    expect(await memories('main(int[] xs) { return xs.sum(); }')).toEqual(['sluice.readStaged', 'sluice.staging']);
    expect(await memories('export double[] f() { return [1.5]; }')).toEqual(['sluice.staging', 'sluice.writeStaged']);
  });

  it('says what it exports, yields and returns', async () => {
    const { manifest } = await build(
      'type P { int x; }\nexport P f(double ...xs[]) { yield xs; yield [1]; yield null; return { x: 1 }; }\n' +
        'main(int n) { yield f(1.0); if (n == 0) return "none"; return n; }',
    );
    expect(manifest).toMatchObject({
      exports: [
        {
          name: 'f',
          parameters: [{ name: 'xs', type: { array: 'double' }, required: false, variadic: true }],
          returns: { struct: 0 },
        },
      ],
      yields: [{ struct: 0 }, { array: 'double' }, { array: 'int' }, null],
      results: ['string', 'int'],
      structs: [{ name: 'P', fields: [{ name: 'x', type: 'int' }] }],
    });
  });

  it('of numbers alone is valid for an independent validator', async () => {
    const wabt = await createWabt();
    const { wasm } = await build(
      'int fold(int a, int b) { return b == 0 ? a : fold(b, a & (b - 1)); }\n' +
        'main(int a = 12, int b = 18) { for (int i = 0; i < 3; i++) yield i * 1.5; return fold(a, b); }',
    );
    const read = wabt.readWasm(wasm, {
      readDebugNames: true,
      exceptions: true,
      reference_types: true,
      multi_value: true,
      sat_float_to_int: true,
      sign_extension: true,
      bulk_memory: true,
    });
    expect(() => read.validate()).not.toThrow();
    read.destroy();
  });

  it('is the same for the same text', async () => {
    const text = 'type P { int x; }\nP[] ps = [{ x: 1 }];\nforeach (P p in ps) yield `${p}`;\nreturn ps;';
    expect((await build(text)).wasm).toEqual((await build(text)).wasm);
  });
});

describe('a source map', () => {
  it('names the file and holds its text', async () => {
    const text = 'int f(int x) {\n  while (x > 9) x -= 9;\n  return 10 / x;\n}\nyield f(0);\n';
    const map = JSON.parse((await build(text)).sourceMap!) as {
      version: number;
      sources: string[];
      sourcesContent: string[];
      mappings: string;
    };
    expect(map).toMatchObject({ version: 3, sources: ['test.slu'], sourcesContent: [text] });
    expect(map.mappings.split(',').length).toBeGreaterThan(2);
  });
});

describe('programs of any length', () => {
  const compiles = async (text: string): Promise<void> => expect((await build(text)).wasm.length).toBeGreaterThan(0);

  it('a sum of 100,000 terms', () => compiles(`int x = 1; return ${Array(100_000).fill('x').join('+')};`));
  it('a text of 5,000 pieces', () => compiles(`string x = "a"; return ${Array(5000).fill('x').join('+')};`));
  it('20,000 assignments in a row', () => compiles(`int x = 0;\n${'x = x * 3 + 1;\n'.repeat(20_000)}return x;`));
  it('2,000 assignments in a row beside a function that stops', () =>
    compiles(
      'int sum(int n) { int s; for (int i = 0; i < n; i++) { s += i; if (s == 7) yield s; }\nreturn s; }\n' +
        `int x = sum(5);\n${'x = x * 3 + 1;\n'.repeat(2000)}return x;`,
    ));
  it('2,000 branches of else if', () =>
    compiles(
      `int x = 5;\n${Array.from({ length: 2000 }, (_, i) => `if (x == ${i}) yield ${i};\n`).join('else ')}return x;`,
    ));
  it('an array of 50,000 numbers', () => compiles(`int[] a = [${Array(50_000).fill('7').join()}]; return a.length();`));

  it('chooses by comparisons, which all engines join with the choice', async () => {
    const { text } = await build(`
      main(int n = 9, int to = 3) {
        int x = n;
        int nothing = 0;
        while (x != 1) {
          x = (x & 1) == 0 ? x >> 1 : 3 * x + 1;
          nothing += x - to == 0 ? x : nothing * 3;
        }
        return nothing;
      }
    `);
    expect(text).toMatch(/\(select\b/);
    expect(text).not.toMatch(/i64\.eqz/);
  });
});
