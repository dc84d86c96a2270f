// How deep calls may nest for an embedder, here and in a worker or process, and what a StackOverflowError tells him:
// the option that raises the limit, and how far. The script itself hears nothing of options.

import { afterAll, describe, expect, it } from 'vitest';
import { createPool } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { load } from './scripts.ts';

const pool = createPool({ maxWorkers: 1 });
afterAll(() => pool.close());

const flood = `int fill(int[][] grid, int x, int y) {
    if (x < 0 || y < 0 || y >= grid.length() || x >= grid[y].length() || grid[y][x] != 0) return 0;
    grid[y][x] = 1;
    return 1 + fill(grid, x + 1, y) + fill(grid, x - 1, y) + fill(grid, x, y + 1) + fill(grid, x, y - 1);
  }
  export int flood(int size) {
    int[][] grid = [];
    for (int y = 0; y < size; y++) grid.push(new int[size]);
    return fill(grid, 0, 0);
  }
  main(int size = 100) { return flood(size); }`;
const endless = `int f(int n) { return f(n + 1) + 1; }
  export int call() { return f(0); }
  export void caught() { try { f(0); } catch (StackOverflowError e) { yield e; } }
  main(boolean catches = false) { if (catches) caught(); return f(0); }`;

const words = 'calls are nested too deep';
const told = {
  here: `${words}: they may use 512 KiB of stack. limits.depthBytes allows more, as far as the stack of this thread (`,
  engine: `${words}: the stack of this thread (`,
  worker: `${words}: they may use 16 MiB of stack in a worker, and no option gives more`,
};

async function messages(options: ScriptOptions): Promise<string[]> {
  const script = await load(endless, options);
  const failed = (error: Error): string => `${error.name}: ${error.message}`;
  const found = [
    await script.run().result.then(String, failed),
    await script
      .run()
      .forEach(() => {})
      .then(String, failed),
    await script.call('call').then(String, failed),
  ];
  if ((options.isolation ?? 'none') === 'none') {
    try {
      script.callSync('call');
    } catch (error) {
      found.push(failed(error as Error));
    }
  }
  return found;
}

describe('a fill of 100 by 100 cells', () => {
  it.each<[string, ScriptOptions]>([
    ['a worker', { isolation: 'worker' }],
    ['a worker with other limits', { isolation: 'worker', pool, limits: { timeMs: 20_000 } }],
    ['a worker whose limit is null', { isolation: 'worker', pool, limits: { depthBytes: null } }],
    ['a process', { isolation: 'process' }],
    ['this thread, with 2 MiB', { limits: { depthBytes: 2 ** 21 } }],
  ])('is done in %s', async (_where, options) => {
    const script: Script = await load(flood, options);
    expect(await script.run().result).toBe(10_000n);
    expect((await script.call('flood', 100)).value).toBe(10_000n);
  });

  it('is too much in this thread if nothing is said', async () => {
    const error: Error = await (await load(flood)).run().result.then(null, (thrown: Error) => thrown);
    expect(error.message.startsWith(told.here)).toBe(true);
    expect(error.message).toMatch(/\) goes; isolation: 'worker' allows 16 MiB$/);
    expect(error.stack?.split('\n')[0]).toBe(`StackOverflowError: ${error.message}`);
  });
});

describe('a StackOverflowError', () => {
  it('names the options that raise the limit', async () => {
    const found = await messages({});
    expect(found).toHaveLength(4);
    for (const message of found) {
      expect(message.startsWith(`StackOverflowError: ${told.here}`)).toBe(true);
      expect(message).toMatch(/\(\d+ [KM]iB\) goes; isolation: 'worker' allows 16 MiB$/);
    }
  });

  it('says that the thread has no more, where the engine is the limit', async () => {
    for (const depthBytes of [0, 2 ** 30])
      for (const message of await messages({ limits: { depthBytes } })) {
        expect(message.startsWith(`StackOverflowError: ${told.engine}`)).toBe(true);
        expect(message).toMatch(/\) has no more room; isolation: 'worker' allows 16 MiB$/);
      }
  });

  it('of a worker says what there is', async () => {
    expect(new Set(await messages({ isolation: 'worker', pool }))).toEqual(
      new Set([`StackOverflowError: ${told.worker}`]),
    );
    expect(new Set(await messages({ isolation: 'worker', pool, limits: { depthBytes: 102_400 } }))).toEqual(
      new Set([
        `StackOverflowError: ${words}: they may use 100 KiB of stack. limits.depthBytes allows up to 16 MiB in a ` +
          'worker',
      ]),
    );
  });

  it('of a process too', async () => {
    expect(new Set(await messages({ isolation: 'process', limits: { depthBytes: 20_001 } }))).toEqual(
      new Set([
        `StackOverflowError: ${words}: they may use 20001 bytes of stack. limits.depthBytes allows up to 16 MiB ` +
          'in a process',
      ]),
    );
  });

  it.each<[string, ScriptOptions]>([
    ['here', {}],
    ['in a worker', { isolation: 'worker', pool }],
  ])('tells a clause of the script nothing of options, %s', async (_where, options) => {
    const script = await load(endless, options);
    const heard: unknown[] = [];
    const ended = script.run({ catches: true }).forEach((value) => heard.push(value));
    await expect(ended).rejects.toMatchObject({ name: 'StackOverflowError' });
    expect(heard).toEqual([words]);
    await expect(script.call('caught')).rejects.toMatchObject({ name: 'StackOverflowError', yields: [words] });
  });

  it('keeps what a call had yielded, and its frames', async () => {
    const script = await load('void f(int n) { if (n < 3) yield n; f(n + 1); }\nexport void go() { f(0); }');
    const error = await script.call('go').then(null, (thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'StackOverflowError', yields: [0n, 1n, 2n] });
    expect((error as { frames: unknown[] }).frames.length).toBeGreaterThan(10);
  });
});
