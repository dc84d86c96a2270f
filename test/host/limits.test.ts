// Limits: what ends a run, what a clause for it may still do, what the host can extend, and what is counted.

import { describe, expect, it } from 'vitest';
import {
  createMemoryPlatform,
  defineModule,
  Granted,
  HostError,
  loadScript,
  ScriptError,
} from '../../runtime-host/api/node.ts';
import type { LimitOptions, LimitRequest, ScriptOptions, ScriptRun } from '../../runtime-host/api/node.ts';
import { Meter } from '../../runtime-host/limits/meter.ts';
import { compile } from '../../src/compile.ts';
import { load } from './scripts.ts';

const MiB = 2 ** 20;

async function start(text: string, limits: LimitOptions, options: ScriptOptions = {}): Promise<ScriptRun> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return (await loadScript(artifact!.wasm, { ...options, limits })).run();
}

interface Ended {
  readonly yields: readonly unknown[];
  readonly result?: unknown;
  readonly error?: unknown;
  readonly fuel: number | null;
}

async function run(text: string, limits: LimitOptions, options: ScriptOptions = {}): Promise<Ended> {
  const running = await start(text, limits, options);
  const yields: unknown[] = [];
  try {
    await running.forEach((value) => yields.push(value));
    return { yields, result: await running.result, fuel: running.fuelUsed };
  } catch (error) {
    return { yields, error, fuel: running.fuelUsed };
  }
}

const node = 'type Node { Node next; int value; }\n';

