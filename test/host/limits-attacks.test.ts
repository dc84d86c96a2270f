// Attacks of the list on limits, under their numbers: who spends what is the host's ends alone, at the right time, and
// is told so in words of the language.

import { describe, expect, it } from 'vitest';
import { createMemoryPlatform, Granted, ScriptError } from '../../runtime-host/api/node.ts';
import type { LimitExtension, LimitOptions, ScriptOptions } from '../../runtime-host/api/node.ts';
import { load } from './scripts.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const MiB = 2 ** 20;
const memory = 'this run may not use more memory than 32 MiB';

interface Ended {
  readonly yields: readonly unknown[];
  readonly result: unknown;
  /** The type of the error and its message; null where the run came to its end. */
  readonly error: readonly [type: string, message: string] | null;
}

async function end(
  text: string,
  limits: LimitOptions,
  options: ScriptOptions = {},
  values: Readonly<Record<string, unknown>> = {},
): Promise<Ended> {
  const run = (await load(text, { ...options, limits })).run(values);
  const yields: unknown[] = [];
  try {
    await run.forEach((value) => yields.push(value));
    return { yields, result: await run.result, error: null };
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return { yields, result: undefined, error: [error.name, error.message] };
  }
}

/** Holds up the thread, as a handler does that works or asks in a dialog. */
const hold = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe('clauses in loops without end', () => {
  const body = (type: string): string =>
    `main() { while (true) { try { while (true) { } } catch (${type} e) { yield "caught"; } } }`;

  it('attack 127: one for all errors never runs where there is no more fuel', async () => {
    expect(await end(body(''), { fuel: 20_000 })).toMatchObject({
      yields: [],
      error: ['QuotaExceededError', 'this run may not use more than 20,000 calls and turns of loops'],
    });
  });

  it('attack 129: one for TimeoutError runs once, and nothing after it', async () => {
    expect(await end(body('TimeoutError'), { timeMs: 200 })).toMatchObject({
      yields: ['caught'],
      error: ['TimeoutError', 'this run may not take longer than 200 ms'],
    });
  });
});

describe('attack 131: the depth of calls', () => {
  const text = `
    int f(int n, boolean fails) { if (n == 0) { if (fails) throw "deep"; return 0; } return f(n - 1, fails) + 1; }
    main(int depth, int times) {
      int caught = 0;
      for (int i = 0; i < times; i++) { try { f(900, true); } catch (Error e) { caught++; } }
      return f(depth, false) + caught;
    }`;
  const goes = async (depth: number, times: number): Promise<boolean> => {
    const { result, error } = await end(text, { depthBytes: 100_000 }, {}, { depth, times });
    expect(error === null ? result : error[0]).toEqual(error === null ? BigInt(depth + times) : 'StackOverflowError');
    return error === null;
  };

  it('is the same after ten thousand errors deep inside', async () => {
    let [fits, tooDeep] = [900, 3000];
    while (tooDeep - fits > 1) {
      const middle = (fits + tooDeep) >> 1;
      if (await goes(middle, 0)) fits = middle;
      else tooDeep = middle;
    }
    expect(await goes(fits, 10_000)).toBe(true);
    expect(await goes(tooDeep, 10_000)).toBe(false);
  });
});

describe('memory', () => {
  it.each<[name: string, text: string, type: string, message: string]>([
    [
      'attack 133: a text that doubles sixty times',
      'main() { string s = "x"; for (int i = 0; i < 60; i++) s = s + s; return s.length(); }',
      'MemoryLimitError',
      memory,
    ],
    [
      'attack 135: pushes of a thousand million elements',
      'main() { int[] a = []; for (int i = 0; i < 1000000000; i++) a.push(i); return a.length(); }',
      'MemoryLimitError',
      memory,
    ],
    [
      'attack 135: an array of 2^31 - 1 elements',
      'main() { return new int[2147483647].length(); }',
      'MemoryLimitError',
      'an array of 2147483647 elements is larger than the engine takes',
    ],
    [
      'attack 135: an array that an engine would take',
      'main() { return new int[100000000].length(); }',
      'MemoryLimitError',
      memory,
    ],
    [
      'attack 135: an array of -1 elements',
      'main() { return new int[-1].length(); }',
      'IndexOutOfBoundsError',
      'an array cannot have -1 elements',
    ],
    [
      'attack 137: many small structs',
      'type P { int x; P next; }\nmain() { P p = null; while (true) p = { x: 1, next: p }; }',
      'MemoryLimitError',
      memory,
    ],
  ])('%s', async (_name, text, type, message) => {
    const before = process.memoryUsage.rss();
    expect((await end(text, { memoryBytes: 32 * MiB })).error).toEqual([type, message]);
    expect(process.memoryUsage.rss() - before).toBeLessThan((32 + 64) * MiB);
    // The host goes on.
    expect((await end('main() { return new int[1000].length(); }', { memoryBytes: 32 * MiB })).result).toBe(1000n);
  });
});

