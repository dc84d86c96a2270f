// Plugins of WebAssembly: by hand, and out of a library of Sluice.

import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { defineModule, loadScript, wasmPlugin } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/index.ts';
import { build, run } from './compiling.ts';

const { parseWat } = await wabt();
const assemble = (text: string): Uint8Array => parseWat('a.wat', text, { exceptions: true }).toBinary({}).buffer;

const fast = wasmPlugin(
  assemble(`(module
  (tag $t)
  (global $calls (mut i64) (i64.const 0))
  (func (export "lerp") (param f64 f64 f64) (result f64) (f64.add (local.get 0) (f64.mul (local.get 2) (f64.sub (local.get 1) (local.get 0)))))
  (func (export "low") (param i64) (result i32) (i32.wrap_i64 (local.get 0)))
  (func (export "divide") (param i64 i64) (result i64) (i64.div_s (local.get 0) (local.get 1)))
  (func (export "count") (result i64) (global.set $calls (i64.add (global.get $calls) (i64.const 1))) (global.get $calls))
  (func (export "fail") (param f64) (throw $t)))`),
  {
    name: 'Fast',
    functions: {
      'double lerp(double a, double b, double t = 0.5)': 'Between.',
      'boolean low(int n)': '',
      'int divide(int a, int b)': '',
      'int count()': '',
      'void fail(double x)': '',
    },
  },
);

async function library(name: string, text: string): Promise<unknown> {
  const { artifact, diagnostics } = await compile(name, text);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return wasmPlugin(artifact!.wasm);
}

describe('a library of Sluice', () => {
  it('ends with the time of the run, and with the run', async () => {
    const endless = await library('loops.slu', 'export int forever(int n) { int s = 0; while (true) s += n; }');
    const wasm = await build(
      'try { yield Loops.forever(1); } catch (PluginError e) { yield "caught"; } while (true) { }',
      [endless],
    );
    await expect(
      (await loadScript(wasm, { plugins: [endless], limits: { timeMs: 50 } })).run().result,
    ).rejects.toMatchObject({ name: 'TimeoutError' });
    const uncaught = await build('yield Loops.forever(1);', [endless]);
    await expect(
      (await loadScript(uncaught, { plugins: [endless], limits: { timeMs: 50 } })).run().result,
    ).rejects.toMatchObject({ name: 'TimeoutError', message: 'this run may not take longer than 50 ms' });
  });
});

describe('a module by hand', () => {
  it('is called with numbers, and defaults', async () => {
    expect(
      await run(
        'yield Fast.lerp(0.0, 10.0); yield Fast.lerp(0.0, 10.0, 0.1); yield Fast.divide(7, -2); yield Fast.low(1);',
        [fast],
      ),
    ).toEqual([5, 1, -3n, true]);
  });

  it('has an instance for each run', async () => {
    const wasm = await build('Fast.count(); yield Fast.count();', [fast]);
    const script = await loadScript(wasm, { plugins: [fast] });
    for (let iteration = 0; iteration < 2; iteration++) {
      const values: unknown[] = [];
      await script.run().forEach((value) => void values.push(value));
      expect(values).toEqual([2n]);
    }
  });

  it('has its exceptions turned into PluginError', async () => {
    expect(
      await run('try { Fast.fail(1.0); } catch (PluginError e) { yield e; } yield 1; Fast.fail(2.0);', [fast]),
    ).toEqual(['Fast.fail failed', 1n, 'PluginError: Fast.fail failed']);
  });

  it('has no part in the errors of its arguments', async () => {
    const text =
      'int at(int n) { int[] ns = [4]; return ns[n]; } yield Fast.divide(at(0), 2); for (int i = 0; i < 2; ' +
      'i++) { try { yield Fast.divide(8, at(i)); } catch (PluginError e) { yield "wrong"; } }';
    expect(await run(text, [fast])).toEqual([2n, 2n, expect.stringMatching(/^IndexOutOfBoundsError: /)]);
  });

  it('gives no boolean but 0 and 1', async () => {
    expect(await run('Fast.low(2);', [fast])).toEqual(['PluginError: Fast.low did not return a boolean']);
  });

  it('ends the run by a trap, at the place of the call', async () => {
    const script = await loadScript(
      await build('int f(int n) {\n  return Fast.divide(1, n);\n}\ntry { yield f(0); } catch (e) { yield "caught"; }', [
        fast,
      ]),
      { plugins: [fast] },
    );
    await expect(script.run().result).rejects.toMatchObject({
      name: 'PluginError',
      message: 'a plugin failed',
      frames: [{ line: 2 }, { line: 4 }],
    });
  });

  it('must have the types of its signatures', () => {
    const module = assemble('(module (func (export "f") (param f64) (result f64) (local.get 0)))');
    const plugin = (signature: string): unknown => wasmPlugin(module, { name: 'W', functions: { [signature]: '' } });
    expect(() => plugin('double f(double x)')).not.toThrow();
    for (const signature of [
      'int f(double x)',
      'double f(int x)',
      'void f(double x)',
      'double f()',
      'boolean f(double x)',
    ])
      expect(() => plugin(signature), signature).toThrow('f has other types in the module than in its signature');
    expect(() =>
      wasmPlugin(assemble('(module (import "a" "b" (func)) (func (export "f")))'), {
        name: 'W',
        functions: { 'void f()': '' },
      }),
    ).toThrow('plugin W cannot be started');
  });

  it("may have imports, which are the host's affair", async () => {
    const module = assemble(
      '(module (import "env" "twice" (func $twice (param f64) (result f64))) (func (export "f") (param f64) ' +
        '(result f64) (call $twice (local.get 0))))',
    );
    const plugin = wasmPlugin(module, {
      name: 'W',
      functions: { 'double f(double x)': '' },
      imports: { env: { twice: (x: number) => 2 * x } },
    });
    expect(await run('yield W.f(2.0);', [plugin])).toEqual([4]);
    const failing = wasmPlugin(module, {
      name: 'W',
      functions: { 'double f(double x)': '' },
      imports: {
        env: {
          twice: () => {
            throw new Error('secret');
          },
        },
      },
    });
    expect(await run('W.f(2.0);', [failing])).toEqual(['PluginError: W.f failed']);
  });

  it('is another thing than JavaScript of the same signature', async () => {
    const wasm = await build('yield Fast.count();', [fast]);
    const script = defineModule({ name: 'Fast', functions: { 'int count()': () => 1n } });
    await expect(loadScript(wasm, { plugins: [script] })).rejects.toThrow(
      'it calls "wasm int Fast.count()", and the plugin here has "int Fast.count()"',
    );
  });
});

