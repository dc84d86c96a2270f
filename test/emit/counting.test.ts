// What a program with limits compiled in says that it used: the same by every setting of the compiler, to the unit,
// also where an error ends it; and what becomes of the answer that there is no more.

import { describe, expect, it } from 'vitest';
import { errorTagExport, runExport, usedExport } from '../../src/abi/imports.ts';
import { compile } from '../../src/compile.ts';
import type { CompileOptions } from '../../src/compile.ts';

interface Run {
  readonly used: number;
  /** Type of the error that ended it, null if none did. */
  readonly failed: number | null;
  readonly yields: readonly unknown[];
}

/** Runs main without a host; `more` answers each time that the module asks. */
async function run(text: string, options: CompileOptions, more: (used: number) => number): Promise<Run> {
  const { artifact, diagnostics } = await compile('test.slu', text, {
    ...options,
    guards: { use: true, ...options.guards },
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const module = new WebAssembly.Module(artifact!.wasm, {
    builtins: ['js-string'],
    importedStringConstants: "'",
  } as never);
  let used = 0;
  const yields: unknown[] = [];
  const stream: Readonly<Record<string, (value: never) => unknown>> = {
    look: (units: number) => {
      used += units;
      return more(used);
    },
    yieldInt: (value: bigint) => yields.push(Number(value)),
    yieldString: (value: string) => yields.push(value),
    readString: () => 'no more',
  };
  const imports: Record<string, Record<string, unknown>> = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'function') (imports[space] ??= {})[name] = stream[name] ?? (() => 0);
    if (kind === 'memory') (imports[space] ??= {})[name] = new WebAssembly.Memory({ initial: 1, maximum: 8 });
  }
  const { exports } = new WebAssembly.Instance(module, imports as never);
  const call = (name: string): unknown => (exports[name] as () => unknown)();
  let failed: number | null = null;
  try {
    call(runExport);
  } catch (error) {
    failed = (error as { getArg(tag: unknown, index: number): number }).getArg(exports[errorTagExport], 0);
  }
  return { used: used + (call(usedExport) as number), failed, yields };
}

const settings: readonly CompileOptions[] = [
  { optimise: false },
  {},
  { iterationsPerCall: 1 },
  { iterationsPerCall: 9 },
];

/** The units that main uses, by every setting. */
async function usedBy(text: string, asking = 5): Promise<number[]> {
  return Promise.all(settings.map(async (options) => (await run(text, options, () => asking)).used));
}

