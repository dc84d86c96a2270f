// What a run leaves behind: nothing that another run finds, in this thread and in a worker that serves one after the
// other, and no instance that answers when it is closed.

import { describe, expect, it } from 'vitest';
import { AbortError, defineModule, HostError, loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptInstance, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { assemble } from './module.ts';
import { load } from './scripts.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const places = ['none', 'worker'] as const;

async function valuesOf(script: Script): Promise<unknown[]> {
  const values: unknown[] = [];
  await script.run().forEach((value) => values.push(value));
  return values;
}

describe('the staging memory', () => {
  const memory = '(import "sluice" "staging" (memory 1 1))';
  /** Tells the first and last number that it finds, and the sum of all, and leaves its own everywhere. */
  const main = `(local $at i32) (local $sum i64)
    (loop $next
      (local.set $sum (i64.add (local.get $sum) (i64.load (local.get $at))))
      (i64.store (local.get $at) (i64.const 7))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 65536))))
    (call $yieldInt (local.get $sum))`;
  const bytes = assemble(
    {
      runtime: ['yieldInt'],
      imports: memory,
      functions: `(func $f ${main}) (export "direct.f" (func $f))`,
      locals: main.slice(0, main.indexOf('(loop')),
      main: main.slice(main.indexOf('(loop')),
    },
    {
      exports: [{ name: 'f', parameters: [], returns: null }],
    },
  );

  it.each(places)('holds no number of the run before: %s', async (isolation) => {
    const script = await loadScript(bytes, { isolation, workerUrl });
    for (let run = 0; run < 4; run++) expect(await valuesOf(script)).toEqual([0n]);
    for (let call = 0; call < 4; call++) expect((await script.call('f')).yields).toEqual([0n]);
    if (isolation === 'none') for (let call = 0; call < 4; call++) expect(script.callSync('f').yields).toEqual([0n]);
    expect(await valuesOf(script)).toEqual([0n]);
  });

  it("is an instance's own while others run, which wait in the midst of it", async () => {
    const waiting = await loadScript(
      assemble({
        runtime: ['yieldInt'],
        imports: memory,
        main:
          '(i64.store (i32.const 65528) (i64.const 9)) (call $yieldInt (i64.const 1)) (call $yieldInt (i64.load ' +
          '(i32.const 65528)))',
      }),
    );
    const [one, other] = [waiting.run()[Symbol.asyncIterator](), waiting.run()[Symbol.asyncIterator]()];
    const script = await loadScript(bytes);
    const instance = script.instance();
    expect([
      (await one.next()).value,
      (await other.next()).value,
      await valuesOf(script),
      (await instance.call('f')).yields,
    ]).toEqual([1n, 1n, [0n], [0n]]);
    expect([(await one.next()).value, (await other.next()).value]).toEqual([9n, 9n]);
    // An instance keeps what is its own.
    expect((await instance.call('f')).yields).toEqual([7n * 8192n]);
    instance.close();
    expect(script.callSync('f').yields).toEqual([0n]);
  });
});

describe('a closed instance', () => {
  const text =
    'int count = 0;\nexport int next() { count++; return count; }\nexport double half(double x) { return x / 2; ' +
    '}\nexport string join(string a) { return `${a}${count}`; }';
  const refused = /^this instance has ended \(AbortError: it was closed\)/;

  it.each(places)('refuses every kind of call: %s', async (isolation) => {
    const script = await load(text, { isolation, workerUrl });
    for (const begin of [
      async () => {},
      async (instance: ScriptInstance) => {
        await instance.call('next');
      },
    ]) {
      const instance = script.instance();
      await begin(instance);
      instance.close();
      instance.close();
      for (const [name, value] of [['next'], ['half', 1], ['join', 'x']] as const) {
        const values = value === undefined ? [] : [value];
        await expect(instance.call(name, ...values)).rejects.toThrow(refused);
        expect(() => instance.callSync(name, ...values)).toThrow(isolation === 'none' ? refused : HostError);
      }
    }
  });

  it('has a call that is going on rejected, and the ones after it', async () => {
    const script = await load('export int wait() { File.read("/a"); return 1; }\nexport int one() { return 1; }', {
      permissions: () => new Promise(() => {}),
    });
    const instance = script.instance();
    await instance.call('one');
    const waiting = instance.call('wait');
    await Promise.resolve();
    instance.close();
    await expect(waiting).rejects.toBeInstanceOf(AbortError);
    await expect(instance.call('one')).rejects.toThrow(refused);
  });

  it('closed by what it calls does not answer any more, even if nothing stops it on the way', async () => {
    let close = (): void => {};
    const plugin = defineModule({ name: 'P', functions: { 'void leave(double x)': () => close() } });
    const options: ScriptOptions = { plugins: [plugin] };
    const { artifact } = await compile('t.slu', 'export int f() { P.leave(1.0); return 1; }', { plugins: [plugin] });
    const instance = (await loadScript(artifact!.wasm, options)).instance();
    close = () => instance.close();
    expect(() => instance.callSync('f')).toThrow(AbortError);
    expect(() => instance.callSync('f')).toThrow(refused);
  });

  it('does so too where the module catches what was to end it', async () => {
    const main =
      '(block $b (result exnref) (try_table (catch_all_ref $b) (drop (call $get (global.get $n))) ) (return ' +
      '(i64.const 1))) drop (i64.const 2)';
    const bytes = assemble(
      {
        imports: '(import "Env" "get" (func $get (param externref) (result i32)))',
        strings: { n: 'X' },
        functions:
          `(func $f (result i64) ${main}) (export "direct.f" (func $f)) (func $g (result i64) (i64.const 5)) ` +
          '(export "direct.g" (func $g))',
        main: '',
      },
      {
        exports: [
          { name: 'f', parameters: [], returns: 'int' },
          { name: 'g', parameters: [], returns: 'int' },
        ],
        waits: ['direct.f'],
      },
    );
    const instance = (await loadScript(bytes, { permissions: () => new Promise(() => {}) })).instance();
    const waiting = instance.call('f');
    await Promise.resolve();
    instance.close();
    await expect(waiting).rejects.toBeInstanceOf(AbortError);
    await expect(instance.call('g')).rejects.toThrow(/^this instance has ended/);
  });
});

describe('what is left of a run', () => {
  it.each(places)('is no state of chance, no time and no global: %s', async (isolation) => {
    let time = 0;
    const script = await load(
      'int runs = 0;\nmain() { runs++; yield runs; yield Math.random(); yield Math.random(); yield Date.now(); }',
      { isolation, workerUrl, random: 42, clock: () => (time += 1) },
    );
    const [first, second, third] = [await valuesOf(script), await valuesOf(script), await valuesOf(script)];
    expect(second.slice(0, 3)).toEqual(first.slice(0, 3));
    expect(third.slice(0, 3)).toEqual(first.slice(0, 3));
    expect([first[3], second[3], third[3]]).toEqual([1n, 2n, 3n]);
  });

  it.each(places)('is no fuel and no output: each call of an instance has all of it: %s', async (isolation) => {
    const script = await load(
      'export int work(int iterations) { int sum = 0; for (int i = 0; i < iterations; i++) { sum += i; ' +
        'if (i % 10 == 0) yield i; } return sum; }',
      { isolation, workerUrl, limits: { fuel: 20_000, outputItems: 1_500 } },
    );
    const instance = script.instance();
    for (let call = 0; call < 4; call++) expect((await instance.call('work', 14_000)).value).toBe(97_993_000n);
    await expect(instance.call('work', 30_000)).rejects.toMatchObject({ name: 'QuotaExceededError' });
    instance.close();
  });

  it('is no value that was begun and not finished, and no failure that was not asked for', async () => {
    const bytes = assemble(
      {
        runtime: ['beginArray', 'writeInt', 'end', 'yieldValue', 'failure'],
        imports: '(import "Env" "get" (func $get (param externref) (result i32)))',
        strings: { n: 'X' },
        functions: `(func $begin (call $beginArray (i32.const 1) (i32.const 0)) (drop (call $get (global.get $n)))) (export "direct.begin" (func $begin))
        (func $one (call $writeInt (i64.const 1)) call $yieldValue) (export "direct.one" (func $one)) (func $ask (drop (call $failure))) (export "direct.ask" (func $ask))`,
        main: '',
      },
      {
        exports: ['begin', 'one', 'ask'].map((name) => ({ name, parameters: [], returns: null })),
        waits: ['direct.begin'],
      },
    );
    const instance = (await loadScript(bytes)).instance();
    await instance.call('begin');
    expect(instance.callSync('one').yields).toEqual([1n]);
    await instance.call('begin');
    expect(() => instance.callSync('ask')).toThrow(HostError);
  });

  it.each([
    ['yields', '(call $yieldInt (i64.const 1)) (i32.const 1)', '(result i32)'],
    ['calls the host', '(drop (call $get (global.get $n))) (i32.const 1)', '(result i32)'],
    ['fails', 'unreachable', '(result i32)'],
    ['gives an object', '(extern.convert_any (ref.i31 (i32.const 1)))', '(result externref)'],
  ])('is nothing that runs when its fuel is asked for: what counts it %s', async (_what, body, result) => {
    const asked: unknown[] = [];
    const seen: unknown[] = [];
    const bytes = assemble(
      {
        runtime: ['yieldInt'],
        strings: { n: 'X' },
        imports: '(import "Env" "get" (func $get (param externref) (result i32)))',
        functions: `(func $used ${result} ${body}) (export "used" (func $used))`,
        main: '(call $yieldInt (i64.const 5))',
      },
      { guards: ['use'] },
    );
    const run = (
      await loadScript(bytes, {
        limits: { fuel: 1000 },
        permissions: (request) => {
          asked.push(request);
          return undefined as never;
        },
      })
    ).run();
    await run.forEach((value) => {
      seen.push(value);
      expect(run.fuelUsed === null || typeof run.fuelUsed === 'number').toBe(true);
    });
    expect(run.fuelUsed === null || typeof run.fuelUsed === 'number').toBe(true);
    expect([seen, asked]).toEqual([[5n], []]);
  });
});
