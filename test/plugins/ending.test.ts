// Scripts that do nothing but call functions of numbers, which a module calls as they are: they end where others do.

import { describe, expect, it } from 'vitest';
import { AbortError, defineModule, loadScript } from '../../runtime-host/api/node.ts';
import type { LimitOptions, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/index.ts';

/** A plugin whose clock is the only one: what takes time is counted, not measured. */
function counter(): { readonly calls: () => number; readonly plugin: unknown; onCall: () => void } {
  let calls = 0;
  const found = {
    calls: () => calls,
    plugin: defineModule({
      name: 'Slow',
      functions: {
        'double work(double x)': (x: number) => note(x),
        'int next(int n)': (n: bigint) => note(n),
        'boolean goesOn()': () => note(true),
        'void rest(double a, double b)': () => note(undefined),
        'double mix(double a, double b, double c)': (a: number) => note(a),
        'double many(double a, double b, double c, double d)': (a: number) => note(a),
      },
    }),
    onCall: () => {},
  };
  const note = <Value>(value: Value): Value => {
    calls += 1;
    found.onCall();
    return value;
  };
  return found;
}

async function start(text: string, plugin: unknown, options: ScriptOptions, guards?: object) {
  const { artifact, diagnostics } = await compile('a.slu', text, { plugins: [plugin], ...guards });
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return (await loadScript(artifact.wasm, { ...options, plugins: [plugin] })).run();
}

function busy(milliseconds: number): void {
  const start = performance.now();
  while (performance.now() - start < milliseconds);
}

const loops: readonly (readonly [name: string, text: string])[] = [
  ['no argument', 'main() { for (int i = 0; i < 5000 && Slow.goesOn(); i++) { } }'],
  ['one', 'main() { double x = 1.0; for (int i = 0; i < 5000; i++) x = Slow.work(x); }'],
  ['an int', 'main() { int n = 1; for (int i = 0; i < 5000; i++) n = Slow.next(n); }'],
  ['two, and no result', 'main() { for (int i = 0; i < 5000; i++) Slow.rest(1.0, 2.0); }'],
  ['three', 'main() { for (int i = 0; i < 5000; i++) Slow.mix(1.0, 2.0, 3.0); }'],
  ['four', 'main() { for (int i = 0; i < 5000; i++) Slow.many(1.0, 2.0, 3.0, 4.0); }'],
  [
    'one, in a clause that takes every error',
    'main() { for (int i = 0; i < 5000; i++) { try { Slow.work(1.0); } catch (e) { } } }',
  ],
];

describe.each([
  ['with guards', undefined],
  ['without guards', { guards: {} }],
])('a script of calls alone, built %s', (_guards, guards) => {
  it.each(loops)('ends when it is aborted: a function with %s', async (_name, text) => {
    const slow = counter();
    const run = await start(text, slow.plugin, {}, guards);
    slow.onCall = () => {
      if (slow.calls() === 1_000) run.abort();
    };
    await expect(run.result).rejects.toBeInstanceOf(AbortError);
    expect(slow.calls()).toBe(1_000);
  });
});

describe('a script of slow calls alone', () => {
  const timed: LimitOptions = { timeMs: 40 };

  it.each(loops)('ends when its time is up: a function with %s', async (_name, text) => {
    const slow = counter();
    slow.onCall = () => busy(2);
    await expect((await start(text, slow.plugin, { limits: timed })).result).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'this run may not take longer than 40 ms',
      frames: [{ function: 'main' }],
    });
    // 20 of them are 40 ms.
    expect(slow.calls()).toBeLessThanOrEqual(21);
  });

  it('is looked at soon after calls that were not slow', async () => {
    const slow = counter();
    slow.onCall = () => {
      if (slow.calls() > 100_000) busy(2);
    };
    await expect(
      (
        await start('main() { for (int i = 0; i < 105000; i++) Slow.work(1.0); }', slow.plugin, {
          limits: { timeMs: 300 },
        })
      ).result,
    ).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(slow.calls()).toBeLessThanOrEqual(100_000 + 150 + 64);
  });

  it('has some grace for the clause that names the error, and no more', async () => {
    const slow = counter();
    slow.onCall = () => busy(2);
    const seen: unknown[] = [];
    const run = await start(
      'main() { try { for (int i = 0; i < 1000; i++) Slow.work(1.0); } catch (TimeoutError e) { ' +
        'yield Slow.work(2.0); for (int i = 0; i < 1000; i++) Slow.work(3.0); } }',
      slow.plugin,
      { limits: timed },
    );
    await expect(run.forEach((value) => seen.push(value))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(seen).toEqual([2]);
    // The grace is 100 ms.
    expect(slow.calls()).toBeLessThanOrEqual(21 + 51);
  });

  it('may be given more time', async () => {
    const slow = counter();
    slow.onCall = () => busy(2);
    const run = await start('main() { for (int i = 0; i < 30; i++) Slow.work(1.0); return "done"; }', slow.plugin, {
      limits: { ...timed, onLimit: ({ limit }) => ({ newLimit: limit * 1_000 }) },
    });
    expect(await run.result).toBe('done');
  });
});