describe('units', () => {
  it.each([
    ['a call of main', 'main() { }', 1],
    ['iterations of a for', 'main() { int n = 0; for (int i = 0; i < 100; i++) n += i; return n; }', 101],
    ['iterations in larger steps', 'main() { int n = 0; for (int i = 0; i < 100; i += 7) n += i; return n; }', 16],
    ['iterations downwards', 'main() { int n = 0; for (int i = 100; i >= 0; i -= 3) n += i; return n; }', 35],
    ['iterations of a while', 'main() { int n = 7; while (n != 1) n = n % 2 == 0 ? n / 2 : 3 * n + 1; }', 17],
    ['iterations of a do', 'main() { int n = 0; do { n++; } while (n < 10); }', 11],
    ['iterations of a foreach', 'main() { int n = 0; foreach (int x in [1, 2, 3]) n += x; return n; }', 4],
    ['no iteration', 'main() { for (int i = 5; i < 5; i++) { } }', 1],
    [
      'iterations that end with continue, and one that ends with break',
      'main() { for (int i = 0; i < 100; i++) { if (i == 50) break; if (i % 2 == 0) continue; } }',
      51,
    ],
    [
      'iterations inside iterations',
      'main(int n = 60) { double[] a = new double[n]; for (int k = 0; k < n; k++) { for (int i = 0; i < n; ' +
        'i++) a[i] += 1.0; } return a[3]; }',
      null,
    ],
    [
      'two that meet',
      'main() { int[] a = new int[101]; for (int k = 0; k < 3; k++) for (int i = 0, j = 100; i < j; ' +
        'i++, j--) a[i] = a[j]; return a[0]; }',
      154,
    ],
    [
      'calls',
      'int f(int x) { return x + 1; }\nmain() { int n = 0; for (int i = 0; i < 10; i++) n = f(n); return n; }',
      21,
    ],
    [
      'a call that an argument of it keeps from beginning',
      'int two(int n) { return n + n; }\nmain() { int zero = 0; try { yield two(1 / zero); } catch (e) { ' +
        'yield 1; } return two(3); }',
      2,
    ],
    [
      'calls of a function with a loop',
      'int f(int[] a) { int n = 0; for (int i = 0; i < a.length(); i++) n += a[i]; return n; }\n' +
        'main() { int n = 0; for (int i = 0; i < 10; i++) n += f([1, 2, 3]); return n; }',
      51,
    ],
    [
      'calls that call themselves',
      'int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\nmain() { return fib(10); }',
      178,
    ],
    [
      'loops that call themselves',
      'int f(int n) { int sum = 1; for (int i = 0; i < n; i++) sum += f(i); return sum; }\nmain() { return f(7); }',
      256,
    ],
    [
      'calls that fail at every level of a recursion',
      'int f(int n) { try { if (n == 0) throw "x"; return f(n - 1) + 1; } catch (Error e) { if (n < 3) throw e; ' +
        'return f(n - 3); } }\nmain() { try { return f(5); } catch (Error e) { return f(4) + 1; } }',
      null,
    ],
    [
      'calls that call each other, with and without results',
      'int ends = 0;\nvoid f(int n) { if (n > 0) { ends += g(n - 1); f(n - 2); } }\n' +
        'int g(int n) { if (n < 1) return 1; f(n - 1); for (int i = 0; i < n; i++) ends += h(i); return ends % 3; }\n' +
        'int h(int n) { return n > 2 ? g(n - 3) : n / 1; }\nmain() { f(6); yield ends; yield g(5); }',
      null,
    ],
    [
      'calls that hand something out in the midst of a recursion',
      'int f(int n) { if (n == 0) return 0; yield n; int below = f(n - 1); yield "up"; return below + 1; }\n' +
        'main() { return f(4); }',
      6,
    ],
    [
      'iterations before an error',
      'main() { int[] a = new int[50]; int n = 0; for (int i = 0; i < 100; i++) n += a[i]; return n; }',
      51,
    ],
    [
      'iterations before an error in a loop inside another',
      'main() { int[] a = new int[50]; int n = 0; for (int k = 0; k < 4; k++) for (int i = 0; i < 40 + 5 * k; ' +
        'i++) n += a[i]; return n; }',
      null,
    ],
    [
      'iterations before an error that a clause takes',
      'main() { int[] a = new int[50]; int n = 0; for (int k = 0; k < 4; k++) { try { for (int i = 0; i < 100; ' +
        'i++) n += a[i]; } catch (Error e) { n++; } catch (IndexOutOfBoundsError e) { for (int i = 0; i < 10; ' +
        'i++) n++; } } return n; }',
      245,
    ],
    [
      'iterations of many returns',
      'int f(int[] a, int x) { for (int i = 0; i < a.length(); i++) if (a[i] == x) return i; return -1; }\n' +
        'main() { int[] a = new int[50]; a[30] = 1; return f(a, 1) + f(a, 2); }',
      83,
    ],
  ])('%s', async (_name, text, expected) => {
    const used = await usedBy(text);
    expect(new Set(used).size, used.join(' ')).toBe(1);
    if (expected !== null) expect(used[0]).toBe(expected);
    // However often the module asks.
    expect(await usedBy(text, 100_000)).toEqual(used);
  });
});

