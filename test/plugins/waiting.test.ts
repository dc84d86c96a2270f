// Runs that end while they wait for a plugin, here and in workers: nothing that a plugin does, or never does, holds a
// run.

import { afterEach, describe, expect, it } from 'vitest';
import { AbortError, defineModule, Granted, HostError, PluginGrant } from '../../runtime-host/api/node.ts';
import type { PluginContext, Script, ScriptInstance, ScriptOptions } from '../../runtime-host/api/node.ts';
import { load as loadHere } from './compiling.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const busy = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/** What has become of a promise that a function never keeps. */
function silent(): {
  readonly plugin: unknown;
  readonly called: Promise<void>;
  readonly signal: () => AbortSignal;
  readonly reject: (error: unknown) => void;
} {
  const { promise: called, resolve } = Promise.withResolvers<void>();
  const { promise: answer, reject } = Promise.withResolvers<string>();
  let signal: AbortSignal | null = null;
  const plugin = defineModule({
    name: 'P',
    functions: {
      'string never(string text)': {
        async: true,
        call: (_text: string, context: PluginContext) => {
          signal = context.signal;
          resolve();
          return answer;
        },
      },
    },
  });
  return { plugin, called, signal: () => signal!, reject };
}

describe.each<NonNullable<ScriptOptions['isolation']>>(['none', 'worker'])('isolation %s', (isolation) => {
  const load = (text: string, plugins: readonly unknown[], options: ScriptOptions = {}): Promise<Script> =>
    loadHere(text, plugins, { isolation, workerUrl, ...options });

  it('abort ends a run that waits for a plugin, whatever the plugin does later', async () => {
    const { plugin, called, signal, reject } = silent();
    const run = (await load('try { P.never("x"); } catch (e) { yield e; } yield 2;', [plugin])).run();
    const { result } = run;
    await called;
    expect(signal().aborted).toBe(false);
    run.abort();
    await expect(result).rejects.toBeInstanceOf(AbortError);
    expect(signal().aborted).toBe(true);
    reject(new Error('too late'));
    await pause(5);
  });

  it('the time limit ends a run that waits for a plugin', async () => {
    const { plugin } = silent();
    await expect(
      (await load('P.never("x");', [plugin], { limits: { timeMs: 50 } })).run().result,
    ).rejects.toMatchObject({ name: 'TimeoutError' });
    const instance = (
      await load('export string f() { return P.never("x"); }', [plugin], { limits: { timeMs: 50 } })
    ).instance();
    await expect(instance.call('f')).rejects.toMatchObject({ name: 'TimeoutError' });
    instance.close();
  });

  it("the time that a plugin takes is the script's, that of a permission is not", async () => {
    const plugin = defineModule({
      name: 'P',
      functions: {
        'string work(string text)': () => (busy(40), 'done'),
        'double number(double x)': (x: number) => (busy(40), x),
        'string ask(string text)': { permission: 'a:b', call: () => 'asked' },
      },
    });
    const options: ScriptOptions = { limits: { timeMs: 60 }, permissions: () => pause(300).then(() => Granted) };
    const script = await load(
      'yield P.ask(""); yield P.ask(""); for (int i = 0; i < 100; i++) P.work(""); yield "end";',
      [plugin],
      options,
    );
    const seen: unknown[] = [];
    await expect(script.run().forEach((value) => void seen.push(value))).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'this run may not take longer than 60 ms',
    });
    expect(seen).toEqual(['asked', 'asked']);
    if (isolation === 'worker')
      await expect(
        (await load('for (int i = 0; i < 100000; i++) P.number(1.0);', [plugin], options)).run().result,
      ).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('a plugin may end the run that calls it', async () => {
    const runs: ReturnType<Script['run']>[] = [];
    const plugin = defineModule({
      name: 'P',
      functions: {
        'double number(double x)': (x: number) => (runs[0]!.abort(), x),
        'string text(string s)': (s: string) => (runs[0]!.abort(), s),
      },
    });
    for (const call of ['P.number(1.0)', 'P.text("a")']) {
      const script = await load(`while (true) yield ${call};`, [plugin]);
      runs[0] = script.run();
      await expect(runs[0].result).rejects.toBeInstanceOf(AbortError);
    }
  });

  it('the signal tells of a run that failed, and of an instance that was closed', async () => {
    const signals: AbortSignal[] = [];
    const plugin = defineModule({
      name: 'P',
      functions: { 'void keep()': { async: true, call: ({ signal }: PluginContext) => void signals.push(signal) } },
    });
    const script = await load(
      'export void keep() { P.keep(); } main(boolean fails) { P.keep(); if (fails) throw "own"; }',
      [plugin],
    );
    await script.run({ fails: false }).result;
    await expect(script.run({ fails: true }).result).rejects.toThrow('own');
    const instance = script.instance();
    await instance.call('keep');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    instance.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, true]);
  });

  it.each(['result', 'forEach', 'iterator'] as const)(
    'a plugin that waits for its own run is refused: %s',
    async (how) => {
      const lines: string[] = [];
      const runs: ReturnType<Script['run']>[] = [];
      const wait = async (): Promise<void> => {
        if (how === 'forEach') await runs[0]!.forEach(() => {});
        else if (how === 'iterator') for await (const value of runs[0]!) void value;
        else await runs[0]!.result;
      };
      const script = await load(
        'yield 1; P.f();',
        [defineModule({ name: 'P', functions: { 'void f()': { async: true, call: wait } } })],
        { log: (line) => lines.push(line) },
      );
      runs.push(script.run());
      await expect(runs[0]!.result).rejects.toMatchObject({ name: 'PluginError', message: 'P.f failed' });
      expect(lines).toEqual([
        'P.f failed: HostError: this run waits for the plugin that asks for it: ' +
          'a plugin cannot wait for the run that called it',
      ]);
    },
  );

  it('a plugin that calls back into its instance is refused, into another it is served', async () => {
    const state: { instance: ScriptInstance | null; script: Script | null } = { instance: null, script: null };
    const plugin = defineModule({
      name: 'P',
      functions: {
        'string own(string text)': async () => String((await state.instance!.call('inner')).value),
        'string sync(string text)': () => String(state.instance!.callSync('inner').value),
        'string other(string text)': async () => String((await state.script!.call('inner')).value),
      },
    });
    const lines: string[] = [];
    state.script = await load(
      'export string inner() { return "inner"; } export string own() { return P.own(""); } ' +
        'export string sync() { return P.sync(""); } export string other() { return P.other(""); }',
      [plugin],
      { log: (line) => lines.push(line) },
    );
    state.instance = state.script.instance();
    await expect(state.instance.call('own')).rejects.toMatchObject({ name: 'PluginError', message: 'P.own failed' });
    await expect(state.instance.call('sync')).rejects.toMatchObject({ name: 'PluginError', message: 'P.sync failed' });
    expect((await state.instance.call('other')).value).toBe('inner');
    expect(lines).toEqual([
      expect.stringContaining('HostError: this instance is in a call already'),
      expect.stringContaining('P.sync failed: HostError'),
    ]);
    state.instance.close();
  });

  it('runs at once have their own answers', async () => {
    const plugin = defineModule({
      name: 'P',
      functions: {
        'string echo(string text)': async (text: string) => pause(Math.random() * 5).then(() => text),
        'int twice(int n)': (n: bigint) => 2n * n,
      },
    });
    const script = await load('main(int n) { for (int i = 0; i < 10; i++) yield P.echo(`${n}:${P.twice(i)}`); }', [
      plugin,
    ]);
    const found = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const seen: unknown[] = [];
        await script.run({ n }).forEach((value) => void seen.push(value));
        return seen;
      }),
    );
    found.forEach((seen, n) => expect(seen).toEqual(Array.from({ length: 10 }, (_, i) => `${n}:${2 * i}`)));
  });

  it('an object is made for the script, or the script is refused', async () => {
    const { ScriptFunction, ScriptModule } = await import('../../runtime-host/api/node.ts');
    class Broken {
      f(): bigint {
        return 1n;
      }
      constructor() {
        throw new Error('no database');
      }
    }
    ScriptFunction('int f()')(Broken.prototype, 'f', Object.getOwnPropertyDescriptor(Broken.prototype, 'f'));
    ScriptModule('P')(Broken);
    await expect(load('yield P.f();', [Broken])).rejects.toThrow(HostError);
    await expect(load('yield P.f();', [Broken])).rejects.toThrow('the plugin P cannot be made: Error: no database');
  });

  it("a grant is the plugin's in any place", async () => {
    const plugin = defineModule({
      name: 'P',
      functions: {
        'json told(string s)': {
          permission: 'a:b',
          call: (_s: string, { constraints }: PluginContext) => ({ ...constraints }),
        },
      },
    });
    const script = await load('return P.told("x");', [plugin], {
      permissions: () => PluginGrant({ rows: 3, names: ['a'] }),
    });
    expect(await script.run().resultText).toBe('{"rows":3,"names":["a"]}');
  });
});

