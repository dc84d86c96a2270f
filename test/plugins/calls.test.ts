// Calls of plugins: what they get, what may come back, and what becomes of all that may not.

import { describe, expect, it } from 'vitest';
import { defineModule, HostError, loadScript, PluginGrant } from '../../runtime-host/api/node.ts';
import type { PermissionRequest, PluginContext, Script, ScriptInstance } from '../../runtime-host/api/node.ts';
import { build, load, run } from './compiling.ts';

describe('a result that is none of its type (attack 149)', () => {
  const strange: readonly (readonly [what: string, value: unknown])[] = [
    ['a string', '5'],
    ['null', null],
    ['undefined', undefined],
    ['NaN', NaN],
    ['2^53', 2 ** 53],
    ['a fraction', 0.5],
    ['a bigint beyond int', 2n ** 63n],
    ['a boolean', true],
    ['a promise', Promise.resolve(1)],
    ['a proxy', new Proxy({}, {})],
    [
      'valueOf that throws',
      {
        valueOf: () => {
          throw new Error('secret');
        },
      },
    ],
    [
      'then that throws',
      {
        get then(): never {
          throw new Error('secret');
        },
      },
    ],
    ['a symbol', Symbol('x')],
    ['a function', () => 1],
  ];
  const types = ['int', 'double', 'boolean', 'string', 'int[]', 'double[]', 'string[]', 'Point'] as const;
  /** What is right after all. */
  const right: Readonly<Record<string, readonly string[]>> = {
    double: ['NaN', '2^53', 'a fraction'],
    boolean: ['a boolean'],
    string: ['a string'],
  };

  for (const type of types) {
    it.each(strange.filter(([what]) => right[type]?.includes(what) !== true))(
      `for ${type}: %s`,
      async (_what, value) => {
        for (const parameter of ['double x', 'string x']) {
          const plugin = defineModule({
            name: 'P',
            types: ['type Point { double x; }'],
            functions: { [`${type} f(${parameter})`]: () => value },
          });
          const argument = parameter === 'double x' ? '1.0' : '"a"';
          const article = type === 'int' || type === 'int[]' ? 'an' : 'a';
          expect(await run(`P.f(${argument});`, [plugin])).toEqual([
            `PluginError: P.f did not return ${article} ${type}`,
          ]);
        }
      },
    );
  }

  it.each(strange.filter(([what]) => !['a promise', 'a proxy'].includes(what)))(
    'for an async string: %s',
    async (what, value) => {
      const plugin = defineModule({ name: 'P', functions: { 'string f()': async () => value } });
      const expected =
        what === 'a string'
          ? '5'
          : what.startsWith('then')
            ? 'PluginError: P.f failed'
            : 'PluginError: P.f did not return a string';
      expect(await run('yield P.f();', [plugin])).toEqual([expected]);
    },
  );

  it('for json: what is no plain data', async () => {
    for (const value of [
      undefined,
      () => 1,
      Symbol('x'),
      new Date(),
      new Map(),
      Promise.resolve(1),
      { a: { toJSON: () => 1 } },
      {
        get a(): never {
          throw new Error('secret');
        },
      },
    ]) {
      const plugin = defineModule({ name: 'P', functions: { 'json f()': () => value } });
      expect(await run('P.f();', [plugin])).toEqual(['PluginError: P.f did not return a json']);
    }
  });

  it('is told to the operator', async () => {
    const lines: string[] = [];
    const plugin = defineModule({
      name: 'P',
      functions: {
        'double f(double x)': () => Promise.resolve(1),
        'string g()': () => {
          throw new Error('secret');
        },
      },
    });
    expect(await run('try { P.f(1.0); } catch (e) {} P.g();', [plugin], { log: (line) => lines.push(line) })).toEqual([
      'PluginError: P.g failed',
    ]);
    expect(lines).toEqual([
      'P.f did not return a double, but a promise: only an async function, or one with async: true, may',
      'P.g failed: Error: secret',
    ]);
  });
});

