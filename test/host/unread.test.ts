// Values that were yielded and that nobody has read: how many there may be, where the script waits for whoever reads,
// and what ends it where it cannot.

import { afterEach, describe, expect, it } from 'vitest';
import { AbortError, createMemoryPlatform, Granted, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { load } from './scripts.ts';

const flood = 'main() { for (int i = 0; i >= 0; i++) yield i; }';
const count = 'main(int n) { for (int i = 0; i < n; i++) yield i; return "end"; }';
const tooMany = {
  name: 'QuotaExceededError',
  message: 'this run may not yield more than 50 values that nobody has read',
  frames: [{ function: 'main' }],
};
const limits = { unreadItems: 50 };

/** The file that is shipped: it starts faster than the sources. */
const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const inWorker: ScriptOptions = { isolation: 'worker', workerUrl };

/** A reader that is done with a value when it is told so. */
class SlowReader {
  readonly #done: (() => void)[] = [];
  #wake = (): void => {};
  taken = 0;

  readonly take = (): Promise<void> => {
    this.taken += 1;
    this.#wake();
    return new Promise((done) => this.#done.push(done));
  };

  readOne(): void {
    this.#done.shift()!();
  }

  /** Waits until so many have been taken, and then whether more come. */
  async has(values: number): Promise<void> {
    while (this.taken < values)
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe('values that nobody reads', () => {
  it.each([
    ['here', {}],
    ['in a worker', inWorker],
  ])('end a run that is asked for its result alone, %s', async (where, options) => {
    const run = (await load(flood, { ...options, limits })).run();
    await expect(run.result).rejects.toBeInstanceOf(ScriptError);
    await expect(run.result).rejects.toMatchObject(tooMany);
    const seen: unknown[] = [];
    await expect(
      (async () => {
        for await (const value of run) seen.push(value);
      })(),
    ).rejects.toMatchObject(tooMany);
    expect(seen).toEqual(seen.map((_, at) => BigInt(at)));
    // The word of what is kept has a way to go from a worker's owner.
    expect(seen.length).toBeGreaterThanOrEqual(50);
    expect(seen.length).toBeLessThanOrEqual(where === 'here' ? 50 : 100);
  });

  it.each([
    ['here', {}],
    ['in a worker', inWorker],
  ])('end a call, %s', async (_where, options) => {
    const script = await load('export int f(int n) { for (int i = 0; i < n; i++) yield i; return n; }', {
      ...options,
      limits,
    });
    expect((await script.call('f', 50)).yields).toHaveLength(50);
    await expect(script.call('f', 51)).rejects.toMatchObject({ ...tooMany, frames: [{ function: 'f' }] });
  });

  it('end a run that is iterated where the engine cannot suspend it', async () => {
    const { Suspending, promising } = WebAssembly;
    const script = await load(flood, { limits });
    Object.assign(WebAssembly, { Suspending: undefined, promising: undefined });
    let seen = 0;
    try {
      await expect(
        (async () => {
          for await (const _ of script.run()) seen++;
        })(),
      ).rejects.toMatchObject(tooMany);
    } finally {
      Object.assign(WebAssembly, { Suspending, promising });
    }
    expect(seen).toBe(50);
  });

  it('end a run that cannot wait for the promises of its consumer', async () => {
    const reader = new SlowReader();
    await expect((await load(flood, { limits })).run().forEach(reader.take)).rejects.toMatchObject(tooMany);
    expect(reader.taken).toBe(50);
  });

  it('are no limit to those who read', async () => {
    const script = await load(count, { limits: { unreadItems: 1 } });
    let seen = 0;
    await script.run({ n: 1000 }).forEach(() => {
      seen++;
    });
    for await (const _ of script.run({ n: 1000 })) seen++;
    expect(seen).toBe(2000);
  });

  it('may be more, if the owner says so, or a clause of the script uses its grace', async () => {
    const asked: unknown[] = [];
    const onLimit = ({ kind, used, limit }: { kind: string; used: number; limit: number }) => {
      asked.push([kind, used, limit]);
      return { newLimit: limit * 2 };
    };
    expect(await (await load(count, { limits: { ...limits, onLimit } })).run({ n: 150 }).result).toBe('end');
    expect(asked).toEqual([
      ['unreadItems', 51, 50],
      ['unreadItems', 101, 100],
    ]);
    const run = (
      await load(
        'main() { try { while (true) yield 1; } catch (QuotaExceededError e) { yield 2; } while (true) yield 3; }',
        { limits },
      )
    ).run();
    await expect(run.result).rejects.toMatchObject(tooMany);
    const seen: unknown[] = [];
    await expect(
      (async () => {
        for await (const value of run) seen.push(value);
      })(),
    ).rejects.toMatchObject(tooMany);
    expect(seen.slice(49)).toEqual([1n, 2n]);
  });

  it('are kept in order, however many', async () => {
    const run = (await load(count)).run({ n: 200_000 });
    expect(await run.result).toBe('end');
    let next = 0n;
    for await (const value of run) expect(value === next++).toBe(true);
    expect(next).toBe(200_000n);
  });
});

describe('promises of a consumer', () => {
  it.each([
    ['here', {}],
    ['in a worker', inWorker],
  ])('are waited for in the end, %s', async (_where, options) => {
    const run = (await load(count, options)).run({ n: 5 });
    const read: unknown[] = [];
    await run.forEach(async (value) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      read.push(value);
    });
    expect(read).toEqual([0n, 1n, 2n, 3n, 4n]);
  });

  it.each([
    ['here', {}],
    ['in a worker', inWorker],
  ])('end the run where they reject, %s', async (_where, options) => {
    const platform = createMemoryPlatform({ files: {} });
    const script = await load('main() { yield 1; while (true) { yield 2; File.exists("/a"); } }', {
      ...options,
      platform,
      permissions: async () => Granted,
    });
    const run = script.run();
    await expect(
      run.forEach(async () => {
        throw new RangeError('mine');
      }),
    ).rejects.toThrow(new RangeError('mine'));
    await expect(run.result).rejects.toThrow('mine');
  });

  it('reject forEach where the run has ended already', async () => {
    const run = (await load(count)).run({ n: 1 });
    await expect(run.forEach(() => Promise.reject(new RangeError('late')))).rejects.toThrow('late');
    expect(await run.result).toBe('end');
  });
});

describe.each([
  ['shared memory', true],
  ['messages', false],
])('a script in a worker, by %s,', (_name, shares) => {
  const shared = globalThis.SharedArrayBuffer;
  afterEach(() => {
    globalThis.SharedArrayBuffer = shared;
  });
  const loadHere = async (text: string, options: ScriptOptions = {}): Promise<Script> => {
    const script = await load(text, { ...inWorker, ...options });
    if (!shares) Object.assign(globalThis, { SharedArrayBuffer: undefined });
    return script;
  };

  it('waits for a consumer with as many unread values as it may have', async () => {
    const reader = new SlowReader();
    const run = (await loadHere(flood, { limits })).run();
    const ended = run.forEach(reader.take);
    await reader.has(50);
    expect(reader.taken).toBe(50);
    for (let iteration = 0; iteration < 7; iteration++) reader.readOne();
    await reader.has(57);
    expect(reader.taken).toBe(57);
    run.abort();
    await expect(ended).rejects.toBeInstanceOf(AbortError);
  });

  it('waits without limits too, sooner with large values', async () => {
    for (const [text, most] of [
      [flood, 65_536],
      ['main() { while (true) yield "x".repeat(64 * 1024); }', 64],
    ] as const) {
      const reader = new SlowReader();
      const run = (await loadHere(text)).run();
      const ended = run.forEach(reader.take);
      await reader.has(most);
      expect(reader.taken).toBe(most);
      run.abort();
      await expect(ended).rejects.toBeInstanceOf(AbortError);
    }
  });

  it('waits for whoever iterates after its result was asked for', async () => {
    const run = (await loadHere(flood, { limits })).run();
    const result = run.result.catch((error: unknown) => error);
    let read = 0n;
    for await (const value of run) {
      expect(value).toBe(read++);
      if (read === 1000n) break;
    }
    expect(await result).toBeInstanceOf(AbortError);
  });

  it('is ended where nobody reads', async () => {
    await expect((await loadHere(flood, { limits })).run().result).rejects.toMatchObject(tooMany);
  });

  it('serves another run after one whose values are still being read', async () => {
    const script = await loadHere(count);
    const reader = new SlowReader();
    const first = script.run({ n: 3 });
    const reading = first.forEach(reader.take);
    expect(await first.result).toBe('end');
    const second = script.run({ n: 3 }).forEach(() => {});
    for (let iteration = 0; iteration < 3; iteration++) reader.readOne();
    await Promise.all([reading, second]);
  });

  it('is given the time that its reader takes', async () => {
    const script = await loadHere(count, { limits: { timeMs: 200, unreadItems: 1 } });
    let read = 0;
    await script.run({ n: 5 }).forEach(async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      read++;
    });
    expect(read).toBe(5);
  });

  it('is not given more', async () => {
    const script = await loadHere(
      'main() { int n = 0; while (true) { for (int i = 0; i < 1000000; i++) n += i % 7; yield n; } }',
      { limits: { timeMs: 50, unreadItems: 1 } },
    );
    await expect(
      script.run().forEach(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }),
    ).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

it('a worker whose module counts nothing is given the time of its reader too', async () => {
  const { artifact } = await compile('test.slu', count, { guards: {} });
  const script = await loadScript(artifact!.wasm, { ...inWorker, limits: { timeMs: 200 } });
  let read = 0;
  await script.run({ n: 100 }).forEach(() => {
    const start = performance.now();
    while (performance.now() - start < 10);
    read++;
  });
  expect(read).toBe(100);
});
