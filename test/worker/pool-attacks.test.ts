// Attacks by way of a pool: what a run could leave for the next one in the same worker, files of workers that are none
// or of another version, floods of runs, and modules of somebody else's.

import { describe, expect, it } from 'vitest';
import {
  AbortError,
  createMemoryPlatform,
  createPool,
  Denied,
  FileGrant,
  HostError,
  loadScript,
} from '../../runtime-host/api/node.ts';
import type { Pool, Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { workerVersion } from '../../runtime-host/worker/messages.ts';
import type { FromWorker, ToWorker, WorkerThread } from '../../runtime-host/worker/messages.ts';
import { PooledWorker } from '../../runtime-host/worker/pooled-worker.ts';
import { compile } from '../../src/compile.ts';
import { assemble } from '../host/module.ts';

/** On a busy machine. */
const soon = { timeout: 10_000 };
/** The file that is shipped: it starts faster than the sources. */
const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const MiB = 2 ** 20;

async function bytesOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return artifact.wasm;
}

async function load(source: string | Uint8Array<ArrayBuffer>, options: ScriptOptions): Promise<Script> {
  return loadScript(typeof source === 'string' ? await bytesOf(source) : source, {
    isolation: 'worker',
    workerUrl,
    ...options,
  });
}

/** All that follows runs in one worker. */
async function single(work: (pool: Pool) => Promise<void>): Promise<void> {
  await using pool = createPool({ maxWorkers: 1 });
  await work(pool);
}

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('what a run leaves for the next in its worker', () => {
  it('is no global, neither of runs nor of calls', () =>
    single(async (pool) => {
      const script = await load(
        'int count = 0; json kept = {}; main() { count++; kept["run"] = count; yield kept; } export int next() { ' +
          'count++; return count; }',
        { pool },
      );
      for (let iteration = 0; iteration < 3; iteration++) {
        const seen: unknown[] = [];
        await script.run().forEach((_value, text) => seen.push(text()));
        expect(seen).toEqual(['{"run":1}']);
        expect((await script.call('next')).value).toBe(1n);
      }
      expect(pool.stats).toMatchObject({ served: 6, started: 1 });
    }));

  it('is no grant of another script, and no line of its log', () =>
    single(async (pool) => {
      const platform = createMemoryPlatform({ files: { '/a.txt': 'secret' } });
      const lines: string[][] = [[], []];
      const text = 'main() { try { return File.read("/a.txt"); } catch (SecurityError e) { return "denied"; } }';
      const granted = await load(text, {
        pool,
        platform,
        permissions: () => FileGrant({ allowedDirectories: ['/'] }),
        log: (line) => lines[0]!.push(line),
      });
      const denied = await load(text, {
        pool,
        platform,
        permissions: () => Denied('no'),
        log: (line) => lines[1]!.push(line),
      });
      const unasked = await load(text, { pool, platform });
      for (let iteration = 0; iteration < 3; iteration++) {
        expect(await granted.run().result).toBe('secret');
        expect(await denied.run().result).toBe('denied');
        expect(await unasked.run().result).toBe('denied');
      }
      expect(lines[0]).toEqual([]);
      expect(pool.stats.started).toBe(1);
    }));

  it('is no part of the row of random numbers', () =>
    single(async (pool) => {
      const script = await load(
        'main() { double[] ds = []; for (int i = 0; i < 64; i++) ds.push(Math.random()); return ds; }',
        { pool },
      );
      const drawn = new Set<number>();
      for (let iteration = 0; iteration < 20; iteration++)
        for (const number of (await script.run().result) as Float64Array) drawn.add(number);
      expect(drawn.size).toBe(20 * 64);
      // A run that has a seed has the same numbers whatever was drawn before.
      const seeded = await load('main() { return Math.random(); }', { pool, random: 5 });
      const first = await seeded.run().result;
      await script.run().result;
      expect(await seeded.run().result).toBe(first);
      expect(pool.stats.started).toBe(1);
    }));

  it(
    'is no heap: neither less memory for the next, nor more',
    () =>
      single(async (pool) => {
        const limits = { memoryBytes: 24 * MiB };
        const fills = await load(
          'main() { int[][] all = []; for (int i = 0; i < 20; i++) { int[] xs = []; for (int k = 0; k < 100000; ' +
            'k++) xs.push(k); all.push(xs); } return all.length(); }',
          { pool, limits },
        );
        const overflows = await load(
          'main() { int[][] all = []; while (true) { int[] xs = []; for (int k = 0; k < 100000; k++) xs.push(k); ' +
            'all.push(xs); } }',
          { pool, limits },
        );
        for (let iteration = 0; iteration < 4; iteration++) {
          expect(await fills.run().result).toBe(20n);
          expect(await errorOf(overflows.run().result)).toMatchObject({ name: 'MemoryLimitError' });
        }
        expect(pool.stats).toMatchObject({ served: 8, started: 1 });
      }),
    60_000,
  );

  it('is no time, fuel or output of its limits', () =>
    single(async (pool) => {
      const script = await load('main() { for (int i = 0; i < 900; i++) { } yield 1; yield 2; return 3; }', {
        pool,
        limits: { fuel: 1_000, outputItems: 2, timeMs: 5_000 },
      });
      for (let iteration = 0; iteration < 20; iteration++) expect(await script.run().result).toBe(3n);
    }));

  it('is no answer of the host that comes late', () =>
    single(async (pool) => {
      const late: ((answer: unknown) => void)[] = [];
      const asks = await load('main() { return File.read("/a.txt"); }', {
        pool,
        limits: { timeMs: 30_000 },
        platform: createMemoryPlatform({ files: { '/a.txt': 'secret' } }),
        permissions: () => new Promise((resolve) => late.push(resolve as never)),
      });
      const run = asks.run();
      const ended = errorOf(run.result);
      await expect.poll(() => late.length, soon).toBe(1);
      run.abort();
      expect(await ended).toBeInstanceOf(AbortError);
      const next = await load('main() { for (int i = 0; i < 3; i++) yield Env.get("A"); return "own"; }', {
        pool,
        environment: { A: 'alpha' },
        permissions: async () => {
          late[0]!(FileGrant({ allowedDirectories: ['/'] }));
          return FileGrant({ allowedDirectories: ['/'] });
        },
      });
      const error = await errorOf(next.run().result);
      expect(error).toMatchObject({ name: 'SecurityError' });
      expect(pool.stats).toMatchObject({ started: 2, replaced: 1 });
    }));
});