describe('where there is no more', () => {
  const quota = 13;

  it.each([
    ['an endless loop', 'main() { while (true) { } }'],
    ['an endless loop that counts', 'main() { int n = 0; for (int i = 0; i != -1; i += 2) n += i; return n; }'],
    ['a loop that wraps', 'main() { int n = 0; for (int i = 0; i <= 9223372036854775807; i++) n += i; return n; }'],
    ['an endless loop inside another', 'main() { for (int i = 0; i < 3; i++) { while (true) { } } }'],
    [
      'an endless loop inside others and a try',
      'main() { for (int i = 0; i < 3; i++) { for (int j = 0; j < 3; j++) { try { while (true) { } } ' +
        'catch (Error e) { } } } }',
    ],
    ['an endless loop in a clause', 'main() { try { throw "x"; } catch (Error e) { while (true) { } } }'],
    [
      'a function that is called for ever',
      'int f(int x) { return x + 1; }\nmain() { int n = 0; while (n >= 0) n = f(n) & 1; return n; }',
    ],
    [
      'an endless loop of a function that calls itself',
      'int f(int x) { if (x > 3) { while (true) { x++; } } return f(x + 1); }\nmain() { return f(0); }',
    ],
    ['calls without a loop', 'int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nmain() { return f(60); }'],
    [
      'calls that form no circle',
      `${Array.from({ length: 60 }, (_, i) => `int f${i}(int n) { return ${i === 59 ? 'n + 1' : `f${i + 1}(n) + f${i + 1}(n + 1)`}; }`).join('\n')}\nmain() { return f0(1); }`,
    ],
    [
      'a recursion below loops',
      'int f(int n) { int sum = n; for (int i = 0; i < 5000; i++) sum += i; ' +
        'return n == 0 ? sum : f(n - 1) + f(n - 1); }\nmain() { return f(60); }',
    ],
    [
      'a loop that works on',
      'main() { int[] a = new int[10]; int i = 0; while (true) { a[i] += 1; i = (i + 1) % 10; } }',
    ],
  ])('ends %s', async (_name, text) => {
    for (const options of settings) {
      const { failed, used } = await run(text, options, (soFar) => (soFar > 50_000 ? -quota : 1000));
      expect(failed).toBe(quota);
      // It may be late by what is done before the module asks again.
      expect(used).toBeGreaterThan(50_000);
      expect(used).toBeLessThan(50_000 + 1000 + 2 * 16_384);
    }
  });

  it.each([
    ['calls', 'int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nmain() { return f(60); }', 16],
    [
      'calls in loops',
      'int g(int n) { return f(n) + 1; }\nint f(int n) { int sum = 0; for (int i = 0; i < n; ' +
        'i++) sum += i == 7 ? g(i) : i; return sum; }\nmain() { while (true) f(100); }',
      16,
    ],
    ['iterations', 'main() { int n = 1; while (n != 0) n = n % 1000 + 1; }', 1],
    ['iterations that count', 'main() { int n = 0; for (int i = 0; i != -1; i += 2) n += i; return n; }', 1024],
  ])('is late by a few calls that make none, or by a strip: %s', async (_name, text, late) => {
    for (const options of settings) {
      const limit = 3000;
      const { failed, used } = await run(text, options, (soFar) =>
        soFar > limit ? -quota : Math.min(1000, limit - soFar),
      );
      expect(failed).toBe(quota);
      expect(used).toBeGreaterThan(limit);
      expect(used).toBeLessThanOrEqual(limit + late);
    }
  });

  it('passes a clause for everything, and gives a clause for itself its grace', async () => {
    const text = (type: string): string =>
      `main() { int n = 0; try { while (true) { n++; } } catch (${type} e) { yield "seen"; } yield "after"; ` +
      'return n; }';
    for (const options of settings) {
      const more = (used: number): number => (used > 10_000 ? -quota : 1000);
      expect((await run(text('Error'), options, more)).yields).toEqual([]);
      expect(await run(text('QuotaExceededError'), options, more)).toMatchObject({ failed: quota, yields: ['seen'] });
    }
  });
});