describe('arguments', () => {
  it('are what the types say', async () => {
    const seen: unknown[] = [];
    const keep = (...values: readonly unknown[]): void => void seen.push(...values);
    const plugin = defineModule({
      name: 'P',
      types: ['type Point { double x; int[] ns; }'],
      functions: {
        'void f(int i, double d, boolean b, string s, string? n, double[] ds, int[] ns, string[] ss, boolean[] bs, json j, Point p, Point[] ps)':
          keep,
        'void g(int i, double d, boolean b, boolean c)': keep,
      },
    });
    await run(
      'P.Point p = { x: 0.5, ns: [1] }; P.f(1, 2.0, true, "s", null, [1.5], [2], ["a", null], [true], { ' +
        'a: [1, null] }, p, [p]); P.g(1, 2.0, true, false);',
      [plugin],
    );
    const point = Object.assign(Object.create(null) as object, { x: 0.5, ns: BigInt64Array.of(1n) });
    const json = Object.assign(Object.create(null) as object, { a: [1, null] });
    expect(seen).toEqual([
      1n,
      2,
      true,
      's',
      null,
      Float64Array.of(1.5),
      BigInt64Array.of(2n),
      ['a', null],
      [true],
      json,
      point,
      [point],
      1n,
      2,
      true,
      false,
    ]);
  });

  it('that are a double[] come in an array of their own; the one that is returned is not copied', async () => {
    const kept: Float64Array[] = [];
    const plugin = defineModule({
      name: 'P',
      functions: {
        'double[] f(double[] xs)': (xs: Float64Array) => {
          kept.push(xs);
          return xs;
        },
      },
    });
    expect(
      await run(
        'double[] xs = new double[20000]; xs[19999] = 7.0; double[] ys = P.f(xs); ys[0] = 1.0; yield xs[0]; ' +
          'yield ys[19999];',
        [plugin],
      ),
    ).toEqual([0, 7]);
    expect(kept[0]).toBeInstanceOf(Float64Array);
    expect([kept[0]!.length, kept[0]![0], kept[0]!.byteLength === kept[0]!.buffer.byteLength]).toEqual([
      20_000,
      0,
      true,
    ]);
  });

  it('of a call that fails while they are written are forgotten', async () => {
    const plugin = defineModule({
      name: 'P',
      types: ['type Node { Node next; }'],
      functions: { 'int f(json a, Node n)': () => 1, 'json g(json a)': (a: unknown) => a },
    });
    const text =
      'P.Node n = { next: null }; n.next = n; try { P.f({ wrong: 1 }, n); } catch (e) { yield "deep"; } ' +
      'yield P.g({ right: 2 });';
    expect(await run(text, [plugin])).toEqual(['deep', Object.assign(Object.create(null) as object, { right: 2 })]);
  });
});

describe('permissions of a plugin', () => {
  const plugin = defineModule({
    name: 'Db',
    functions: {
      'string query(string sql, int limit, double[] xs)': {
        permission: 'db:query',
        call: (sql: string, limit: bigint, xs: Float64Array, { constraints, signal }: PluginContext) =>
          `${sql} ${limit} ${xs.length} ${String(constraints['rows'])} ${signal.aborted}`,
      },
      'string tell(string sql)': {
        permission: 'db:tell',
        details: (sql: string) => ({ length: sql.length }),
        call: async (sql: string) => sql,
      },
      'string badDetails(string sql)': {
        permission: 'db:tell',
        details: () => {
          throw new Error('secret');
        },
        call: () => '',
      },
    },
  });

  it('are asked for with the numbers and texts of the call, or what the plugin tells', async () => {
    const requests: PermissionRequest[] = [];
    const permissions = async (request: PermissionRequest): Promise<ReturnType<typeof PluginGrant>> => (
      requests.push(request),
      PluginGrant({ rows: 3 })
    );
    expect(
      await run('yield Db.query("select", 5, [1.0]); yield Db.tell("abc"); Db.badDetails("x");', [plugin], {
        permissions,
      }),
    ).toEqual(['select 5 1 3 false', 'abc', 'PluginError: Db.badDetails failed']);
    expect(requests.map((request) => ({ ...request }))).toEqual([
      { kind: 'Plugin', category: 'db', action: 'query', details: { function: 'Db.query', sql: 'select', limit: 5n } },
      { kind: 'Plugin', category: 'db', action: 'tell', details: { length: 3 } },
    ]);
  });

  it('are denied unless they are granted', async () => {
    expect(await run('Db.tell("x");', [plugin])).toEqual([
      'SecurityError: Db.tell denied: the host does not permit it',
    ]);
    for (const constraints of [
      { f: () => 1 },
      { deep: { a: 1 } },
      {
        get x(): never {
          throw new Error('secret');
        },
      },
      [1],
      'x',
    ]) {
      expect(await run('Db.tell("x");', [plugin], { permissions: () => PluginGrant(constraints as never) })).toEqual([
        'SecurityError: Db.tell denied: the host does not permit it',
      ]);
    }
  });

  it('hold where the call cannot wait', async () => {
    const script = await load('export string ask() { return Db.tell("x"); }', [plugin], {
      permissions: () => PluginGrant({}),
    });
    expect(() => script.callSync('ask')).toThrow(HostError);
    expect((await script.call('ask')).value).toBe('x');
  });
});