describe('modules of somebody else', () => {
  const own = 'main() { return 7; }';

  it('have a worker that runs nothing afterwards, not even the same module', () =>
    single(async (pool) => {
      const [mine, foreign] = [await load(own, { pool }), await load(assemble({ main: '' }), { pool })];
      await mine.run().result;
      // A worker that ran what was compiled here may run it.
      await foreign.run().result;
      expect(pool.stats).toMatchObject({ served: 2, replaced: 1 });
      for (let iteration = 0; iteration < 3; iteration++) await foreign.run().result;
      expect(pool.stats).toMatchObject({ served: 5, replaced: 4 });
      // One that has run nothing is there already.
      await expect.poll(() => pool.stats, soon).toMatchObject({ started: 5, workers: 1, idle: 1 });
      for (let iteration = 0; iteration < 3; iteration++) await mine.run().result;
      expect(pool.stats).toMatchObject({ started: 5, replaced: 4 });
    }));

  it('have one for the calls of an instance, which nobody has after them', () =>
    single(async (pool) => {
      const counts = await load(
        (await bytesOf('int calls = 0; export int count() { calls++; return calls; }')).slice(),
        { pool },
      );
      for (let iteration = 0; iteration < 2; iteration++) {
        const instance = counts.instance();
        for (let n = 1n; n < 4n; n++) expect((await instance.call('count')).value).toBe(n);
        instance.close();
      }
      expect(pool.stats).toMatchObject({ served: 2, replaced: 2 });
    }));

  it('are known by the bytes that the compiler gave: copies and compiled modules are not', () =>
    single(async (pool) => {
      const bytes = await bytesOf(own);
      const replacedBy = async (source: Uint8Array<ArrayBuffer>, options: ScriptOptions = {}): Promise<number> => {
        const before = pool.stats.replaced;
        for (const script of [await load(source, { pool, ...options }), await load(bytes, { pool })])
          expect(await script.run().result).toBe(7n);
        return pool.stats.replaced - before;
      };
      expect(await replacedBy(bytes)).toBe(0);
      expect(await replacedBy(bytes.slice())).toBe(1);
      expect(await replacedBy(bytes.slice(), { trusted: true })).toBe(0);
      expect(await replacedBy(bytes, { trusted: false })).toBe(1);
    }));

  it(
    'leave no memory of their own behind',
    () =>
      single(async (pool) => {
        const fills = await load(
          assemble({
            functions: '(memory 1024)',
            main: '(memory.fill (i32.const 0) (i32.const 1) (i32.const 67108864))',
          }),
          { pool },
        );
        await fills.run().result;
        const before = process.memoryUsage.rss();
        let most = 0;
        for (let iteration = 0; iteration < 15; iteration++) {
          await fills.run().result;
          most = Math.max(most, process.memoryUsage.rss() - before);
        }
        expect(pool.stats.replaced).toBe(16);
        // Of a thousand that were filled: no more than there are of workers.
        expect(most).toBeLessThan(96 * MiB);
      }),
    60_000,
  );

  it('that do what none of ours does cost their worker, trusted or not', () =>
    single(async (pool) => {
      const throws = await load(
        assemble({
          functions: '(type $t (func (param i32))) (tag $own (type $t) (param i32))',
          main: '(throw $own (i32.const 1))',
        }),
        { pool, trusted: true },
      );
      expect(await errorOf(throws.run().result)).toEqual(
        new HostError('this module does not keep to the interface of Sluice'),
      );
      expect(pool.stats).toMatchObject({ started: 1, replaced: 1, workers: 0 });
      expect(await (await load(own, { pool })).run().result).toBe(7n);
    }));

  it('that end with an error of the language do not', () =>
    single(async (pool) => {
      const fails = await load(
        'int f(int n) { return f(n + 1) + 1; } main(int how) { if (how == 0) throw "own"; if (how == 1) { ' +
          'int[] xs = []; return xs[3]; } return f(0); }',
        { pool },
      );
      for (let how = 0; how < 3; how++)
        expect(await errorOf(fails.run({ how }).result)).toMatchObject({
          name: ['Error', 'IndexOutOfBoundsError', 'StackOverflowError'][how],
        });
      expect(pool.stats).toMatchObject({ started: 1, replaced: 0 });
    }));
});