describe('calls that are nested too deep', () => {
  const overflow = 16;

  it.each([
    ['a function that calls itself', 'int f(int n) { return f(n + 1) + 1; }\nmain() { return f(0); }'],
    [
      'functions that call each other',
      'int f(int n) { return g(n) + 1; }\nint g(int n) { return f(n) + 1; }\nmain() { return f(0); }',
    ],
    [
      'a function that calls itself in a loop',
      'int f(int n) { int sum = 0; for (int i = 0; i < 9; i++) sum += f(n + i); return sum; }\nmain() { return f(0); }',
    ],
    [
      'a function that calls itself by one that does not',
      'int f(int n) { return h(n) + 1; }\nint h(int n) { return n > 5 ? f(n) : f(n + 1); }\nmain() { return f(0); }',
    ],
    [
      'a function with many locals',
      'double f(double a) { double b = a + 1; double c = b * a; double d = c - b; double e = d * d; ' +
        'double g = f(a + 1); return a + b + c + d + e + g; }\nmain() { return f(0); }',
    ],
    [
      'one recursion that leads to another',
      'int f(int n) { return n < 1000 ? f(n + 1) + 1 : g(n); }\nint g(int n) { return g(n + 1) + 1; }\n' +
        'main() { return f(0); }',
    ],
  ])('end: %s', async (_name, text) => {
    for (const options of settings)
      expect((await run(text, { ...options, guards: { depth: true } }, () => 100_000)).failed).toBe(overflow);
  });

  it('reach a clause that names the error, and no other', async () => {
    const text = (type: string): string =>
      `int f(int n) { return f(n + 1) + 1; }\nmain() { try { f(0); } catch (${type} e) { yield "seen"; } ` +
      'yield "after"; }';
    for (const options of settings) {
      const guards = { depth: true };
      expect((await run(text('Error'), { ...options, guards }, () => 100_000)).yields).toEqual([]);
      expect(await run(text('StackOverflowError'), { ...options, guards }, () => 100_000)).toMatchObject({
        failed: overflow,
        yields: ['seen'],
      });
    }
  });

  it.each([
    ['a function', 'void f(int n) { deepest = n; if (n < 0) return; f(n + 1); }'],
    ['a function that ends at once somewhere', 'int f(int n) { deepest = n; return n < 0 ? n : f(n + 1) + 1; }'],
    [
      'functions between recursive calls',
      'void f(int n) { deepest = n; g(n); }\nvoid g(int n) { h(n + 1); }\nvoid h(int n) { f(n); }',
    ],
    [
      'a function with small ones in it',
      'type P { int[] a; int top; }\nvoid push(P p, int x) { p.a[p.top] = x; p.top++; }\n' +
        'int pop(P p) { p.top--; return p.a[p.top]; }\n' +
        'int f(int n) { P p = { a: [0, 0], top: 0 }; push(p, n); push(p, 1); deepest = n; ' +
        'return f(n + pop(p)) + pop(p); }',
    ],
    [
      'a function with a loop',
      'int f(int n) { int sum = 0; for (int i = 0; i < 3; i++) sum += i; deepest = n; return f(n + 1) + sum; }',
    ],
  ])('are as many by every setting: %s', async (_name, text) => {
    const main = 'main() { try { f(0); } catch (StackOverflowError e) { yield deepest; } }';
    const script = `int deepest = 0;\n${text}\n${main}`;
    const found = await Promise.all(
      settings.map((options) => run(script, { ...options, guards: { depth: true } }, () => 100_000)),
    );
    const [deepest] = found[0]!.yields as readonly number[];
    expect(deepest).toBeGreaterThan(1500);
    for (const { failed, yields } of found) expect([failed, yields]).toEqual([overflow, [deepest]]);
  });

  it.each([
    ['a result', 'int f(int n) { deepest = n; return n < 0 ? n : f(n + 1) + 1; }'],
    ['no result', 'void f(int n) { deepest = n; f(n + 1); }'],
    [
      'a loop, a loop of its own and a clause',
      'int f(int n) { int sum = 0; for (int i = 0; i < 3; i++) { if (sum > n) continue; sum += i; } deepest = n; ' +
        'for (int i = 0; i < 2; i++) { try { sum += f(n + 1); } catch (KeyNotFoundError e) { sum++; } } return sum; }',
    ],
    [
      'functions between recursive calls, and one of the library',
      'int f(int n) { deepest = n; int[] a = [n]; a.push(g(n)); return a[1]; }\n' +
        'int g(int n) { return h(n + 1) + 1; }\nint h(int n) { return f(n) + 1; }',
    ],
  ])('and calls use the same units by every setting, whenever the host is asked: %s', async (_name, text) => {
    const main = 'main() { try { f(0); } catch (StackOverflowError e) { yield deepest; } }';
    const script = `int deepest = 0;\n${text}\n${main}`;
    const found = await Promise.all(
      [1, 2, 3, 100, 1_000_000].flatMap((asking) =>
        settings.map((options) => run(script, { ...options, guards: { depth: true } }, () => asking)),
      ),
    );
    expect(found[0]!.failed).toBe(overflow);
    for (const one of found) expect(one).toEqual(found[0]);
  });

  it('use nothing where they fail, and do not ask the host', async () => {
    const text =
      'int deepest = 0;\nint f(int n) { deepest = n; return f(n + 1) + 1; }\n' +
      'main() { try { f(0); } catch (StackOverflowError e) { yield deepest; } }';
    for (const options of settings) {
      let asked = 0;
      const more = (): number => {
        asked += 1;
        return 1;
      };
      const { used, yields } = await run(text, { ...options, guards: { depth: true } }, more);
      const calls = Number(yields[0]) + 1;
      let left = -1;
      let expected = 0;
      for (let call = 0; call < calls; call++) {
        left -= 1;
        if (left >= 0) continue;
        expected += 1;
        left = 1;
      }
      expect({ used, asked }).toEqual({ used: calls + 1, asked: expected });
    }
  });

  it('are free again behind a return', async () => {
    const text =
      'int calls = 0;\nint fib(int n) { calls++; if (n < 2) return n; int a = fib(n - 1); return a + fib(n - 2); }\n' +
      'void walk(int n) { calls++; if (n == 0) return; walk(n - 1); walk(n - 1); }\n' +
      'main() { yield fib(20); walk(14); yield calls; }';
    for (const options of settings) {
      const { failed, used, yields } = await run(text, { ...options, guards: { depth: true } }, () => 100_000);
      expect({ failed, used, yields }).toEqual({ failed: null, used: 54_659, yields: [6765, 54_658] });
    }
  });

  it('may be a thousand deep', async () => {
    const text =
      'int f(int n) { int sum = 0; for (int i = 0; i < 3; i++) sum += i; return n == 0 ? sum : f(n - 1); }\n' +
      'export int g(int n) { return f(n); }\nmain() { yield f(1000); yield g(1000); }';
    for (const options of settings)
      expect((await run(text, { ...options, guards: { depth: true } }, () => 100_000)).yields).toEqual([3, 3]);
  });
});
