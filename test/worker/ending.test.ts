// Runs in workers that are ended: at every stage, by whom, many at a time, and what is left behind of them, which is
// nothing.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  AbortError,
  createMemoryPlatform,
  createPool,
  defineModule,
  Granted,
  HostError,
  HttpGrant,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { assemble } from '../host/module.ts';
import {
  begun,
  endless,
  expectedOfMany,
  exportsOptions,
  exportsText,
  load,
  manyOptions,
  manyText,
  outcomeOf,
  runOfMany,
  waitsBeyondItsTime,
  workerUrl,
} from './loading.ts';

describe('abort', () => {
  it('ends a script that computes for ever', async () => {
    const { run, ended } = await begun(await load(endless));
    run.abort();
    expect(await ended).toBeInstanceOf(AbortError);
    await expect(run.result).rejects.toBeInstanceOf(AbortError);
  });

  it('ends a run that has not begun, and one whose worker is only starting', async () => {
    const script = await load(endless);
    const early = script.run();
    early.abort();
    await expect(early.result).rejects.toBeInstanceOf(AbortError);
    const starting = script.run();
    const result = starting.result;
    starting.abort();
    await expect(result).rejects.toBeInstanceOf(AbortError);
  });

  it('ends a run that waits for its host, and what the handler says later opens nothing', async () => {
    let answer = (_granted: typeof Granted): void => {};
    const platform = createMemoryPlatform({ files: {} });
    const asked = Promise.withResolvers<void>();
    const script = await load('main() { File.write("/a.txt", "written"); }', {
      platform,
      permissions: () =>
        new Promise((resolve) => {
          answer = resolve;
          asked.resolve();
        }),
    });
    const run = script.run();
    const { result } = run;
    await asked.promise;
    run.abort();
    await expect(result).rejects.toBeInstanceOf(AbortError);
    answer(Granted);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const check = await loadScript(
      (await compile('t.slu', 'main() { return File.exists("/a.txt"); }')).artifact!.wasm,
      { platform, permissions: () => Granted },
    );
    expect(await check.run().result).toBe(false);
  });

  it('closes a connection that the script waits for', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const script = await load(
      `main() { return Http.get("http://127.0.0.1:${(server.address() as AddressInfo).port}/"); }`,
      { permissions: () => HttpGrant({ allowedDomains: ['127.0.0.1'] }) },
    );
    const run = script.run();
    const { result } = run;
    const socket = await connected;
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    run.abort();
    await expect(result).rejects.toBeInstanceOf(AbortError);
    await gone;
    server.close();
  });

  it('ends a run at a yield that nobody has taken, when the loop is left, and in its own consumer', async () => {
    const script = await load('main() { for (int i = 0; i >= 0; i++) yield i; }');
    const seen: unknown[] = [];
    for await (const value of script.run()) {
      seen.push(value);
      if (value === 2n) break;
    }
    expect(seen).toEqual([0n, 1n, 2n]);
    const run = script.run();
    await expect(
      run.forEach((value) => {
        if (value === 5n) run.abort();
      }),
    ).rejects.toBeInstanceOf(AbortError);
    await expect(
      script.run().forEach((value) => {
        if (value === 7n) throw new RangeError('enough');
      }),
    ).rejects.toThrow(new RangeError('enough'));
  });
});

describe('yields', () => {
  it('wait for whoever iterates', async () => {
    const asked: number[] = [];
    const script = await load('main() { for (int i = 0; i < 4; i++) { yield i; Date.now(); } }', {
      clock: () => asked.push(0),
    });
    const iterator = script.run()[Symbol.asyncIterator]();
    for (let iteration = 0; iteration < 3; iteration++) {
      expect(await iterator.next()).toEqual({ done: false, value: BigInt(iteration) });
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(asked.length).toBe(iteration);
    }
    await iterator.return();
  });

  it('do not run ahead of a consumer without end', async () => {
    const platform = createMemoryPlatform({ files: {} });
    const script = await load(
      'main() { for (int i = 0; i < 200; i++) { double[] ds = []; for (int k = 0; k < 20000; k++) ds.push(k); ' +
        'yield ds; Env.get("A"); } }',
      { platform, permissions: () => Granted },
    );
    let count = 0;
    await script.run().forEach(() => count++);
    expect(count).toBe(200);
  });
});

