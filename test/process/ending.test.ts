// Runs in processes that are ended: at every stage, by whom, many at a time, and what is left behind of them, which is
// nothing.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AbortError, createMemoryPlatform, createPool, Granted, HostError } from '../../runtime-host/api/node.ts';
import type { ScriptError } from '../../runtime-host/api/node.ts';
import {
  begun,
  endless,
  expectedOfMany,
  exportsOptions,
  exportsText,
  manyOptions,
  manyText,
  outcomeOf,
  runOfMany,
  waitsBeyondItsTime,
} from '../worker/loading.ts';
import { load, workerUrl } from './loading.ts';
import { processesOf, settled } from './system.ts';

describe('abort', () => {
  it('ends a script that computes for ever', async () => {
    const { run, ended } = await begun(await load(endless));
    run.abort();
    expect(await ended).toBeInstanceOf(AbortError);
    await expect(run.result).rejects.toBeInstanceOf(AbortError);
  }, 60_000);

  it('ends a run that waits for its host, and what the handler says later opens nothing', async () => {
    let answer = (_granted: typeof Granted): void => {};
    const platform = createMemoryPlatform({ files: {} });
    const asked = Promise.withResolvers<void>();
    const run = (
      await load('main() { File.write("/a.txt", "written"); }', {
        platform,
        permissions: () =>
          new Promise((resolve) => {
            answer = resolve;
            asked.resolve();
          }),
      })
    ).run();
    const { result } = run;
    await asked.promise;
    run.abort();
    await expect(result).rejects.toBeInstanceOf(AbortError);
    answer(Granted);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const check = await load('main() { return File.exists("/a.txt"); }', {
      platform,
      permissions: () => Granted,
      isolation: 'none',
    });
    expect(await check.run().result).toBe(false);
  }, 60_000);

  it('ends a run at a yield, when the loop is left, and in its own consumer', async () => {
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
  }, 60_000);
});

describe('limits', () => {
  it('are those of a run elsewhere', async () => {
    for (const limits of [{ fuel: 1000 }, { outputItems: 7 }, { outputBytes: 20 }, { depthBytes: 100 }]) {
      expect(await outcomeOf('process', limits)).toStrictEqual(await outcomeOf('none', limits));
    }
  }, 60_000);

  it('leave a script the memory that it may use', async () => {
    const script = await load(
      'main() { int[][] all = []; for (int k = 0; k < 58; k++) { int[] xs = []; for (int i = 0; i < 131072; ' +
        'i++) xs.push(i); all.push(xs); } return all.length(); }',
      { limits: { memoryBytes: 64 * 2 ** 20 } },
    );
    expect(await script.run().result).toBe(58n);
  }, 60_000);

  it('are told by a module that counts, with its place', async () => {
    const script = await load(
      'main() { int[][] all = []; while (true) { int[] xs = []; for (int i = 0; i < 10000; i++) xs.push(i); ' +
        'all.push(xs); } }',
      { limits: { memoryBytes: 30_000_000 } },
    );
    await expect(script.run().result).rejects.toMatchObject({
      name: 'MemoryLimitError',
      message: 'this run may not use more memory than 30,000,000 bytes',
      frames: [{ function: 'main' }],
    });
  }, 60_000);

  it('can be raised by the owner, that of memory too', async () => {
    const requests: string[] = [];
    const script = await load(
      'main() { int[][] all = []; for (int k = 0; k < 200; k++) { int[] xs = []; for (int i = 0; i < 131072; ' +
        'i++) xs.push(i); all.push(xs); } for (int i = 0; i < 5; i++) yield i; return "done"; }',
      {
        limits: {
          memoryBytes: 2 ** 20,
          outputItems: 2,
          onLimit: async (request) => {
            requests.push(request.kind);
            return { newLimit: request.kind === 'memoryBytes' ? 2 ** 30 : request.limit + 2 };
          },
        },
      },
    );
    expect(await script.run().result).toBe('done');
    expect(requests).toEqual(['memoryBytes', 'outputItems', 'outputItems']);
  }, 60_000);

  it('of time do not count what the host and whoever iterates take', async () => {
    expect(await waitsBeyondItsTime('process')).toEqual([1n, null]);
  }, 60_000);
});

