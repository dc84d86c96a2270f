// Logs of runs that call plugins: what stands in them, what a replay needs, and how one that does not fit is refused.

import { describe, expect, it } from 'vitest';
import { defineModule, HostError, loadScript, wasmPlugin } from '../../runtime-host/api/node.ts';
import type { RunLog } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/index.ts';
import { build } from './compiling.ts';

const plugin = defineModule({
  name: 'P',
  types: ['type Q { int a; string[] bs; }'],
  functions: {
    'int add(int a, double b)': (a: bigint, b: number) => a + BigInt(b),
    'boolean not(boolean b)': (b: boolean) => !b,
    'double[] scale(double[] xs)': (xs: Float64Array) => xs.fill(0).map(() => 2),
    'int[] ints()': () => [1],
    'string text(string? s)': (s: string | null) => `${s}`,
    'string? maybe(string s)': () => null,
    'Q make(Q q)': (q: unknown) => q,
    'boolean[] flags()': () => [true],
    'json data(json j)': (j: unknown) => ({ j, k: [1] }),
    'void nothing(int n)': () => undefined,
    'double fail(double x)': () => {
      throw new Error('secret');
    },
  },
});

const text = `yield P.add(1, 2.0); yield P.not(true); yield P.scale([1.0, -0.0]); yield P.ints(); yield P.text(null); yield P.maybe("a"); P.Q q = { a: 1, bs: [null] }; yield P.make(q);
  yield P.flags(); yield P.data({ x: 1, y: 1.5 }); P.nothing(5); try { P.fail(1.0); } catch (e) { yield e; }`;

async function recorded(): Promise<{ readonly wasm: Uint8Array; readonly log: RunLog }> {
  const wasm = await build(text, [plugin]);
  const run = (await loadScript(wasm, { plugins: [plugin], record: true })).run();
  await run.result;
  return { wasm, log: await run.log };
}