describe('a run ends', () => {
  it.each<[name: string, text: string, limits: LimitOptions, type: string, message: string]>([
    [
      'a loop without end, by fuel',
      'main() { while (true) { } }',
      { fuel: 50_000 },
      'QuotaExceededError',
      'this run may not use more than 50,000 calls and turns of loops',
    ],
    [
      'a loop without end, by time',
      'main() { while (true) { } }',
      { timeMs: 20 },
      'TimeoutError',
      'this run may not take longer than 20 ms',
    ],
    [
      'a recursion without end that makes no loop, by time',
      'int f(int n) { return n == 0 ? 0 : f(n - 1) + f(n - 1); }\nmain() { return f(60); }',
      { timeMs: 1500 },
      'TimeoutError',
      'this run may not take longer than 1.5 s',
    ],
    [
      'work of the library, by time',
      'main() { int[] a = new int[100000]; while (true) a.sort(); }',
      { timeMs: 30 },
      'TimeoutError',
      'this run may not take longer than 30 ms',
    ],
    [
      'arrays that are kept',
      'main() { int[][] keep = []; while (true) keep.push(new int[1000]); }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'structs that are kept',
      `${node}main() { Node head = null; while (true) head = { next: head, value: 1 }; }`,
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'texts that are kept',
      'main() { string[] keep = []; while (true) keep.push(`${keep.length()}`); }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'json that grows',
      'main() { json j = []; while (true) j.push(["a", 1.5]); }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'one large array',
      'main() { return new double[5000000].length(); }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'large rows',
      'main() { return new double[20000][1000].length(); }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'a text that doubles',
      'main() { string s = "x"; while (true) s += s; }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'a text that doubles as a sum',
      'main() { string s = "x"; while (true) { string t = s + s; s = t; } }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'a text that grows',
      'main() { string s = "x"; while (true) s += "abc"; }',
      { memoryBytes: 4 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 4 MiB',
    ],
    [
      'a text that is repeated',
      'main() { return "abcdefgh".repeat(10000000).length(); }',
      { memoryBytes: 32 * MiB },
      'MemoryLimitError',
      'this run may not use more memory than 32 MiB',
    ],
    [
      'calls without end',
      'int f(int n) { return f(n + 1) + 1; }\nmain() { return f(0); }',
      {},
      'StackOverflowError',
      expect.stringMatching(/^calls are nested too deep: they may use .* limits\.depthBytes allows more/),
    ],
    [
      'calls of each other without end',
      'int f(int n) { return g(n + 1) + 1; }\nint g(int n) { return f(n) * 2; }\nmain() { return f(0); }',
      {},
      'StackOverflowError',
      expect.stringMatching(/^calls are nested too deep: they may use .* limits\.depthBytes allows more/),
    ],
    [
      'calls that are not deep, but deeper than allowed',
      'int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }\nmain() { return f(1000); }',
      { depthBytes: 20_000 },
      'StackOverflowError',
      expect.stringMatching(/^calls are nested too deep: they may use .* limits\.depthBytes allows more/),
    ],
    [
      'a flood of values',
      'main() { while (true) yield 1; }',
      { outputItems: 1000 },
      'QuotaExceededError',
      'this run may not yield more than 1,000 values',
    ],
    [
      'a flood of text',
      'main() { while (true) yield "äbcdefghi"; }',
      { outputBytes: 1024 },
      'QuotaExceededError',
      'this run may not yield more than 1 KiB',
    ],
    [
      'a flood of denied requests',
      'main() { while (true) { try { File.read("/x"); } catch (SecurityError e) { } } }',
      { timeMs: 50 },
      'TimeoutError',
      'this run may not take longer than 50 ms',
    ],
  ])('%s', async (_name, text, limits, type, message) => {
    const { error } = await run(text, limits);
    expect(error).toBeInstanceOf(ScriptError);
    expect(error).toMatchObject({ name: type, message });
    expect((error as ScriptError).frames[0]).toMatchObject({ file: 'test.slu' });
  });

  it('while it waits for the host', async () => {
    const never = new Promise<never>(() => {});
    const platform = createMemoryPlatform({ server: () => never });
    const { error, yields } = await run(
      'main() { yield 1; try { Http.get("https://example.com/"); } catch (NetworkError e) { yield 2; } }',
      { timeMs: 30 },
      { platform, permissions: () => Granted },
    );
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(yields).toEqual([1n]);
  });
});

describe('what lives', () => {
  it.each([
    [
      'arrays',
      'main() { int[] last = null; for (int i = 0; i < 30000; i++) last = new int[1000]; return last.length(); }',
      1000n,
    ],
    [
      'structs',
      `${node}main() { Node last = null; for (int i = 0; i < 3000000; i++) last = { next: null, value: i }; ` +
        'return last.value; }',
      2_999_999n,
    ],
    [
      'texts',
      'main() { string last = ""; for (int i = 0; i < 300000; i++) last = `${i} and ${i}`; return last.length(); }',
      17n,
    ],
  ])('alone counts as memory: %s', async (_name, text, result) => {
    expect(await run(text, { memoryBytes: 32 * MiB })).toMatchObject({ result });
  });

  it('is measured from where the run began', async () => {
    const ballast = Array.from({ length: 100 }, () => new Array<number>(100_000).fill(1));
    expect(await run('main() { return new int[100000].length(); }', { memoryBytes: 8 * MiB })).toMatchObject({
      result: 100_000n,
    });
    expect(ballast).toHaveLength(100);
  });
});

describe('a clause', () => {
  const endless = 'while (true) { }';
  it.each<[name: string, text: string, yields: readonly unknown[]]>([
    ['for all errors does not take it', `main() { try { ${endless} } catch (e) { yield 1; } yield 2; }`, []],
    [
      'of its name has some grace, and then the run ends',
      `main() { try { ${endless} } catch (QuotaExceededError e) { yield 1; int n = 0; for (int i = 0; i < 1000; ` +
        'i++) n += i; yield n; } yield 2; }',
      [1n, 499_500n],
    ],
    [
      'cannot go on for ever',
      `main() { try { ${endless} } catch (QuotaExceededError e) { yield 1; ${endless} } yield 2; }`,
      [1n],
    ],
    [
      'inside it takes nothing',
      `main() { try { ${endless} } catch (QuotaExceededError e) { yield 1; try { ${endless} } ` +
        'catch (QuotaExceededError f) { yield 3; } yield 4; } yield 2; }',
      [1n],
    ],
    [
      'around a call',
      `void f() { ${endless} }\nmain() { try { f(); } catch (TimeoutError e) { yield 3; } ` +
        'catch (QuotaExceededError e) { yield 1; } }',
      [1n],
    ],
  ])('%s', async (_name, text, yields) => {
    expect(await run(text, { fuel: 20_000 })).toMatchObject({ yields, error: { name: 'QuotaExceededError' } });
  });

  it('for memory can say so', async () => {
    const text =
      'main() { int[][] keep = []; try { while (true) keep.push(new int[1000]); } catch (MemoryLimitError e) { ' +
      'keep = []; yield "full"; } }';
    expect(await run(text, { memoryBytes: 32 * MiB })).toMatchObject({
      yields: ['full'],
      error: { name: 'MemoryLimitError' },
    });
  });

  it.each([1_000_000, 1_300_000, 777_777, 5_000_000])(
    'and an array of structs has what was pushed in front of the end: %i bytes',
    async (memoryBytes) => {
      const text = `
        type P { int x; string y; }
        main() {
          P[] ps = [];
          try { while (true) ps.push({ x: ps.length(), y: "a" }); }
          catch (MemoryLimitError e) {
            int n = 0;
            foreach (P p in ps) if (p.y == "a" && p.x == n) n++;
            yield n == ps.length();
            yield ps[n - 1].y;
            try { yield ps[n].x; } catch (IndexOutOfBoundsError none) { yield "none"; }
          }
        }`;
      expect(await run(text, { memoryBytes })).toMatchObject({
        yields: [true, 'a', 'none'],
        error: { name: 'MemoryLimitError' },
      });
    },
  );
});

describe('onLimit', () => {
  const iterations = 'main() { for (int i = 0; i < 1000000; i++) { } return 7; }';

  it('may raise a limit, as often as it takes', async () => {
    const asked: LimitRequest[] = [];
    const onLimit = (request: LimitRequest) => {
      asked.push(request);
      return { newLimit: request.limit * 4 };
    };
    expect(await run(iterations, { fuel: 1000, onLimit })).toMatchObject({ result: 7n });
    expect(asked.map(({ kind, times }) => [kind, times])).toEqual(asked.map((_, times) => ['fuel', times]));
    expect(asked.map(({ limit }) => limit)).toEqual([1000, 4000, 16_000, 64_000, 256_000]);
    expect(asked.every(({ used, limit }) => used > limit)).toBe(true);
  });

  it.each<[name: string, limits: LimitOptions, asked: number]>([
    ['answers nothing', { onLimit: () => undefined }, 1],
    ['answers a lower limit', { onLimit: () => ({ newLimit: 10 }) }, 1],
    ['answers what is no number', { onLimit: () => ({ newLimit: '5000000' }) as never }, 1],
    ['answers NaN', { onLimit: () => ({ newLimit: NaN }) }, 1],
    ['answers a promise', { onLimit: (() => Promise.resolve({ newLimit: 5_000_000 })) as never }, 1],
    [
      'answers more than there may be at most',
      { onLimit: () => ({ newLimit: 5_000_000 }), most: { fuel: 100_000 } },
      2,
    ],
    ['raises the limit by little, a hundred times', { onLimit: ({ limit }) => ({ newLimit: limit + 10 }) }, 100],
  ])('ends the run where it %s', async (_name, limits, expected) => {
    let asked = 0;
    const onLimit = (request: LimitRequest) => {
      asked += 1;
      return limits.onLimit!(request);
    };
    expect(await run(iterations, { fuel: 1000, ...limits, onLimit })).toMatchObject({
      error: { name: 'QuotaExceededError' },
    });
    expect(asked).toBe(expected);
  });

  it('may throw, which ends the run', async () => {
    const onLimit = (): never => {
      throw new RangeError('mine');
    };
    expect(
      await run('main() { try { while (true) { } } catch (QuotaExceededError e) { yield 1; } }', {
        fuel: 1000,
        onLimit,
      }),
    ).toMatchObject({ yields: [], error: { name: 'RangeError', message: 'mine' } });
  });

  it('may give more time, memory and output', async () => {
    const kinds = new Set<string>();
    const onLimit = ({ kind, limit }: LimitRequest) => {
      kinds.add(kind);
      return { newLimit: limit * 100 };
    };
    const limits = { timeMs: 1, memoryBytes: MiB, outputItems: 2, outputBytes: 10, onLimit };
    const text =
      'main() { for (int i = 0; i < 3; i++) yield "abc" + i.toString(); int[] a = new int[1000000]; int n = 0; ' +
      'for (int i = 0; i < 20000000; i++) n += i % 7; return a.length() + n % 2; }';
    expect((await run(text, limits)).error).toBeUndefined();
    expect([...kinds].toSorted()).toEqual(['memoryBytes', 'outputBytes', 'outputItems', 'timeMs']);
  });
});

describe('fuel', () => {
  const text =
    'int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n' +
    'main() { int t = 0; for (int k = 0; k < 200; k++) t += f(k); return t; }';

  it('is counted exactly, whatever the limit', async () => {
    for (const fuel of [1e6, 1e9, 40_000])
      expect((await run(text, { fuel })).fuel).toBe(1 + 200 + 200 + (200 * 199) / 2);
    expect((await run(text, { timeMs: 60_000 })).fuel).toBe(20_301);
  });

  it('is null where it is not counted', async () => {
    const { artifact } = await compile('test.slu', text);
    const running = (await loadScript(artifact!.wasm)).run();
    await running.result;
    expect(running.fuelUsed).toBeNull();
  });

  it('counts work of the library by how much there is to do', async () => {
    const of = async (n: number): Promise<number> =>
      (await run(`main() { int[] a = new int[${n}]; return a.indexOf(5); }`, { fuel: 1e9 })).fuel!;
    // The array is made, and searched.
    expect([await of(100), await of(64_000), await of(640_000)]).toEqual([1, 2 * 1000 + 1, 2 * 10_000 + 1]);
  });

  it('counts an array of structs once, however it is laid out', async () => {
    const text = (n: number): string => `
      type P { double x; int y; }
      main() {
        int n = ${n};
        P[] ps = new P[n];
        for (int i = 0; i < n; i++) ps[i] = { x: 0.5, y: i };
        return ps[n - 1].y;
      }`;
    for (const n of [10, 64_000]) {
      const { result, fuel } = await run(text(n), { fuel: 1e9 });
      expect([result, fuel]).toEqual([BigInt(n - 1), 1 + n + Math.floor(n / 64)]);
    }
  });
});

describe('what the host gives', () => {
  const deep = 'int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }\nmain() { return f(100); }';

  it('limits depth only by a number', async () => {
    expect((await run(deep, { depthBytes: null })).result).toBe(100n);
    expect((await run(deep, { depthBytes: 1000 })).error).toMatchObject({ name: 'StackOverflowError' });
  });

  it('names limits', async () => {
    await expect(start(deep, { most: { fule: 1 } as LimitOptions })).rejects.toThrow(
      'there is no limit fule: there are fuel, timeMs',
    );
  });

  it('may abort the run in onLimit', async () => {
    let asked = 0;
    const running: ScriptRun = await start('main() { while (true) { } }', {
      fuel: 50_000,
      onLimit: ({ limit }) => {
        asked += 1;
        running.abort();
        return { newLimit: limit * 2 };
      },
    });
    await expect(running.result).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toBe(1);
  });

  it('has its own errors of an answer', async () => {
    const answer = {
      get newLimit(): number {
        throw new RangeError('mine');
      },
    };
    expect((await run('main() { while (true) { } }', { fuel: 50_000, onLimit: () => answer })).error).toEqual(
      new RangeError('mine'),
    );
  });
});

describe('an instance', () => {
  it('has the limits for each call', async () => {
    const { artifact } = await compile(
      'test.slu',
      'export int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 3; return s; }',
    );
    const instance = (await loadScript(artifact!.wasm, { limits: { fuel: 100_000 } })).instance();
    for (let iteration = 0; iteration < 5; iteration++) expect(instance.callSync('f', 60_000).value).toBe(59_999n + 1n);
    expect(() => instance.callSync('f', 1_000_000)).toThrow(/may not use more than 100,000/);
    expect(() => instance.callSync('f', 1)).toThrow(HostError);
  });
});

describe('a counter of 32 bits that goes round', () => {
  it('is added up all the same', () => {
    const meter = new Meter({ fuel: 1e12 }, null, (work) => work());
    meter.begin();
    for (const used of [0x7fff_fff0, -0x7fff_fff0, -1, 5]) meter.settle(used);
    expect(meter.fuel).toBe(2 ** 32 + 5);
  });
});

describe('limits that are none', () => {
  it.each<[limits: unknown, message: string | RegExp]>([
    [5, 'the option limits is an object, such as { fuel: 1_000_000, timeMs: 1000 }'],
    [{ time: 5 }, /^there is no limit time: there are fuel, timeMs/],
    [{ fuel: '5' }, 'limits.fuel is a number of calls and turns of loops, above zero'],
    [{ timeMs: -1 }, 'limits.timeMs is a number of milliseconds, above zero'],
    [{ memoryBytes: NaN }, 'limits.memoryBytes is a number of bytes, above zero'],
    [{ onLimit: 3 }, /^limits.onLimit is a function/],
    [{ most: { outputItems: true } }, 'limits.most.outputItems is a number of values, above zero'],
    [{ most: 7 }, /^limits.most is an object of limits/],
  ])('%j', async (limits, message) => {
    const { artifact } = await compile('test.slu', 'main() { }');
    await expect(loadScript(artifact!.wasm, { limits: limits as LimitOptions })).rejects.toThrow(message);
  });

  it('are what is left out, null or 0', async () => {
    expect(
      await run('main() { int n = 0; for (int i = 0; i < 100000; i++) n++; return n; }', {
        fuel: 0,
        timeMs: null,
        outputItems: undefined,
      } as never),
    ).toMatchObject({ result: 100_000n });
  });
});

describe('a module without guards', () => {
  it.each([
    ['fuel', 1],
    ['timeMs', 1],
    ['memoryBytes', 1],
    ['depthBytes', 1],
  ])('cannot be held to %s', async (name, value) => {
    const { artifact } = await compile('test.slu', 'main() { }', { guards: {} });
    await expect(loadScript(artifact!.wasm, { limits: { [name]: value } })).rejects.toThrow(
      `this module was compiled without the guards that limits.${name} needs`,
    );
    expect(
      await (await loadScript(artifact!.wasm, { limits: { outputItems: 3, [name]: 0 } })).run().result,
    ).toBeUndefined();
  });
});

describe('a text that was joined is put together when somebody looks into it', () => {
  const looks: Readonly<Record<string, string>> = {
    codeAt: '(s + "y").codeAt(5)',
    'codeAt in a template': '`${s}${n}`.codeAt(5)',
    'codeAt of what grows': 'grown(s).codeAt(5)',
    charAt: '(s + "y").charAt(5).length()',
    substring: '(s + "y").substring(5, 10).length()',
    'substring beyond the BMP': '(s + "\u{1F600}").substring(5, 10).length()',
    startsWith: '((s + "y").startsWith("xy") ? 1 : 0)',
    endsWith: '((s + "y").endsWith("xy") ? 1 : 0)',
    trim: '(s + "y").trim().length()',
  };

  it.each(Object.entries(looks))('%s: the clock is looked at then', async (_name, look) => {
    const text = `
      string grown(string s) { string t = s; for (int i = 0; i < 2; i++) t += "y"; return t; }
      main() { string s = "x".repeat(16000000); int n = 0; while (true) n += ${look}; }`;
    const run = (await load(text, { limits: { timeMs: 40 } })).run({});
    await expect(run.result).rejects.toMatchObject({ name: 'TimeoutError' });
    // Long before so many iterations that the clock is looked at anyway; the text itself takes 250,000 units.
    expect(run.fuelUsed).toBeLessThan(250_000 + 16_384);
  });
});

describe('what was used', () => {
  it.each(['read()', 'readAt(a.length())', 'readOf(a)'])(
    'is known to a plugin that is called in a loop: %s',
    async (call) => {
      let running: ScriptRun | null = null;
      const used = (): bigint => BigInt(running!.fuelUsed!);
      const gauge = defineModule({
        name: 'Gauge',
        documentation: 'What a run used.',
        functions: { 'int read()': used, 'int readAt(int at)': used, 'int readOf(int[] a)': used },
      });
      const text =
        `main() { int[] a = [1]; int[] seen = []; for (int i = 0; i < 4; i++) seen.push(Gauge.${call}); ` +
        'return seen; }';
      const { artifact, diagnostics } = await compile('test.slu', text, { plugins: [gauge] });
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      running = (
        await loadScript(artifact!.wasm, { plugins: [gauge], permissions: () => Granted, limits: { fuel: 1000 } })
      ).run();
      // The call of main, and a unit for each iteration that is over.
      expect(await running.result).toEqual(BigInt64Array.of(1n, 2n, 3n, 4n));
    },
  );
});