describe('calls of an instance', () => {
  it('keep its globals, and go on after an error of the script', async () => {
    const instance = (await load(exportsText, exportsOptions)).instance();
    expect((await instance.call('count')).value).toBe(1n);
    const p = { x: 3n, ds: Float64Array.of(1, 2) };
    const { value, yields } = await instance.call('both', { x: 3, ds: p.ds }, 'text');
    expect([value, yields]).toEqual([p, ['text', p]]);
    expect(Object.getPrototypeOf(value)).toBeNull();
    const failed: ScriptError = await instance.call('broken').then(
      () => expect.fail('it gave a value'),
      (error: ScriptError) => error,
    );
    expect([failed.name, failed.yields, failed.frames[0]!.function]).toEqual([
      'IndexOutOfBoundsError',
      ['before'],
      'broken',
    ]);
    expect((await instance.call('file')).value).toBe('alpha');
    expect((await instance.call('depth', 100_000)).value).toBe(100_000n);
    expect((await instance.call('count')).value).toBe(2n);
    instance.close();
    await expect(instance.call('count')).rejects.toThrow('this instance has ended (AbortError: it was closed)');
  }, 60_000);

  it('come one at a time, and end with the instance', async () => {
    const script = await load(exportsText, exportsOptions);
    expect(() => script.callSync('count')).toThrow(
      new HostError(
        'callSync cannot call count: the script runs in a process, which answers later; use call() instead',
      ),
    );
    const instance = script.instance();
    const call = instance.call('loop');
    await expect(instance.call('count')).rejects.toThrow('this instance is in a call already');
    instance.close();
    await expect(call).rejects.toThrow('it was closed');
  }, 60_000);

  it('end it where the script could not have gone on', async () => {
    const instance = (await load(exportsText, exportsOptions)).instance();
    await expect(instance.call('deep', 0)).rejects.toMatchObject({ name: 'StackOverflowError' });
    await expect(instance.call('count')).rejects.toThrow(/^this instance has ended \(StackOverflowError/);
  }, 60_000);
});

describe('a process that cannot be', () => {
  it('is said so', async () => {
    const script = await load('main() { return 1; }', { workerUrl: new URL('none.js', workerUrl) });
    await expect(script.run().result).rejects.toThrow(HostError);
    await expect(script.run().result).rejects.toThrow(
      `the file of the worker is not there: ${new URL('none.js', workerUrl).href}`,
    );
    await expect(load('main() { }', { isolation: 'thread' as 'worker' })).rejects.toThrow(
      "the option isolation is 'none', 'worker' or 'process'",
    );
  }, 60_000);
});

describe('many runs', () => {
  it('at once do not disturb each other', async () => {
    const script = await load(manyText, manyOptions);
    const found = await Promise.all(Array.from({ length: 6 }, (_, n) => runOfMany(script, n)));
    expect(found).toEqual(found.map((_, n) => expectedOfMany(n)));
  }, 60_000);

  it.runIf(process.platform === 'linux')(
    'that are ended leave nothing behind',
    async () => {
      // Three that compute for ever at the same time.
      const script = await load(endless, {
        limits: { timeMs: 60_000, memoryBytes: 2 ** 28 },
        pool: createPool({ maxWorkers: 3 }),
      });
      const held = (): { readonly processes: number; readonly descriptors: number } => ({
        processes: processesOf(process.pid).length,
        descriptors: readdirSync('/proc/self/fd').length,
      });
      await settled(() => processesOf(process.pid).length, 0);
      const before = held();
      for (let iteration = 0; iteration < 5; iteration++) {
        const runs = await Promise.all(Array.from({ length: 3 }, () => begun(script)));
        for (const { run } of runs) run.abort();
        for (const { ended } of runs) expect(await ended).toBeInstanceOf(AbortError);
      }
      expect(await settled(held, before)).toEqual(before);
    },
    120_000,
  );
});