describe('a worker whose heap has grown', () => {
  /** A worker that says this of its heap. */
  function worker(heaps: number[]): {
    readonly pooled: PooledWorker;
    readonly told: string[];
    readonly say: (message: FromWorker) => void;
  } {
    const told: string[] = [];
    let take = (_message: FromWorker): void => {};
    const thread: WorkerThread = {
      post: ({ kind }: ToWorker) => {
        told.push(kind);
        if (kind === 'collect') queueMicrotask(() => take({ kind: 'collected', heapBytes: heaps.shift()! }));
      },
      listen: (onMessage) => {
        take = onMessage;
      },
      keepAlive: () => {},
      end: () => void told.push('end'),
    };
    const pooled = new PooledWorker(thread, '');
    const say = (message: FromWorker): void => take(message);
    say({ kind: 'ready', version: workerVersion, heapBytes: 5 * MiB });
    return { pooled, told, say };
  }
  const ended = (heapBytes: number): FromWorker => ({
    kind: 'ended',
    end: { kind: 'run', result: null },
    instantiateMs: 0,
    runMs: 0,
    fuelUsed: null,
    goesOn: false,
    heapBytes,
  });

  it('serves again if that was garbage, and does not otherwise', async () => {
    const { pooled, told, say } = worker([8 * MiB, 30 * MiB]);
    say(ended(20 * MiB));
    expect(pooled.rest()).toBe(true);
    expect(told).toEqual([]);
    say(ended(60 * MiB));
    expect(await pooled.rest()).toBe(true);
    say(ended(60 * MiB));
    expect(await pooled.rest()).toBe(false);
    expect(told).toEqual(['collect', 'collect']);
  });

  it('is replaced in a pool, and what it has as garbage stays bounded', () =>
    single(async (pool) => {
      const wastes = await load(
        'main() { int sum = 0; for (int i = 0; i < 100; i++) { int[] xs = []; for (int k = 0; k < 20000; ' +
          'k++) xs.push(k); sum += xs.length(); } return sum; }',
        { pool },
      );
      for (let iteration = 0; iteration < 10; iteration++) expect(await wastes.run().result).toBe(2_000_000n);
      expect(pool.stats).toMatchObject({ started: 1, replaced: 0 });
    }));
});