describe.each([
  ['shared memory', true],
  ['messages', false],
])('a worker that is used again, by %s,', (_name, shares) => {
  const shared = globalThis.SharedArrayBuffer;
  afterEach(() => {
    globalThis.SharedArrayBuffer = shared;
  });
  const slow = defineModule({
    name: 'P',
    functions: {
      'string answer(string whose, int ms)': {
        async: true,
        call: (whose: string, ms: bigint) => pause(Number(ms)).then(() => `for ${whose}`),
      },
      'string obey(string whose, int ms)': {
        async: true,
        call: (_whose: string, _ms: bigint, { signal }: PluginContext) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('given up')));
          }),
      },
    },
  });

  it.each(['answer', 'obey'])('has nothing to do with what the run before waited for: %s', async (fn) => {
    const script = await loadHere(
      `main(string whose, int ms, boolean waits) { return waits ? P.${fn}(whose, ms) : P.answer(whose, ms); }`,
      [slow],
      { isolation: 'worker', workerUrl, limits: { timeMs: 150 } },
    );
    if (!shares) Object.assign(globalThis, { SharedArrayBuffer: undefined });
    await expect(script.run({ whose: 'one', ms: 400, waits: true }).result).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    for (const whose of ['two', 'three', 'four'])
      expect(await script.run({ whose, ms: 100, waits: false }).result).toBe(`for ${whose}`);
  });

  it('fails in words where an array was given away', async () => {
    const plugin = defineModule({
      name: 'P',
      functions: {
        'double[] xs()': () => {
          const xs = new Float64Array(3);
          structuredClone(xs.buffer, { transfer: [xs.buffer] });
          return xs;
        },
      },
    });
    const script = await loadHere('try { yield P.xs(); } catch (PluginError e) { yield e; }', [plugin], {
      isolation: 'worker',
      workerUrl,
    });
    if (!shares) Object.assign(globalThis, { SharedArrayBuffer: undefined });
    const seen: unknown[] = [];
    await script.run().forEach((value) => void seen.push(value));
    expect(seen).toEqual(['P.xs did not return a double[]']);
  });
});
