// Pools: how many workers there are, whose turn it is, who waits and who is refused, and how a pool ends.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import {
  AbortError,
  BusyError,
  createMemoryPlatform,
  createPool,
  Granted,
  HostError,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/node.ts';
import type { Pool, PoolOptions, Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import type { Program } from '../../runtime-host/run/execution.ts';
import { FairQueue } from '../../runtime-host/worker/fair-queue.ts';
import type { Lease } from '../../runtime-host/worker/lease.ts';
import { LongRuns } from '../../runtime-host/worker/long-runs.ts';
import type { PoolThread } from '../../runtime-host/worker/pool-thread.ts';
import { ThreadPool } from '../../runtime-host/worker/thread-pool.ts';
import { compile } from '../../src/compile.ts';
import { begun, endless, load, settled, summing, sumOf, workerUrl } from './loading.ts';

/** On a busy machine. */
const soon = { timeout: 10_000 };
describe('runs that take long', () => {
  it('leave a place to whoever came of late, and none before they are known for it', () => {
    const runs = new LongRuns();
    const [long, short] = [{}, {}];
    runs.noteRequest(long, 0);
    expect(runs.keptUntil(long, 0)).toBe(-Infinity);
    for (let at = 0; at < 8; at++) runs.noteEnd(long, 300);
    // Nobody else is there.
    expect(runs.keptUntil(long, 0)).toBe(-Infinity);
    runs.noteRequest(short, 1_000);
    runs.noteEnd(short, 1);
    runs.noteRequest(long, 5_000);
    expect(runs.keptUntil(long, 0)).toBeGreaterThan(2_000);
    expect(runs.keptUntil(long, 0)).toBeLessThanOrEqual(2_200);
    expect(runs.keptUntil(short, 0)).toBe(-Infinity);
    // It has computed so long at this moment, whatever its runs took before.
    expect(runs.keptUntil(short, 500)).toBe(7_000);
    expect(runs.keptUntil(short, 60_000)).toBe(15_000);
    for (let at = 0; at < 20; at++) runs.noteEnd(long, 1);
    expect(runs.keptUntil(long, 0)).toBe(-Infinity);
  });

  it('do not make a script wait for each of them, and have all workers where they are alone', async () => {
    await using pool = createPool({ maxWorkers: 2 });
    const options = { pool, limits: { timeMs: 300 } };
    const long = await load('main() { while (true) {} }', options);
    const short = await load('main() { return 1; }', options);
    await short.run().result;
    const flood = Array.from({ length: 20 }, () => long.run().result.catch((error: unknown) => error));
    await flood[1];
    const waits: number[] = [];
    for (let count = 0; count < 15; count++) {
      const start = performance.now();
      expect(await short.run().result).toBe(1n);
      waits.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // By turns alone it is about the time limit for each.
    expect(waits.toSorted((a, b) => a - b)[7]).toBeLessThan(100);
    await expect.poll(() => pool.stats.running, { timeout: 5_000, interval: 5 }).toBe(2);
    await pool.close();
    await Promise.all(flood);
  });
});

describe('a fair queue', () => {
  it('gives each a turn, and each its own in their order', () => {
    const queue = new FairQueue<string, string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.put(item[0]!, item);
    const taken: unknown[] = [];
    while (queue.size > 0) taken.push(queue.take());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.take()).toBeNull();
  });

  it('passes over who may have no more, without a turn lost', () => {
    const queue = new FairQueue<string, string>();
    for (const item of ['a1', 'b1', 'c1', 'a2']) queue.put(item[0]!, item);
    const notA = (caller: string): boolean => caller !== 'a';
    expect([queue.take(notA), queue.take(), queue.take(notA), queue.take(notA), queue.take(), queue.size]).toEqual([
      'b1',
      'a1',
      'c1',
      null,
      'a2',
      0,
    ]);
  });

  it('forgets what is removed, wherever it is, and takes the newest of the longest', () => {
    const queue = new FairQueue<string, number>();
    const removes = Array.from({ length: 1000 }, (_, n) => queue.put('a', n));
    queue.put('b', 2000);
    for (const [n, remove] of removes.entries()) if (n % 10 !== 0) remove();
    removes[1]!();
    expect(queue.size).toBe(101);
    expect([queue.take(), queue.take(), queue.take()]).toEqual([0, 2000, 10]);
    expect(queue.takeFromLongest()).toBe(990);
    removes[990]!();
    const rest: (number | null)[] = [];
    while (queue.size > 0) rest.push(queue.take());
    expect(rest).toEqual(Array.from({ length: 97 }, (_, n) => 20 + 10 * n));
    expect(queue.takeFromLongest()).toBeNull();
  });
});

describe('the options of a pool', () => {
  it.each<unknown>([
    { maxWorkers: 0 },
    { maxWorkers: 1.5 },
    { maxWorkers: '2' },
    { maxQueue: -1 },
    { maxProcesses: NaN },
    { idleMs: Infinity },
    { maxWaiting: null },
  ])('are held to what they are: %j', (options) => {
    expect(() => createPool(options as PoolOptions)).toThrow(HostError);
    expect(() => createPool(options as PoolOptions)).toThrow(
      `${Object.keys(options as object)[0]}: the options of a pool are whole numbers, maxWorkers of at least 1,`,
    );
  });

  it('are those that there are', () => {
    expect(() => createPool({ maxWorker: 2 } as PoolOptions)).toThrow(
      new HostError('there is no option maxWorker: did you mean maxWorkers?'),
    );
    expect(() => createPool({ size: 2 } as PoolOptions)).toThrow(
      'there is no option size: there are maxWorkers, maxWaiting, ',
    );
  });

  it('are own properties of a plain object', () => {
    expect(() =>
      createPool({
        get maxWorkers() {
          return 1;
        },
      }),
    ).toThrow('maxWorkers is a getter');
    expect(() => createPool(7 as PoolOptions)).toThrow(HostError);
    expect(createPool(Object.create(null) as PoolOptions).stats).toEqual({
      workers: 0,
      processes: 0,
      idle: 0,
      running: 0,
      waiting: 0,
      queued: 0,
      served: 0,
      refused: 0,
      started: 0,
      replaced: 0,
    });
  });

  it('may keep workers for longer than a timer can wait', async () => {
    await using pool = createPool({ maxWorkers: 1, idleMs: Number.MAX_SAFE_INTEGER });
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    await (await load('main() { }', { pool })).run().result;
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('warning', note);
    expect(warnings).toEqual([]);
    expect(pool.stats.idle).toBe(1);
  });

  it('go with scripts in workers and processes, and with pools alone', async () => {
    await expect(load(endless, { isolation: 'none', pool: createPool() })).rejects.toThrow(
      "the option pool goes with isolation: 'worker' or 'process'",
    );
    for (const pool of [{}, { maxWorkers: 2 }, null, 'pool'])
      await expect(load(endless, { pool: pool as Pool })).rejects.toThrow(
        'the option pool is a pool that createPool() made, and that is not closed',
      );
    await expect(load(endless, { trusted: 1 as never })).rejects.toThrow('the option trusted is true or false');
  });
});

describe('a pool', () => {
  it('has no more workers than it may, and gives every run one', async () => {
    await using pool = createPool({ maxWorkers: 2 });
    const script = await load(summing, { pool });
    const most = { workers: 0, running: 0 };
    const runs = Array.from({ length: 60 }, async (_, n) => {
      expect(await script.run({ n }).result).toBe(sumOf(n));
      most.workers = Math.max(most.workers, pool.stats.workers);
      most.running = Math.max(most.running, pool.stats.running);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(pool.stats.queued).toBe(58);
    await Promise.all(runs);
    expect(most).toEqual({ workers: 2, running: 2 });
    expect(pool.stats).toMatchObject({
      workers: 2,
      idle: 2,
      running: 0,
      queued: 0,
      served: 60,
      started: 2,
      replaced: 0,
      refused: 0,
    });
  });

  it('has as many workers as there are cores, if it is told nothing', async () => {
    await using pool = createPool();
    const script = await load(summing, { pool });
    await Promise.all(Array.from({ length: 8 * availableParallelism() }, (_, n) => script.run({ n }).result));
    expect(pool.stats.workers).toBe(availableParallelism());
  });

  it('lets its workers serve any script', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const scripts = await Promise.all(
      Array.from({ length: 5 }, (_, n) => load(`int x = ${n}; main() { x++; return x; }`, { pool })),
    );
    for (let iteration = 0; iteration < 3; iteration++)
      for (const [n, script] of scripts.entries()) expect(await script.run().result).toBe(BigInt(n + 1));
    expect(pool.stats).toMatchObject({ served: 15, started: 1 });
  });

  it('lets a worker forget the modules that it ran longest ago', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const { artifact } = await compile('test.slu', 'main(int n) { return n * 2; }');
    const scripts = await Promise.all(
      Array.from({ length: 150 }, () => loadScript(artifact!.wasm, { isolation: 'worker', workerUrl, pool })),
    );
    for (const turns of [scripts, scripts, scripts.toReversed()])
      for (const [n, script] of turns.entries()) expect(await script.run({ n }).result).toBe(BigInt(n * 2));
    expect(pool.stats).toMatchObject({ served: 450, started: 1 });
  });

  it('is fair between the scripts that share it', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const [many, few] = [await load(summing, { pool }), await load(summing, { pool })];
    const order: string[] = [];
    const note =
      (who: string) =>
      async (run: ReturnType<Script['run']>): Promise<void> => {
        await run.result;
        order.push(who);
      };
    const runs = [
      ...Array.from({ length: 30 }, (_, n) => many.run({ n })).map(note('many')),
      ...[many, few, few].map((script, n) => note(script === few ? 'few' : 'many')(script.run({ n }))),
    ];
    await Promise.all(runs);
    expect(order.slice(0, 5).filter((who) => who === 'few')).toEqual(['few', 'few']);
  });

  it('refuses what is beyond its queue, and first the script that has most waiting', async () => {
    await using pool = createPool({ maxWorkers: 1, maxQueue: 3 });
    const [many, few, busy] = [
      await load(summing, { pool }),
      await load(summing, { pool }),
      await load(endless, { pool }),
    ];
    const { run, ended } = await begun(busy);
    const ofMany = Array.from({ length: 5 }, (_, n) => settled(many.run({ n }).result));
    const refusal = await ofMany[4];
    expect(refusal).toBeInstanceOf(BusyError);
    expect((refusal as Error).message).toBe(
      'the pool is busy: 3 others wait for a worker already. Try again later, or let more of them wait with the ' +
        'option maxQueue of createPool()',
    );
    const ofFew = settled(few.call('none' as never));
    expect(await ofFew).toBeInstanceOf(ScriptError);
    const waiting = settled(few.run({ n: 1 }).result);
    expect(await ofMany[2]).toBeInstanceOf(BusyError);
    expect(pool.stats).toMatchObject({ queued: 3, refused: 3 });
    run.abort();
    expect(await ended).toBeInstanceOf(AbortError);
    expect(await Promise.all([ofMany[0], ofMany[1], waiting])).toEqual([
      { value: sumOf(0) },
      { value: sumOf(1) },
      { value: sumOf(1) },
    ]);
  });

  it('refuses at once where nobody may wait', async () => {
    await using pool = createPool({ maxWorkers: 1, maxQueue: 0 });
    const script = await load('main() { return 7; } export int f() { return 8; }', { pool });
    const results = await Promise.all([script.run().result, settled(script.run().result), settled(script.call('f'))]);
    expect(results[0]).toBe(7n);
    expect(results.slice(1).every((error) => error instanceof BusyError)).toBe(true);
    expect((await script.call('f')).value).toBe(8n);
  });

  it('refuses nobody who waits for one that is being ended', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 0, maxQueue: 0 });
    const [busy, foreign] = [
      await load(endless, { pool }),
      await load('main() { return 7; }', { pool, trusted: false }),
    ];
    for (let iteration = 0; iteration < 3; iteration++) {
      const { run, ended } = await begun(busy);
      run.abort();
      await ended;
      expect(await foreign.run().result).toBe(7n);
    }
    expect(pool.stats).toMatchObject({ refused: 0, replaced: 6 });
  });

  it('refuses who has waited for too long, and says what the others do', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 0, maxQueueMs: 100 });
    const [computes, reads, small] = [
      await load(endless, { pool }),
      await load('main() { yield 1; yield 2; }', { pool }),
      await load('main() { return 7; }', { pool }),
    ];
    const { run, ended } = await begun(computes);
    expect(await settled(small.run().result)).toEqual(
      new BusyError(
        'the pool is busy: no worker has come free within 100 ms. Try again later, ' +
          'or let it wait for longer with the option maxQueueMs of createPool()',
      ),
    );
    run.abort();
    await ended;
    const iterator = reads.run()[Symbol.asyncIterator]();
    await iterator.next();
    expect(await settled(small.run().result)).toEqual(
      new BusyError(
        'the pool is busy: no worker has come free within 100 ms. The script of each worker waits for its host, ' +
          'its reader or its next call: if these wait for other runs of this pool, give those a pool of their own',
      ),
    );
    expect(pool.stats).toMatchObject({ refused: 2, queued: 0 });
    await iterator.return();
    expect(await small.run().result).toBe(7n);
  });

  it('counts the time of a run from its start', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const script = await load('main() { int start = Date.now(); while (Date.now() - start < 60) { } return "done"; }', {
      pool,
      limits: { timeMs: 400 },
    });
    const start = performance.now();
    const results = await Promise.all(Array.from({ length: 12 }, () => script.run().result));
    expect(results).toEqual(Array.from({ length: 12 }, () => 'done'));
    expect(performance.now() - start).toBeGreaterThan(700);
  });

  it('ends no run whose end has been told while its owner was busy', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const script = await load(
      'main() { yield 1; int start = Date.now(); while (Date.now() - start < 20) { } return 2; }',
      { pool, limits: { timeMs: 500 } },
    );
    const run = script.run();
    await run.forEach(
      () =>
        void setImmediate(() => {
          const start = performance.now();
          while (performance.now() - start < 1_500);
        }),
    );
    expect(await run.result).toBe(2n);
  });

  it('gives up those that are aborted or closed while they wait', async () => {
    await using pool = createPool({ maxWorkers: 1 });
    const script = await load(`${endless} export int one() { return 1; }`, { pool });
    const { run, ended } = await begun(script);
    const [queued, instance] = [script.run(), script.instance()];
    const [result, call] = [settled(queued.result), settled(instance.call('one'))];
    queued.abort();
    instance.close();
    expect(await result).toBeInstanceOf(AbortError);
    expect(String(await call)).toBe('AbortError: it was closed');
    expect(pool.stats.queued).toBe(0);
    run.abort();
    await ended;
    expect((await script.call('one')).value).toBe(1n);
  });
});