describe('a handler for limits', () => {
  const iterations = 'main() { int n = 0; for (int i = 0; i < 1000000; i++) n += i % 3; return n; }';

  it.each<[name: string, answer: unknown]>([
    ['NaN', { newLimit: NaN }],
    ['a lower limit', { newLimit: 10 }],
    ['the same limit', { newLimit: 1000 }],
    ['2^60', { newLimit: 2 ** 60 }],
    ['no end', { newLimit: Infinity }],
    ['a text', { newLimit: '1e9' }],
    ['a BigInt', { newLimit: 10n ** 9n }],
    ['a number alone', 1e9],
    ['nothing', undefined],
    ['a promise', Promise.resolve({ newLimit: 1e9 })],
  ])('attack 139: that answers %s has denied', async (_name, answer) => {
    expect((await end(iterations, { fuel: 1000, onLimit: () => answer as LimitExtension })).error).toEqual([
      'QuotaExceededError',
      'this run may not use more than 1,000 calls and turns of loops',
    ]);
  });

  it('attack 139: that throws ends the run past every clause', async () => {
    const onLimit = (): never => {
      throw new RangeError('mine');
    };
    const seen: unknown[] = [];
    const run = (
      await load(
        `main() { try { while (true) { } } catch (QuotaExceededError e) { yield e; } catch (e) { yield e; } yield 2; }`,
        { limits: { fuel: 1000, onLimit } },
      )
    ).run();
    await expect(run.forEach((value) => seen.push(value))).rejects.toThrow(new RangeError('mine'));
    expect(seen).toEqual([]);
  });

  it("attack 141: may take its time, which is not the run's", async () => {
    let asked = 0;
    const onLimit = ({ limit }: { readonly limit: number }): LimitExtension => {
      asked += 1;
      hold(500);
      return { newLimit: limit * 10_000 };
    };
    expect(
      await end('main() { int n = 0; for (int i = 0; i < 100000; i++) n++; return n; }', {
        fuel: 1000,
        timeMs: 200,
        onLimit,
      }),
    ).toMatchObject({ result: 100_000n, error: null });
    expect(asked).toBe(1);
  });

  it('attack 141: one that answers with a promise is waited for in a worker, and denies elsewhere', async () => {
    const onLimit = async ({ limit }: { readonly limit: number }): Promise<LimitExtension> => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { newLimit: limit * 10_000 };
    };
    const text = 'main() { int n = 0; for (int i = 0; i < 100000; i++) n++; return n; }';
    expect(await end(text, { fuel: 1000, timeMs: 200, onLimit }, { isolation: 'worker', workerUrl })).toMatchObject({
      result: 100_000n,
      error: null,
    });
    expect((await end(text, { fuel: 1000, timeMs: 200, onLimit })).error).toEqual([
      'QuotaExceededError',
      'this run may not use more than 1,000 calls and turns of loops',
    ]);
  });

  it('attack 141: one whose promise fails ends the run in a worker, and denies elsewhere', async () => {
    const onLimit = (): Promise<never> => Promise.reject(new RangeError('mine'));
    const text = 'main() { int n = 0; for (int i = 0; i < 100000; i++) n++; return n; }';
    await expect(end(text, { fuel: 1000, onLimit }, { isolation: 'worker', workerUrl })).rejects.toThrow(
      new RangeError('mine'),
    );
    expect((await end(text, { fuel: 1000, onLimit })).error![0]).toBe('QuotaExceededError');
  });

  it('attack 141: neither is that of one for permissions', async () => {
    const options: ScriptOptions = {
      platform: createMemoryPlatform({ files: { '/a': 'alpha' } }),
      permissions: () => new Promise((resolve) => setTimeout(() => resolve(Granted), 500)),
    };
    expect(await end('main() { return File.read("/a"); }', { timeMs: 200 }, options)).toMatchObject({
      result: 'alpha',
      error: null,
    });
  });
});