describe('the time limit', () => {
  it('ends a run and a call with TimeoutError, and the instance with it', async () => {
    const script = await load(`${endless} export int loop() { while (true) { } } export int one() { return 1; }`, {
      limits: { timeMs: 50 },
    });
    const run = script.run();
    await expect(run.result).rejects.toMatchObject({ name: 'TimeoutError', frames: [{ function: 'main' }] });
    await expect(run.result).rejects.toBeInstanceOf(ScriptError);
    await expect(script.call('loop')).rejects.toMatchObject({ name: 'TimeoutError' });
    const instance = script.instance();
    expect((await instance.call('one')).value).toBe(1n);
    await expect(instance.call('loop')).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(instance.call('one')).rejects.toThrow(/^this instance has ended \(TimeoutError/);
  });

  it('ends one that waits for an answer as soon as any other', async () => {
    const plugin = defineModule({
      name: 'Slow',
      functions: { 'int answer()': { async: true, call: () => new Promise<number>(() => {}) } },
    });
    const { artifact } = await compile('test.slu', 'main() { return Slow.answer(); }', { plugins: [plugin] });
    const script = await loadScript(artifact!.wasm, {
      isolation: 'worker',
      workerUrl,
      plugins: [plugin],
      limits: { timeMs: 50 },
    });
    await script.run().result.catch(() => {});
    const start = performance.now();
    await expect(script.run().result).rejects.toMatchObject({ name: 'TimeoutError' });
    // 200 ms, and what a busy machine takes.
    expect(performance.now() - start).toBeLessThan(900);
  });

  it('ends what was compiled without guards', async () => {
    const { artifact } = await compile('test.slu', endless, { guards: {} });
    expect(artifact!.manifest.guards ?? []).toEqual([]);
    const script = await loadScript(artifact!.wasm, { isolation: 'worker', workerUrl, limits: { timeMs: 50 } });
    await expect(script.run().result).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'this run may not take longer than 50 ms',
      frames: [],
    });
  });

  it('does not count what the host and whoever iterates take', async () => {
    expect(await waitsBeyondItsTime('worker')).toEqual([1n, null]);
  }, 60_000);

  it('can be raised by the owner, as other limits can', async () => {
    const requests: unknown[] = [];
    const script = await load(
      'main() { int start = Date.now(); while (Date.now() - start < 300) { } for (int i = 0; i < 5; ' +
        'i++) yield i; return "done"; }',
      {
        limits: {
          timeMs: 50,
          outputItems: 2,
          onLimit: (request) => {
            requests.push(request.kind);
            return { newLimit: request.kind === 'timeMs' ? 60_000 : request.limit + 2 };
          },
        },
      },
    );
    expect(await script.run().result).toBe('done');
    expect(requests).toEqual(['timeMs', 'outputItems', 'outputItems']);
  });

  it('is one of the limits, which hold in workers as they do here', async () => {
    for (const limits of [{ fuel: 1000 }, { outputItems: 7 }, { outputBytes: 20 }, { depthBytes: 100 }]) {
      expect(await outcomeOf('worker', limits)).toStrictEqual(await outcomeOf('none', limits));
    }
    const grows = await load(
      'main() { int[][] all = []; while (true) { int[] xs = []; for (int i = 0; i < 10000; i++) xs.push(i); ' +
        'all.push(xs); } }',
      { limits: { memoryBytes: 30_000_000 } },
    );
    await expect(grows.run().result).rejects.toMatchObject({ name: 'MemoryLimitError' });
  });

  it('is for places that there are', async () => {
    await expect(load(endless, { isolation: 'thread' as 'worker' })).rejects.toThrow(
      "the option isolation is 'none', 'worker' or 'process'",
    );
  });
});