it('serves node:http as docs/host.md has it', async () => {
  const [, section] = readFileSync(new URL('../../docs/host.md', import.meta.url), 'utf8').split('## A service\n');
  const [, lines] = /```js\n([^]*?)```/.exec(section!)!;
  const served =
    `${lines!.replace('.listen(8080)', '.listen(0, function () { console.log(this.address().port); })')}\n` +
    `process.stdin.on('end', () => process.exit()).resume();`;
  const host = spawn(process.execPath, ['--input-type=module', '-e', served], {
    cwd: new URL('../../', import.meta.url),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(host.stdout, 'data')) as [Buffer];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => (await fetch(`http://127.0.0.1:${String(port).trim()}/${n}`)).text()),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => `you asked for /${n}`));
  } finally {
    host.stdin.end();
    await once(host, 'exit');
  }
}, 60_000);

describe('the threads of a pool', () => {
  /** One that does nothing but to end in some way. */
  const threadThat = (end: PoolThread['end']): PoolThread => ({
    mailbox: null,
    isAlive: true,
    has: () => false,
    open: () => ({ id: 0, program: null, forget: [] }),
    rest: () => true,
    post: () => {},
    listen: () => {},
    keepAlive: () => {},
    end,
  });

  it('are as many as there may be, those that are being ended included', async () => {
    const alive = new Set<object>();
    const over: (() => void)[] = [];
    let most = 0;
    const start = (): PoolThread => {
      const thread = {};
      alive.add(thread);
      most = Math.max(most, alive.size);
      return threadThat(
        () =>
          new Promise<void>((resolve) =>
            over.push(() => {
              alive.delete(thread);
              resolve();
            }),
          ),
      );
    };
    const threads = new ThreadPool({
      what: 'worker',
      mostComputing: 2,
      most: 3,
      mostQueued: 100,
      mostQueuedMs: null,
      idleMs: 1_000,
      context: null,
    });
    const enter = (kind: string): Promise<Lease> =>
      threads.enter({ caller: {}, program: {} as Program, isForeign: false, kind, startsAhead: false, start }).lease;
    let granted = 0;
    const count = (lease: Lease): Lease => {
      granted += 1;
      return lease;
    };
    const first = await Promise.all([enter('a'), enter('a')]);
    for (const lease of first) lease.release(false);
    const next = Promise.all(['a', 'a', 'b', 'b', 'c'].map((kind) => enter(kind).then(count)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect({ granted, queued: threads.stats.queued, alive: alive.size }).toEqual({ granted: 1, queued: 4, alive: 3 });
    void next.catch(() => {});
    over.splice(0).forEach((end) => end());
    await expect.poll(() => granted, soon).toBe(2);
    expect(most).toBe(3);
    const closing = threads.close(new AbortError('over'));
    await expect(next).rejects.toThrow('over');
    const ends = setInterval(() => over.splice(0).forEach((end) => end()), 5);
    await closing;
    clearInterval(ends);
    expect([most, alive.size]).toEqual([3, 0]);
  });

  it.each([0.06, 0.08, 0.1, 0.12, 0.14, 0.16])(
    'are there for others once a script has waited, though a request comes %d ms before that',
    async (before) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
      // Each look at the clock takes a while.
      let [time, step] = [1_000, 0];
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += step));
      try {
        const [what, context] = ['worker', null];
        const counts = { mostComputing: 1, most: 3, mostQueued: 100, mostQueuedMs: null, idleMs: 60_000 };
        const threads = new ThreadPool({ what, context, ...counts });
        const request = {
          program: {} as Program,
          isForeign: false,
          kind: 'a',
          startsAhead: false,
          start: () => threadThat(() => Promise.resolve()),
        };
        const enter = (): Promise<Lease> => threads.enter({ ...request, caller: {} }).lease;
        let granted = 0;
        (await enter()).setWaiting(true);
        const others = [enter().then(() => (granted += 1))];
        [time, step] = [1_025 - before, 0.04];
        others.push(enter().then(() => (granted += 1)));
        [time, step] = [2_000, 0];
        await vi.advanceTimersByTimeAsync(1_000);
        expect(granted).toBe(1);
        const ends = Promise.allSettled(others);
        await threads.close(new AbortError('over'));
        await ends;
      } finally {
        clock.mockRestore();
        vi.useRealTimers();
      }
    },
  );

  it('make place for others that are needed, where those without work are of no use', async () => {
    await using pool = createPool({ maxWorkers: 1, maxWaiting: 0 });
    const [one, script, other] = [
      await load('main() { return 7; }', { pool }),
      await load('main() { return 9; }', { pool, workerUrl: new URL('?one', workerUrl) }),
      await load('main() { return 8; }', { pool, workerUrl: new URL('?other', workerUrl) }),
    ];
    for (let iteration = 0; iteration < 2; iteration++)
      expect(await Promise.all([one, script, other].map((each) => each.run().result))).toEqual([7n, 9n, 8n]);
    expect(pool.stats.workers).toBe(1);
  });

  it('keep the process alive while somebody is in their queue', async () => {
    const { artifact } = await compile('test.slu', 'main() { yield 1; yield 2; }');
    const text = `
      import { createPool, loadScript } from ${JSON.stringify(new URL('../../dist/runtime-host/api/node.js', import.meta.url).href)};
      const script = await loadScript(Buffer.from(process.argv[1], 'base64'), { isolation: 'worker', trusted: true, pool: createPool({ maxWorkers: 1, maxWaiting: 0 }) });
      for await (const value of script.run()) {
        console.log(value);
        await script.run().result;
      }`;
    const host = spawn(
      process.execPath,
      ['--input-type=module', '-e', text, Buffer.from(artifact!.wasm).toString('base64')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      expect(String(await once(host.stdout, 'data'))).toBe('1n\n');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect([host.exitCode, host.signalCode]).toEqual([null, null]);
    } finally {
      host.kill();
    }
  }, 30_000);
});