describe('a plugin that calls back (attack 151)', () => {
  const state: { instance: ScriptInstance | null; script: Script | null; caught: unknown[] } = {
    instance: null,
    script: null,
    caught: [],
  };
  const plugin = defineModule({
    name: 'P',
    functions: {
      'string sync(string text)': () => String(state.instance!.callSync('inner').value),
      'string soon(string text)': async () => String((await state.instance!.call('inner')).value),
      'string other(string text)': async () => String((await state.script!.call('inner')).value),
      'double number(double x)': () => Number(state.instance!.callSync('inner').value),
    },
  });
  const text =
    'export string inner() { return "inner"; } export string outer(string how) { ' +
    'if (how == "sync") return P.sync(""); if (how == "soon") return P.soon(""); ' +
    'if (how == "other") return P.other(""); return `${P.number(1.0)}`; }';

  it.each(['sync', 'soon', 'number'])('into the instance that calls it is refused: %s', async (how) => {
    const lines: string[] = [];
    state.script = await load(text, [plugin], { log: (line) => lines.push(line) });
    state.instance = state.script.instance();
    await expect(state.instance.call('outer', how)).rejects.toMatchObject({
      name: 'PluginError',
      message: `P.${how} failed`,
    });
    expect(lines).toEqual([expect.stringContaining('HostError: this instance is in a call already')]);
    expect((await state.instance.call('inner')).value).toBe('inner');
  });

  it.each(['result', 'resultText', 'forEach', 'iterator'] as const)(
    'and waits for its own run is refused: %s',
    async (how) => {
      const lines: string[] = [];
      const runs: ReturnType<Script['run']>[] = [];
      const wait = async (): Promise<void> => {
        const [own] = runs;
        if (how === 'forEach') await own!.forEach(() => {});
        else if (how === 'iterator') for await (const value of own!) void value;
        else await own![how];
      };
      const waiting = defineModule({ name: 'P', functions: { 'void f()': { async: true, call: wait } } });
      const script = await load('yield 1; P.f(); return 2;', [waiting], { log: (line) => lines.push(line) });
      runs.push(script.run());
      await expect(runs[0]!.result).rejects.toMatchObject({ name: 'PluginError', message: 'P.f failed' });
      expect(lines).toEqual([
        'P.f failed: HostError: this run waits for the plugin that asks for it: ' +
          'a plugin cannot wait for the run that called it',
      ]);
    },
  );

  it('into another instance is served', async () => {
    state.script = await load(text, [plugin]);
    expect((await state.script.call('outer', 'other')).value).toBe('inner');
  });
});

describe('a module', () => {
  const version = (signature: string, more: object = {}): unknown =>
    defineModule({ name: 'P', types: ['type Q { int a; }'], functions: { [signature]: { call: () => 1, ...more } } });
  const calling = 'yield P.f(1);';

  it('runs with the plugin that it was compiled against alone', async () => {
    const wasm = await build(calling, [version('int f(int n)')]);
    await expect(loadScript(wasm, { plugins: [version('int f(int n)')] })).resolves.toBeDefined();
    await expect(loadScript(wasm)).rejects.toThrow(
      'this module calls f of the plugin P, which is not among its plugins',
    );
    const refused: readonly (readonly [plugin: unknown, present: string])[] = [
      [version('double f(int n)'), 'has "double P.f(int n)"'],
      [version('int f(int n, int more = 1)'), 'has "int P.f(int n, int more = 1)"'],
      [version('int f(int n)', { async: true }), 'has "async int P.f(int n)"'],
      [version('int f(int n)', { permission: 'a:b' }), 'has "int P.f(int n) with the permission a:b"'],
      [version('int g(int n)'), 'has no f'],
    ];
    for (const [plugin, present] of refused) {
      const message =
        'this module was compiled against another version of the plugin P: it calls "int P.f(int n)", ' +
        `and the plugin here ${present}. Compile the script again with this plugin`;
      await expect(loadScript(wasm, { plugins: [plugin] })).rejects.toThrow(new HostError(message));
    }
  });

  it('is refused where a type of the plugin has changed', async () => {
    const of = (type: string): unknown =>
      defineModule({ name: 'P', types: [type], functions: { 'Q f()': () => ({ a: 1, b: 2 }) } });
    const wasm = await build('yield P.f().a;', [of('type Q { int a; }')]);
    await expect(loadScript(wasm, { plugins: [of('type Q { int a; int b; }')] })).rejects.toThrow(
      'it calls "Q P.f() where type Q { int a; }", and the plugin here has "Q P.f() where type Q { int a; int b; }"',
    );
  });

  it('calls for plugins that are right', async () => {
    const wasm = await build(calling, [version('int f(int n)')]);
    await expect(loadScript(wasm, { plugins: [{}] })).rejects.toThrow(HostError);
    class Broken {
      f(): number {
        return 1;
      }
      constructor() {
        throw new Error('no database');
      }
    }
    const { ScriptFunction, ScriptModule } = await import('../../runtime-host/api/node.ts');
    ScriptFunction('int f(int n)')(Broken.prototype, 'f', Object.getOwnPropertyDescriptor(Broken.prototype, 'f'));
    ScriptModule('P')(Broken);
    await expect(loadScript(wasm, { plugins: [Broken] })).rejects.toThrow(
      'the plugin P cannot be made: Error: no database',
    );
  });
});