describe('calls of an instance', () => {
  it('keep its globals, and go on after an error of the script', async () => {
    const instance = (await load(exportsText, exportsOptions)).instance();
    expect((await instance.call('count')).value).toBe(1n);
    const p = { x: 3n, ds: Float64Array.of(1, 2) };
    const { value, yields } = await instance.call('both', { x: 3, ds: p.ds }, 'text');
    expect([value, yields]).toEqual([p, ['text', p]]);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(p.ds.length).toBe(2);
    const failed: ScriptError = await instance.call('broken').then(
      () => expect.fail('it gave a value'),
      (error: ScriptError) => error,
    );
    expect(failed).toBeInstanceOf(ScriptError);
    expect([failed.name, failed.yields, failed.frames[0]!.function]).toEqual([
      'IndexOutOfBoundsError',
      ['before'],
      'broken',
    ]);
    expect((await instance.call('file')).value).toBe('alpha');
    expect((await instance.call('half', 3)).value).toBe(1.5);
    expect((await instance.call('sum', 1, 2, 3n)).value).toBe(6n);
    expect((await instance.call('count')).value).toBe(2n);
    instance.close();
    await expect(instance.call('count')).rejects.toThrow('this instance has ended (AbortError: it was closed)');
  });

  it('are refused as elsewhere', async () => {
    const script = await load(exportsText, exportsOptions);
    const here = await load(exportsText, { ...exportsOptions, isolation: 'none' });
    for (const [name, ...values] of [
      ['cuont'],
      ['half'],
      ['half', '1'],
      ['half', 1, 2, 3],
      ['both', { x: 1 }, 's'],
      ['sum', 1.5],
    ] as const) {
      const expected: Error = await here.call(name, ...values).then(
        () => expect.fail('it gave a value'),
        (error: Error) => error,
      );
      await expect(script.call(name, ...values)).rejects.toStrictEqual(expected);
    }
    expect(() => script.callSync('count')).toThrow(
      'callSync cannot call count: the script runs in a worker, which answers later; use call() instead',
    );
    expect(() => script.instance().callSync('count')).toThrow(HostError);
  });

  it('come one at a time, and end with the instance', async () => {
    const instance = (await load(exportsText, exportsOptions)).instance();
    const call = instance.call('loop');
    await expect(instance.call('count')).rejects.toThrow('this instance is in a call already');
    instance.close();
    await expect(call).rejects.toThrow('it was closed');
    await expect(instance.call('count')).rejects.toThrow('has ended');
  });

  it('end with an instance here too', async () => {
    const asked = Promise.withResolvers<void>();
    const script = await load(exportsText, {
      ...exportsOptions,
      isolation: 'none',
      permissions: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const idle = script.instance();
    expect(idle.callSync('count').value).toBe(1n);
    idle.close();
    idle.close();
    expect(() => idle.callSync('count')).toThrow('this instance has ended (AbortError: it was closed)');
    const waiting = script.instance();
    const call = waiting.call('file');
    await asked.promise;
    waiting.close();
    await expect(call).rejects.toBeInstanceOf(AbortError);
    await expect(waiting.call('count')).rejects.toThrow('this instance has ended');
  });

  it('end it where the script could not have gone on', async () => {
    const instance = (await load(exportsText, exportsOptions)).instance();
    await expect(instance.call('deep', 0)).rejects.toMatchObject({ name: 'StackOverflowError' });
    await expect(instance.call('count')).rejects.toThrow(/^this instance has ended \(StackOverflowError/);
  });

  it('go deeper than here', async () => {
    const script = await load(exportsText, exportsOptions);
    expect((await script.call('depth', 100_000)).value).toBe(100_000n);
  });
});

describe('a worker that cannot be', () => {
  it('is said so', async () => {
    const script = await load('main() { return 1; }', { workerUrl: new URL('none.js', workerUrl) });
    await expect(script.run().result).rejects.toThrow('the file of the worker is not there');
    await expect(script.run().result).rejects.toThrow(new URL('none.js', workerUrl).href);
    await expect(script.run().result).rejects.toBeInstanceOf(HostError);
    for (const url of ['none.js', 'https://example.com/worker.js', 7 as never]) {
      await expect(load('main() { return 1; }', { workerUrl: url })).rejects.toMatchObject({
        name: 'HostError',
        message: `the option workerUrl is a file URL or an absolute path, not ${url}`,
      });
    }
  });
});

describe('a HostError of a run', () => {
  it.each(['worker', 'process'] as const)('has its cause, without the stack of there: %s', async (isolation) => {
    const bytes = assemble({ functions: '(table 1 funcref) (elem (i32.const 5) $main)', main: '' });
    const errorIn = async (options: ScriptOptions): Promise<HostError> =>
      (await loadScript(bytes, options)).run().result.then(
        () => expect.fail('it started'),
        (error: HostError) => error,
      );
    const [here, there] = [await errorIn({}), await errorIn({ isolation, workerUrl })];
    expect(there).toBeInstanceOf(HostError);
    expect(there.message).toBe(here.message);
    const [cause, expected] = [there.cause as Error, here.cause as Error];
    expect(expected).toBeInstanceOf(WebAssembly.RuntimeError);
    expect(String(cause)).toBe(String(expected));
    expect(cause.stack).toBe(String(expected));
  });
});

describe('many runs', () => {
  it('at once do not disturb each other', async () => {
    const script = await load(manyText, manyOptions);
    const found = await Promise.all(Array.from({ length: 20 }, (_, n) => runOfMany(script, n)));
    expect(found).toEqual(found.map((_, n) => expectedOfMany(n)));
  }, 60_000);

  describe.runIf(process.platform === 'linux')('that are ended', () => {
    /** What the process has of what the runs could leave behind. */
    const held = (): Record<string, number> => ({
      threads: Number(/^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]),
      descriptors: readdirSync('/proc/self/fd').length,
      resources: process.getActiveResourcesInfo().length,
    });
    let script: Script;
    beforeAll(async () => {
      // Four that compute for ever at the same time.
      script = await load(endless, { limits: { timeMs: 10_000 }, pool: createPool({ maxWorkers: 4, idleMs: 1_000 }) });
      // Until the workers are gone that have nothing to do.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
    });
    const killSome = async (count: number): Promise<void> => {
      const runs = await Promise.all(Array.from({ length: count }, () => begun(script)));
      for (const { run } of runs) run.abort();
      for (const { ended } of runs) expect(await ended).toBeInstanceOf(AbortError);
    };
    const settles = async (isBack: () => boolean): Promise<void> => {
      for (let iteration = 0; iteration < 100 && !isBack(); iteration++)
        await new Promise((resolve) => setTimeout(resolve, 100));
    };

    it('leave nothing behind', async () => {
      const before = held();
      await killSome(4);
      const memory = process.memoryUsage.rss();
      for (let iteration = 0; iteration < 50; iteration++) await killSome(4);
      const exceeds = (): string[] =>
        Object.entries(held())
          .filter(([name, count]) => count > before[name]!)
          .map(([name, count]) => `${name}: ${count}, was ${before[name]}`);
      await settles(() => exceeds().length === 0);
      expect(exceeds()).toEqual([]);
      // A worker takes some 10 MB: 200 that stay would take two gigabytes.
      expect(process.memoryUsage.rss() - memory).toBeLessThan(300 * 2 ** 20);
    }, 120_000);
  });
});