describe('the end of a pool', () => {
  it('ends runs that compute, wait and are queued, and instances', async () => {
    const pool = createPool({ maxWorkers: 1 });
    const options: ScriptOptions = {
      pool,
      platform: createMemoryPlatform({ files: {} }),
      permissions: () => new Promise(() => {}),
    };
    const script = await load(
      `${endless} export int one() { return 1; } export string ask() { return Env.get("A"); }`,
      options,
    );
    const instance = script.instance();
    expect((await instance.call('one')).value).toBe(1n);
    const asks = settled(script.call('ask'));
    await expect.poll(() => pool.stats.waiting, soon).toBe(2);
    const { ended } = await begun(script);
    const queued = [settled(script.run().result), settled(script.call('one'))];
    await pool.close();
    expect(pool.stats).toMatchObject({ workers: 0, processes: 0, idle: 0, running: 0, queued: 0 });
    for (const error of await Promise.all([ended, asks, ...queued]))
      expect(error).toEqual(new AbortError('the pool of this run was closed'));
    await expect(instance.call('one')).rejects.toThrow(
      'this instance has ended (AbortError: the pool of this run was closed)',
    );
    for (const late of [script.run().result, script.call('one')])
      await expect(late).rejects.toThrow(new HostError('this pool is closed: make another with createPool()'));
    await expect(load(endless, options)).rejects.toThrow('that is not closed');
    await pool.close();
  });

  it('ends one that is given a worker in that moment', async () => {
    const pool = createPool({ maxWorkers: 1 });
    const script = await load(summing, { pool });
    const result = settled(script.run({ n: 1 }).result);
    const closing = pool.close();
    expect(await result).toBeInstanceOf(AbortError);
    await closing;
    expect(pool.stats.workers).toBe(0);
  });

  it('comes from within a run, too', async () => {
    const pool = createPool({ maxWorkers: 1 });
    const script = await load('main() { return Env.get("A"); }', {
      pool,
      permissions: () => {
        void pool.close();
        return Granted;
      },
    });
    await expect(script.run().result).rejects.toBeInstanceOf(AbortError);
    await pool.close();
  });

  it('ends processes', async () => {
    const pool = createPool({ maxWorkers: 1, maxProcesses: 1 });
    const script = await load(endless, { isolation: 'process', pool });
    const { ended } = await begun(script);
    const queued = settled(script.run().result);
    expect(pool.stats).toMatchObject({ processes: 1, running: 1, queued: 1, workers: 0 });
    await pool.close();
    expect([await ended, await queued]).toEqual([
      new AbortError('the pool of this run was closed'),
      new AbortError('the pool of this run was closed'),
    ]);
    expect(pool.stats.processes).toBe(0);
  }, 60_000);

  it.each(['worker', 'process'])(
    'is not needed for the process to end, and may be waited for at its end: %s',
    async (isolation) => {
      const { artifact } = await compile('test.slu', 'main() { return 7; }');
      const host = `
      import { createPool, loadScript } from ${JSON.stringify(new URL('../../dist/runtime-host/api/node.js', import.meta.url).href)};
      const bytes = Buffer.from(process.argv[1], 'base64');
      for (const closes of [true, false]) {
        const pool = createPool({ maxWorkers: 2, idleMs: 1_000_000 });
        const script = await loadScript(bytes, { isolation: '${isolation}', pool });
        const results = await Promise.all(Array.from({ length: 5 }, () => script.run().result));
        if (closes) await pool.close();
        console.log(results.join());
      }`;
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', host, Buffer.from(artifact!.wasm).toString('base64')],
        { encoding: 'utf8', timeout: 30_000 },
      );
      expect({ stdout, stderr, status }).toEqual({ stdout: '7,7,7,7,7\n7,7,7,7,7\n', stderr: '', status: 0 });
    },
    60_000,
  );
});