async function refusal(wasm: Uint8Array, log: unknown, plugins: readonly unknown[] = [plugin]): Promise<string> {
  const error: unknown = await loadScript(wasm, { plugins, replay: log as RunLog })
    .then((script) => script.run().result)
    .then(
      () => expect.fail('it was taken'),
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(HostError);
  return (error as HostError).message;
}

describe('a log', () => {
  it('has the calls of plugins as they were made, and their answers', async () => {
    const { log } = await recorded();
    expect(log.entries).toEqual([
      { call: 'P.add', with: [{ int: '1' }, { double: 2 }], answer: { int: '3' } },
      { call: 'P.not', with: [true], answer: false },
      { call: 'P.scale', with: [{ doubles: [1, '-0'] }], answer: { doubles: [2, 2] } },
      { call: 'P.ints', with: [], answer: { ints: ['1'] } },
      { call: 'P.text', with: [null], answer: 'null' },
      { call: 'P.maybe', with: ['a'], answer: null },
      {
        call: 'P.make',
        with: [{ object: ['a', { int: '1' }, 'bs', [null]] }],
        answer: { struct: [{ int: '1' }, [null]] },
      },
      { call: 'P.flags', with: [], answer: [true] },
      {
        call: 'P.data',
        with: [{ object: ['x', { double: 1 }, 'y', { double: 1.5 }] }],
        answer: { object: ['j', { object: ['x', { int: '1' }, 'y', { double: 1.5 }] }, 'k', [{ int: '1' }]] },
      },
      { call: 'P.nothing', with: [{ int: '5' }] },
      { call: 'P.fail', with: [{ double: 1 }], error: 'PluginError', message: 'P.fail failed' },
    ]);
    expect(log.plugins).toBeUndefined();
  });

  it.each<[at: number, answer: unknown]>([
    [0, { double: 3 }],
    [0, undefined],
    [0, 'x'],
    [1, null],
    [1, { int: '1' }],
    [2, { ints: ['1'] }],
    [2, [{ double: 1 }]],
    [2, null],
    [2, { beside: 0 }],
    [3, { doubles: [1] }],
    [4, null],
    [4, true],
    [5, 5],
    [6, { struct: [{ int: '1' }] }],
    [6, { struct: [{ int: '1' }, [true]] }],
    [6, { struct: [{ int: '1' }, [], []] }],
    [6, { object: ['a', { int: '1' }] }],
    [6, { struct: [null, []] }],
    [7, [null]],
    [7, { doubles: [1] }],
    [8, { object: ['j'] }],
    [8, { object: [true, true] }],
    [8, { struct: [] }],
    [8, [{ struct: [] }]],
    [9, null],
  ])('is damaged where entry %i has the answer %j', async (at, answer) => {
    const { wasm, log } = await recorded();
    const entries = log.entries.map((entry, index) => (index === at ? { ...entry, answer } : entry));
    expect(await refusal(wasm, { ...log, entries })).toBe(`entry ${at + 1} of this log is damaged`);
  });

  it.each<[at: number, change: object, message: string]>([
    [0, { with: [{ int: '2' }, { double: 2 }] }, 'its entry 1 is P.add(2, 2), and the script calls P.add(1, 2)'],
    [2, { with: [{ doubles: [1, 0] }] }, 'its entry 3 is P.scale([1,0]), and the script calls P.scale([1,-0])'],
    [4, { with: ['null'] }, 'its entry 5 is P.text("null"), and the script calls P.text(null)'],
    [
      6,
      { call: 'P.made' },
      'its entry 7 is P.made(["a",{"int":"1"},"bs",[null]]), and the script calls ' +
        'P.make(["a",{"int":"1"},"bs",[null]])',
    ],
    [9, { with: 'x' }, 'its entry 10 is P.nothing(), and the script calls P.nothing(5)'],
  ])('does not fit where entry %i has %j', async (at, change, message) => {
    const { wasm, log } = await recorded();
    const entries = log.entries.map((entry, index) => (index === at ? { ...entry, ...change } : entry));
    expect(await refusal(wasm, { ...log, entries })).toBe(`the log does not fit this run: ${message}`);
  });

  it('ends a replay in a call that no clause catches', async () => {
    const { wasm, log } = await recorded();
    expect(await refusal(wasm, { ...log, entries: log.entries.slice(0, 10) })).toBe(
      'the log does not fit this run: it ends after 10 entries, and the script calls P.fail(1)',
    );
  });
});

describe('a module of WebAssembly that imports from its host', () => {
  // (import "env" "twice" (func (param f64) (result f64))) (func (export "f") (param f64) (result f64) local.get 0 call
  // 0)
  const bytes = Uint8Array.of(
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    1,
    6,
    1,
    96,
    1,
    124,
    1,
    124,
    2,
    13,
    1,
    3,
    101,
    110,
    118,
    5,
    116,
    119,
    105,
    99,
    101,
    0,
    0,
    3,
    2,
    1,
    0,
    7,
    5,
    1,
    1,
    102,
    0,
    1,
    10,
    8,
    1,
    6,
    0,
    32,
    0,
    16,
    0,
    11,
  );
  const out = wasmPlugin(bytes, {
    name: 'Out',
    functions: { 'double f(double x)': '' },
    imports: { env: { twice: (x: number) => 2 * x } },
  });
  const twice = 'for (int i = 1; i < 3; i++) { try { yield Out.f(i); } catch (e) { yield e; } }';

  it('has its calls in the log, and a replay that does not fit ends in a call that no clause catches', async () => {
    const wasm = await build(twice, [out]);
    const log = await (await loadScript(wasm, { plugins: [out], record: true })).run().log;
    expect(log.entries).toEqual(
      [1, 2].map((x) => ({ call: 'Out.f', with: [{ double: x }], answer: { double: 2 * x } })),
    );
    expect(log.plugins).toBeUndefined();
    expect(await refusal(wasm, { ...log, entries: log.entries.slice(1) }, [out])).toBe(
      'the log does not fit this run: its entry 1 is Out.f(2), and the script calls Out.f(1)',
    );
    expect(await refusal(wasm, { ...log, entries: log.entries.slice(0, 1) }, [out])).toBe(
      'the log does not fit this run: it ends after 1 entry, and the script calls Out.f(2)',
    );
    expect(await refusal(wasm, { ...log, entries: [{ ...log.entries[0]!, answer: 'x' }] }, [out])).toBe(
      'entry 1 of this log is damaged',
    );
  });
});

describe('a replay', () => {
  it('makes no objects of plugins', async () => {
    const { ScriptFunction, ScriptModule } = await import('../../runtime-host/api/node.ts');
    let made = 0;
    class Counter {
      constructor() {
        made++;
      }
      next(): bigint {
        return 5n;
      }
    }
    ScriptFunction('int next()')(Counter.prototype, 'next', Object.getOwnPropertyDescriptor(Counter.prototype, 'next'));
    ScriptModule('Counter')(Counter);
    const wasm = await build('return Counter.next();', [Counter]);
    const log = await (await loadScript(wasm, { plugins: [Counter], record: true })).run().log;
    expect(made).toBe(1);
    expect(await (await loadScript(wasm, { plugins: [Counter], replay: log })).run().result).toBe(5n);
    expect(made).toBe(1);
  });

  it('needs the plugins as they are declared, and not what they do', async () => {
    const { wasm, log } = await recorded();
    expect(await refusal(wasm, log, [])).toContain('load it with the one that it was compiled against');
    const signatures = [
      'int add(int a, double b)',
      'boolean not(boolean b)',
      'double[] scale(double[] xs)',
      'int[] ints()',
      'string text(string? s)',
      'string? maybe(string s)',
      'Q make(Q q)',
      'boolean[] flags()',
      'json data(json j)',
      'void nothing(int n)',
      'double fail(double x)',
    ];
    const declared = defineModule({
      name: 'P',
      types: ['type Q { int a; string[] bs; }'],
      functions: Object.fromEntries(signatures.map((signature) => [signature, () => expect.fail('it was called')])),
    });
    const seen: unknown[] = [];
    await (
      await loadScript(wasm, { plugins: [declared], replay: log })
    )
      .run()
      .forEach((_value, shown) => seen.push(shown()));
    expect(seen).toEqual([
      '3',
      'false',
      '[2.0,2.0]',
      '[1]',
      'null',
      'null',
      '{"a":1,"bs":[null]}',
      '[true]',
      '{"j":{"x":1,"y":1.5},"k":[1]}',
      'P.fail failed',
    ]);
  });

  it('runs plugins that are code alone again, and knows them by their bytes', async () => {
    const bytesOf = async (body: string): Promise<Uint8Array> =>
      (await compile('fast.slu', `export int f(int n) { ${body} }`)).artifact!.wasm;
    const [one, two] = [await bytesOf('return n + 1;'), await bytesOf('return n + 2;')];
    const wasm = await build('yield Math.random() < 2.0; return Fast.f(1);', [wasmPlugin(one)]);
    const log = await (await loadScript(wasm, { plugins: [wasmPlugin(one)], record: true })).run().log;
    expect([log.entries, Object.keys(log.plugins!)]).toEqual([[], ['Fast']]);
    expect(await (await loadScript(wasm, { plugins: [wasmPlugin(one)], replay: log })).run().result).toBe(2n);
    expect(await refusal(wasm, log, [wasmPlugin(two)])).toMatch(
      /^this log was made with another build of the plugin Fast: sha256 [0-9a-f]{12}…, and this is sha256 [0-9a-f]{12}…$/,
    );
    const { plugins: _plugins, ...without } = log;
    expect(await refusal(wasm, without, [wasmPlugin(one)])).toMatch(
      /^this log was made with another build of the plugin Fast: it names none, and this is sha256 /,
    );
    const compiled = wasmPlugin(
      new WebAssembly.Module(one as Uint8Array<ArrayBuffer>, { builtins: ['js-string'], importedStringConstants: "'" }),
    );
    await expect(loadScript(wasm, { plugins: [compiled], record: true })).rejects.toThrow(
      'a log names the plugin Fast by a hash of its bytes: pass the bytes, not a WebAssembly.Module',
    );
    expect(await (await loadScript(wasm, { plugins: [compiled] })).run().result).toBe(2n);
  });
});