describe('work of the library', () => {
  const long = '"x".repeat(1000000)';
  it.each<[name: string, text: string]>([
    [
      'a sort',
      'main() { int[] a = new int[1000000]; for (int i = 0; i < 5; i++) a[i * 7] = 9 - i; a.sort(); return a[0]; }',
    ],
    [
      'comparisons of long texts',
      `main() { string s = ${long}; string t = ${long}; int n = 0; for (int i = 0; i < 200; i++) { ` +
        'if (s == t) n++; } return n; }',
    ],
    [
      'the order of long texts',
      `main() { string s = ${long}; string t = ${long}; int n = 0; for (int i = 0; i < 200; i++) { ` +
        'if (s < t) n++; } return n; }',
    ],
    [
      'searches that nearly match',
      `main() { string s = ${long}; int n = 0; for (int i = 0; i < 200; i++) n += s.indexOf("xxxy"); return n; }`,
    ],
    [
      'replacements',
      `main() { string s = ${long}; int n = 0; for (int i = 0; i < 200; ` +
        'i++) n += s.replace("xxxy", "z").length(); return n; }',
    ],
    [
      'comparisons of long json',
      'main() { json a = Json.parse("[" + "0,".repeat(99999) + "0]"); json b = a.copy(); int n = 0; ' +
        'for (int i = 0; i < 200; i++) { if (a == b) n++; } return n; }',
    ],
    [
      'copies of json',
      'main() { json a = Json.parse("[" + "0,".repeat(99999) + "0]"); int n = 0; for (int i = 0; i < 200; ' +
        'i++) n += a.copy().size(); return n; }',
    ],
    [
      'arrays as text',
      'main() { int[] a = new int[10000]; int n = 0; for (int i = 0; i < 100; i++) n += `${a}`.length(); return n; }',
    ],
    [
      'arrays as json and back',
      'main() { int[] a = new int[100000]; int n = 0; for (int i = 0; i < 50; i++) { ' +
        'int[] b = (a as json) as int[]; n += b.length(); } return n; }',
    ],
    ['new arrays', 'main() { int n = 0; for (int i = 0; i < 100; i++) n += new int[100000].length(); return n; }'],
    [
      'new arrays of arrays',
      'main() { int n = 0; for (int i = 0; i < 100; i++) n += new int[100][1000].length(); return n; }',
    ],
    [
      'long white space',
      'main() { string s = " ".repeat(1000000); int n = 0; for (int i = 0; i < 200; i++) n += s.trim().length(); ' +
        'return n; }',
    ],
    [
      'long numbers',
      'main() { string s = "1".repeat(1000000); int n = 0; for (int i = 0; i < 200; i++) n += s.toInt(0); return n; }',
    ],
    [
      'long decimals',
      'main() { string s = "1".repeat(1000000); double n = 0.0; for (int i = 0; i < 200; ' +
        'i++) n += s.toDouble(0.0); return n; }',
    ],
    [
      'comparisons of json objects',
      'main() { json a = {}; for (int i = 0; i < 20000; i++) a[`${i}`] = i; json b = a.copy(); int n = 0; ' +
        'for (int i = 0; i < 500; i++) { if (a == b) n++; } return n; }',
    ],
    [
      'comparisons of texts in json',
      `main() { json a = { s: ${long} }; json b = { s: ${long} }; int n = 0; for (int i = 0; i < 200; i++) { ` +
        'if (a == b) n++; } return n; }',
    ],
  ])('attack 143: %s', async (_name, text) => {
    expect((await end(text, { fuel: 100_000 })).error).toEqual([
      'QuotaExceededError',
      'this run may not use more than 100,000 calls and turns of loops',
    ]);
  });
});

describe('attack 147: of twenty runs at once one kills itself', () => {
  it.each<[way: string, type: string, deed: string]>([
    ['by fuel', 'QuotaExceededError', 'while (true) { }'],
    ['by depth', 'StackOverflowError', 'deep(0);'],
    ['by a large array', 'MemoryLimitError', 'new int[50000000].length();'],
    ['by its output', 'QuotaExceededError', 'while (true) yield 0;'],
  ])('%s', async (_way, type, deed) => {
    const text = `int deep(int n) { return deep(n + 1) + 1; }
      main(int n) { int sum = 0; for (int i = 0; i < 50; i++) { sum += i * n; if (i % 10 == 0) { yield sum; File.read("/a"); } if (n == 7 && i == 25) { ${deed} } } return sum; }`;
    const script = await load(text, {
      platform: createMemoryPlatform({ files: { '/a': '' } }),
      permissions: () => new Promise((resolve) => setTimeout(() => resolve(Granted), 1)),
      limits: { fuel: 2_000_000, memoryBytes: 256 * MiB, outputItems: 1000 },
    });
    const found = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const run = script.run({ n });
        const yields: unknown[] = [];
        const how = await run
          .forEach((value) => yields.push(value))
          .then(
            () => run.result,
            (error: Error) => error.name,
          );
        return [yields.slice(0, 5), how];
      }),
    );
    const sumTo = (n: number, last: number): bigint => BigInt((n * last * (last + 1)) / 2);
    expect(found).toEqual(
      Array.from({ length: 20 }, (_, n) => {
        const all = [0, 10, 20, 30, 40].map((last) => sumTo(n, last));
        return n === 7
          ? [
              type === 'QuotaExceededError' && deed.includes('yield') ? [...all.slice(0, 3), 0n, 0n] : all.slice(0, 3),
              type,
            ]
          : [all, sumTo(n, 49)];
      }),
    );
  });
});