describe('the file of a worker', () => {
  const file = (text: string): URL =>
    new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${text}`)}`);
  const mustBe = 'must be that of sluice-host/worker, of the same version as the host';

  it.each([
    [
      'of another version',
      "parentPort.postMessage({ kind: 'ready', version: '1.0', heapBytes: null }); parentPort.on('message', () => {});",
    ],
    [
      'of a version that said nothing of itself',
      "parentPort.on('message', ({ kind }) => { if (kind !== 'open') { parentPort.postMessage({ " +
        "kind: 'begun' }); parentPort.postMessage({ kind: 'ended' }); } });",
    ],
    ['that is something else', "parentPort.postMessage('hello');"],
    ['that says nothing that can be read', 'parentPort.postMessage(null);'],
  ])('%s is refused in words', (_what, text) =>
    single(async (pool) => {
      const own = file(text);
      const name = own.href.length > 200 ? `${own.href.slice(0, 200)}…` : own.href;
      const wrong = new HostError(
        `the worker speaks otherwise than this host: its file is ${name}, as the option workerUrl says, and ${mustBe}`,
      );
      const script = await load('main() { return 7; } export int f() { return 8; }', { pool, workerUrl: own });
      expect(await errorOf(script.run().result)).toEqual(wrong);
      expect(await errorOf(script.call('f'))).toEqual(wrong);
      // The pool is none the worse for it.
      expect(await (await load('main() { return 7; }', { pool })).run().result).toBe(7n);
      expect(pool.stats).toMatchObject({ running: 0, queued: 0 });
    }),
  );

  it('that ends at once, or fails, is said so, and which it is', () =>
    single(async (pool) => {
      for (const [text, how] of [
        ['', 'it ended by itself'],
        ["throw new Error('no')", 'Error: no'],
        ["await Promise.reject(new TypeError('later'))", 'TypeError: later'],
      ] as const) {
        const own = file(text);
        expect(await errorOf((await load('main() { return 7; }', { pool, workerUrl: own })).run().result)).toEqual(
          new HostError(
            `the worker failed before it began (${how}): its file is ${own.href}, as the option workerUrl says, ` +
              `and ${mustBe}`,
          ),
        );
      }
      expect(pool.stats).toMatchObject({ running: 0, queued: 0 });
    }));

  it(
    'that says nothing is given up after seconds',
    () =>
      single(async (pool) => {
        const start = performance.now();
        const own = file("parentPort.on('message', () => {});");
        const script = await load('main() { return 7; }', { pool, workerUrl: own });
        expect(await errorOf(script.run().result)).toEqual(
          new HostError(
            `the worker does not begin: its file is ${own.href}, as the option workerUrl says, and ${mustBe}`,
          ),
        );
        // About 6 seconds, and what a busy machine takes.
        expect(performance.now() - start).toBeLessThan(30_000);
      }),
    60_000,
  );

  it(
    'that is long in beginning is waited for, also by an owner that is busy',
    () =>
      single(async (pool) => {
        const own = file(
          `const end = Date.now() + 7_000; while (Date.now() < end); await import('${workerUrl.href}');`,
        );
        const result = (await load('main() { return 7; }', { pool, workerUrl: own })).run().result;
        const busy = setInterval(() => {
          const end = performance.now() + 900;
          while (performance.now() < end);
        }, 1_000);
        try {
          expect(await result).toBe(7n);
        } finally {
          clearInterval(busy);
        }
      }),
    60_000,
  );
});

describe('a flood of runs', () => {
  it('of many scripts takes the workers that there are, and ends none of them wrongly', async () => {
    await using pool = createPool({ maxWorkers: 2 });
    const bytes = await bytesOf(
      'main(int n) { int[] xs = []; for (int i = 0; i < 2000; i++) xs.push(i * n); return xs.sum(); }',
    );
    const scripts = await Promise.all(
      Array.from({ length: 50 }, () => load(bytes, { pool, limits: { timeMs: 1_000, memoryBytes: 32 * MiB } })),
    );
    const results = await Promise.all(Array.from({ length: 1_000 }, (_, n) => scripts[n % 50]!.run({ n }).result));
    expect(results).toEqual(Array.from({ length: 1_000 }, (_, n) => BigInt(1_999_000 * n)));
    expect(pool.stats).toMatchObject({ served: 1_000, started: 2, workers: 2, replaced: 0 });
  }, 60_000);

  it('that is given up leaves nothing, in workers or before', async () => {
    await using pool = createPool({ maxWorkers: 2 });
    const script = await load('main() { while (true) { } }', { pool });
    for (let iteration = 0; iteration < 5; iteration++) {
      const runs = Array.from({ length: 20 }, () => script.run());
      const ends = runs.map((run) => errorOf(run.result));
      await new Promise((resolve) => setTimeout(resolve, 5 * iteration));
      for (const run of runs.toReversed()) run.abort();
      for (const error of await Promise.all(ends)) expect(error).toBeInstanceOf(AbortError);
      expect(pool.stats).toMatchObject({ running: 0, queued: 0 });
      expect(pool.stats.workers).toBeLessThanOrEqual(2);
    }
  }, 60_000);

  it('that waits for the host does not pass what may wait', async () => {
    await using pool = createPool({ maxWorkers: 2, maxWaiting: 6 });
    const script = await load('main() { return Env.get("A"); }', {
      pool,
      environment: { A: 'a' },
      permissions: () =>
        new Promise((resolve) => setTimeout(() => resolve(FileGrant({ allowedDirectories: ['/'] })), 30)),
    });
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, pool.stats.workers)), 1);
    const ends = await Promise.all(Array.from({ length: 60 }, () => errorOf(script.run().result)));
    clearInterval(timer);
    expect(ends.every((error) => (error as Error).name === 'SecurityError')).toBe(true);
    expect(most).toBeLessThanOrEqual(8);
    expect(most).toBeGreaterThan(2);
  }, 60_000);
});