describe('a module that Sluice did not make', () => {
  it('calls plugins with the types that they have, or is refused', async () => {
    const plugin = defineModule({
      name: 'P',
      functions: { 'double f(double x)': (x: number) => x, 'string g(string s)': (s: string) => s },
    });
    const wasm = await build('yield P.f(1.5); yield P.g("a");', [plugin]);
    const [manifest] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), 'sluice:manifest');
    const craft = (f: string, g: string): Uint8Array => {
      const body = assemble(
        `(module (import "P" "f" (func ${f})) (import "P" "g" (func ${g})) (tag (export "error") (param i32 ` +
          'externref i32)) (func (export "run")))',
      );
      const section = [...new TextEncoder().encode('sluice:manifest'), ...new Uint8Array(manifest!)];
      const content = [15, ...section];
      return Uint8Array.from([
        ...body,
        0,
        (content.length & 127) | 128,
        ((content.length >> 7) & 127) | 128,
        content.length >> 14,
        ...content,
      ]);
    };
    const [f, g] = ['(param f64) (result f64)', '(param externref) (result i32)'];
    await expect(loadScript(craft(f, g), { plugins: [plugin] })).resolves.toBeDefined();
    for (const [otherF, otherG] of [
      ['(param externref) (result f64)', g],
      ['(param f64) (result i64)', g],
      [f, '(param i32) (result i32)'],
      [f, '(param externref) (result externref)'],
    ] as const) {
      await expect(loadScript(craft(otherF, otherG), { plugins: [plugin] })).rejects.toThrow(
        "imports a plugin's function with other types than it has",
      );
    }
  });
});

describe('a library of Sluice', () => {
  it('is called by the name of its file, with its globals set', async () => {
    const plugin = await library(
      'lib/vector-math.slu',
      'double scale = 1.0 + Math.floor(Math.random()); int calls = 0; export double length(double x, double y) { ' +
        'calls++; return scale * Math.sqrt(x * x + y * y); } export int count() { return calls; } ' +
        'export boolean isLong(double x) { return x > 1.0; }',
    );
    expect(
      await run('yield VectorMath.length(3.0, 4.0); yield VectorMath.count(); yield VectorMath.isLong(2.0);', [plugin]),
    ).toEqual([5, 1n, true]);
  });

  it('has its errors turned into PluginError', async () => {
    const plugin = await library('lib.slu', 'export int f(int n) { if (n < 0) throw "its own words"; return 10 / n; }');
    expect(
      await run('for (int i = -1; i < 2; i++) { try { yield Lib.f(i); } catch (PluginError e) { yield e; } }', [
        plugin,
      ]),
    ).toEqual(['Lib.f failed', 'Lib.f failed', 10n]);
  });

  it('computes, and does nothing else', async () => {
    await expect(library('lib.slu', 'export string f() { return ""; }')).rejects.toThrow(
      'plugin Lib: f takes or gives more than int, double and boolean',
    );
    await expect(library('lib.slu', 'export void f() { yield 1; }')).rejects.toThrow(
      'plugin Lib yields, which a plugin cannot',
    );
    await expect(library('lib.slu', 'export boolean f() { return File.exists("a"); }')).rejects.toThrow(
      'plugin Lib calls File.exists, which a plugin cannot',
    );
  });
});
