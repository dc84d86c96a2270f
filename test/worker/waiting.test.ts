// Scripts of a pool that wait: for their host, for runs of the same pool, for whoever reads, for their next call.

import { describe, expect, it, vi } from 'vitest';
import { AbortError, BusyError, createPool, defineModule, Granted, loadScript } from '../../runtime-host/api/node.ts';
import type { Pool, Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { load, settled, summing, sumOf, workerUrl } from './loading.ts';

/** On a busy machine. */
const soon = { timeout: 10_000 };

describe('scripts that wait', () => {
  const asking = 'main() { return Env.get("A"); } export int one() { return 1; }';
  const environment = { A: 'alpha' };

  it('leave their turn to others, as many as may wait', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 3 });
    const answers: ((answer: typeof Granted) => void)[] = [];
    const options: ScriptOptions = {
      pool,
      environment,
      permissions: () => new Promise((resolve) => answers.push(resolve)),
    };
    const [waits, others] = [await load(asking, options), await load(asking, options)];
    const computes = await load(summing, { pool });
    const results = Array.from({ length: 3 }, () => waits.run().result);
    expect(await computes.run({ n: 3 }).result).toBe(sumOf(3));
    await expect.poll(() => answers.length, soon).toBe(3);
    expect(pool.stats).toMatchObject({ running: 3, waiting: 3 });
    // One more than may be there.
    const [fourth, fifth] = [others.run().result, waits.run().result];
    await expect.poll(() => answers.length, soon).toBe(4);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pool.stats).toMatchObject({ workers: 4, running: 4, queued: 1 });
    for (const answer of answers.splice(0)) answer(Granted);
    await expect.poll(() => answers.length, soon).toBe(1);
    answers[0]!(Granted);
    expect(await Promise.all([...results, fourth, fifth])).toEqual(Array.from({ length: 5 }, () => 'alpha'));
    await expect.poll(() => pool.stats.workers, soon).toBe(1);
  });

  it('leave the last place to other scripts, however many wait of one', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 2 });
    const waits = await load(asking, { pool, environment, permissions: () => new Promise(() => {}) });
    const ends = Array.from({ length: 5 }, () => settled(waits.run().result));
    await expect.poll(() => pool.stats, soon).toMatchObject({ running: 2, waiting: 2 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const computes = await load(summing, { pool });
    for (let n = 0; n < 3; n++) expect(await computes.run({ n }).result).toBe(sumOf(n));
    expect(pool.stats).toMatchObject({ running: 2, waiting: 2, queued: 3 });
    await pool.close();
    for (const end of await Promise.all(ends)) expect(end).toBeInstanceOf(AbortError);
  });

  it('may wait for runs of another script once all of theirs do', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 2 });
    const inner = await load(summing, { pool });
    const outer = await load(asking, {
      pool,
      environment,
      permissions: async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(await inner.run({ n: 4 }).result).toBe(sumOf(4));
        return Granted;
      },
    });
    expect(await Promise.all(Array.from({ length: 8 }, () => outer.run().result))).toEqual(
      Array.from({ length: 8 }, () => 'alpha'),
    );
  });

  it('may wait for runs of the same pool', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const inner = await load(summing, { pool });
    const outer = await load(asking, {
      pool,
      environment,
      permissions: async () => {
        expect(await inner.run({ n: 4 }).result).toBe(sumOf(4));
        return Granted;
      },
    });
    expect(await Promise.all(Array.from({ length: 3 }, () => outer.run().result))).toEqual(['alpha', 'alpha', 'alpha']);
  });

  /** As `asking`, where each answer takes another run. */
  const nested = async (pool: Pool, inner: () => Promise<unknown>): Promise<Script> =>
    load(asking, {
      pool,
      environment,
      permissions: async () => {
        // Until all others wait, too.
        await new Promise((resolve) => setTimeout(resolve, 60));
        await inner();
        return Granted;
      },
    });

  it.each([{ maxWaiting: 0 }, { maxWaiting: 1 }, { maxWaiting: 3 }])(
    'go on with the runs that their handlers wait for, though several scripts have all workers: %j',
    async (options) => {
      await using pool = createPool({ maxWorkers: 1, ...options });
      const inner = await load(summing, { pool });
      const computes = async (): Promise<void> => expect(await inner.run({ n: 4 }).result).toBe(sumOf(4));
      const outer = await Promise.all(Array.from({ length: 4 }, () => nested(pool, computes)));
      let most = 0;
      const timer = setInterval(() => (most = Math.max(most, pool.stats.workers)), 1);
      const results = await Promise.all(Array.from({ length: 12 }, (_, n) => outer[n % 4]!.run().result));
      clearInterval(timer);
      expect(results).toEqual(Array.from({ length: 12 }, () => 'alpha'));
      // One more than may be there otherwise.
      expect(most).toBe(options.maxWaiting + 2);
    },
    30_000,
  );

  it('go on so where runs wait for each other in a row, up to eight', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 1 });
    const refusals: unknown[] = [];
    const deep = async (depth: number): Promise<unknown> => {
      const script = await nested(pool, async () => {
        if (depth > 0) await deep(depth - 1).catch((error: unknown) => refusals.push(error));
      });
      return script.run().result;
    };
    expect(await Promise.all([deep(8), deep(3), deep(0)])).toEqual(['alpha', 'alpha', 'alpha']);
    expect(refusals).toEqual([]);
    expect(await deep(20)).toBe('alpha');
    expect(refusals).toEqual([
      new BusyError(
        'the pool is busy: every worker is in use, and more than 8 runs wait for this one, ' +
          'each in a handler of the one before. Where handlers wait for runs that deep, give those a pool of their own',
      ),
    ]);
  }, 30_000);

  it('do so too where plugins wait for runs, and in processes', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 0, maxProcesses: 1 });
    for (const isolation of ['worker', 'process'] as const) {
      const inner = await load(summing, { pool, isolation });
      const plugin = defineModule({
        name: 'Other',
        functions: { 'int sum()': { async: true, call: () => inner.run({ n: 4 }).result } },
      });
      const { artifact } = await compile('test.slu', 'main() { return Other.sum(); }', { plugins: [plugin] });
      const outer = await loadScript(artifact!.wasm, { isolation, workerUrl, pool, plugins: [plugin] });
      expect(await outer.run().result).toBe(sumOf(4));
    }
  }, 30_000);

  it.each([true, false])(
    'have the time for themselves that a handler takes, where memory is shared: %s',
    async (isShared) => {
      if (!isShared) vi.stubGlobal('SharedArrayBuffer', undefined);
      try {
        await using pool = createPool({ maxWorkers: 1 });
        const limits = { timeMs: 1_000 };
        const asks = await load(asking, {
          pool,
          environment,
          limits,
          permissions: () => new Promise((resolve) => setTimeout(() => resolve(Granted), 1_500)),
        });
        expect(await asks.run().result).toBe('alpha');
        const plugin = defineModule({
          name: 'Slow',
          functions: { 'int wait()': { async: true, call: () => new Promise(() => {}) } },
        });
        const { artifact } = await compile('test.slu', 'main() { return Slow.wait(); }', { plugins: [plugin] });
        const waits = await loadScript(artifact!.wasm, {
          isolation: 'worker',
          workerUrl,
          pool,
          limits,
          plugins: [plugin],
        });
        expect(await settled(waits.run().result)).toMatchObject({ name: 'TimeoutError' });
      } finally {
        vi.unstubAllGlobals();
      }
    },
  );

  it('do so for their readers, and instances for their next call', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const script = await load(
      'int calls = 0; main() { for (int i = 0; i < 3; i++) yield i; } export int count() { calls++; return calls; }',
      { pool },
    );
    const iterators = Array.from({ length: 3 }, () => script.run()[Symbol.asyncIterator]());
    const instances = Array.from({ length: 3 }, () => script.instance());
    for (let iteration = 0; iteration < 3; iteration++) {
      for (const iterator of iterators)
        expect(await iterator.next()).toEqual({ done: false, value: BigInt(iteration) });
      for (const instance of instances) expect((await instance.call('count')).value).toBe(BigInt(iteration + 1));
    }
    expect(pool.stats.running).toBe(6);
    for (const iterator of iterators) expect(await iterator.next()).toEqual({ done: true, value: undefined });
    for (const instance of instances) instance.close();
    await expect.poll(() => pool.stats, soon).toMatchObject({ workers: 1, running: 0, queued: 0 });
  });
});
