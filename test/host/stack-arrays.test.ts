// Arrays on the stack in linear memory: what the script, its host and its limits see of them.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const text = `
  int part(int n, int at) {
    double[] own = new double[n];
    int[][] rows = new int[n][2];
    for (int i = 0; i < n; i++) { own[i] += i; rows[i][1] += i; }
    return Math.trunc(own[at]) + rows[at][1];
  }
  export int half(int n, int at) { return part(n, at) - part(n, n / 2); }
  export int deep(int n, int depth) {
    double[] own = new double[n];
    own[n - 1] = depth;
    int below = depth > 0 ? deep(n, depth - 1) : 0;
    return below + Math.trunc(own[n - 1]);
  }
  export int again(int n, int times) {
    int sum = 0;
    for (int i = 0; i < times; i++) sum += part(n, i % n);
    return sum;
  }
  export string kept(int n, int times) {
    string last = "";
    for (int i = 0; i < times; i++) { try { part(n, n + i); } catch (e) { last = e; } }
    return last;
  }
  export int[] taken(int[] given, int n) {
    int[] own = new int[n];
    for (int i = 0; i < n; i++) own[i] = given[i % given.length()];
    given[0] = own.sum();
    return given;
  }
  int[] counted(int[] given, int depth) {
    int[] own = new int[5000];
    if (depth > 0) { counted(given, depth - 1); counted(given, depth - 1); }
    given[0] += 1 + own[depth];
    return given;
  }
  export int givenBack(int n, int depth) { int[] own = new int[n]; return counted(own, depth)[0]; }
  type Kept { double[] held; }
  double[] heldLater(int n) {
    boolean[] own = new boolean[n];
    double[] made = new double[9];
    made[own[n - 1] ? 1 : 0] = 1.0;
    return made;
  }
  export double inStructs(int n, int times) {
    Kept all = { held: [] };
    double sum = 0.0;
    for (int i = 0; i < times; i++) { all = { held: heldLater(n) }; sum += all.held[0]; }
    return sum;
  }
  export int iterations(int n, int times) {
    int sum = 0;
    for (int i = 0; i < times; i++) {
      int[] own = new int[n + i % 3];
      for (int j = 0; j < 3; j++) { boolean[] inner = new boolean[n + j]; if (inner[j]) break; inner[j] = true; }
      own[n - 1] += i;
      if (i % 7 == 0) continue;
      sum += own[n - 1];
    }
    return sum;
  }
`;

/** Globals that keep their arrays from call to call. */
const withGlobals = `
  int side = 40;
  double[][] grid = new double[side][side];
  double[][] next = new double[side][side];
  export double step(int n, int at) {
    side += n;
    double[] own = new double[n];
    grid[at][at] += 1.0;
    own[n - 1] = grid[at][at];
    double[][] held = grid;
    grid = next;
    next = held;
    return own[n - 1] + own[0];
  }
`;

async function load(options: Parameters<typeof loadScript>[1] = {}): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  expect(diagnostics).toEqual([]);
  return loadScript(artifact!.wasm, options);
}

async function call(script: Script, name: string, ...values: readonly unknown[]): Promise<unknown> {
  return (await script.call(name, ...values)).value;
}

describe('arrays on the stack', () => {
  it('are all zeros in each call of an instance, and in each run', async () => {
    const script = await load();
    const instance = script.instance();
    for (let round = 0; round < 3; round++) {
      expect((await instance.call('half', 1000n, 999n)).value).toBe(998n);
      expect(await call(script, 'half', 1000n, 999n)).toBe(998n);
    }
  });

  it('are taken off by errors that are caught, and by those that end a call', async () => {
    const script = await load({ limits: { memoryBytes: 1 << 22 } });
    expect(await call(script, 'kept', 20_000n, 300n)).toBe('index 20299 is out of bounds for length 20000');
    const instance = script.instance();
    for (let at = 0; at < 100; at++)
      await expect(instance.call('half', 20_000n, 20_000n)).rejects.toThrow('index 20000 is out of bounds');
    expect((await instance.call('half', 20_000n, 19_999n)).value).toBe(19_998n);
  });

  it('are taken off behind each call', async () => {
    const script = await load({ limits: { memoryBytes: 1 << 22 } });
    expect(await call(script, 'again', 20_000n, 500n)).toBe(249_500n);
    expect(await call(script, 'deep', 1000n, 100n)).toBe(5050n);
  });

  it('are taken off behind calls that give back what they were given', async () => {
    const script = await load({ limits: { memoryBytes: 1 << 22 } });
    expect(await call(script, 'givenBack', 5000n, 9n)).toBe(1023n);
  });

  it('are taken off behind functions that return others', async () => {
    const script = await load({ limits: { memoryBytes: 1 << 22 } });
    expect(await call(script, 'inStructs', 1_000_000n, 300n)).toBe(300);
  });

  it('are taken off behind each iteration', async () => {
    const script = await load({ limits: { memoryBytes: 1 << 22 } });
    expect(await call(script, 'iterations', 20_000n, 700n)).toBe(210_000n);
  });

  it('stay in the globals of an instance, beside those of each call and its errors', async () => {
    const { artifact, diagnostics } = await compile('test.slu', withGlobals);
    expect(diagnostics).toEqual([]);
    const script = await loadScript(artifact!.wasm, { limits: { memoryBytes: 1 << 20 } });
    const instances = [script.instance(), script.instance()];
    for (let round = 1; round <= 100; round++)
      for (const instance of instances) {
        await expect(instance.call('step', 200n, 39n).then(({ value }) => value)).resolves.toBe(Math.ceil(round / 2));
        if (round % 9 === 0) await expect(instance.call('step', 50n, 41n)).rejects.toThrow('index 41 is out of bounds');
      }
  });

  it('count for the memory that a script may use, one by one and together', async () => {
    const script = await load({ limits: { memoryBytes: 1 << 22 } });
    const message = 'this run may not use more memory than 4 MiB';
    for (const values of [
      [1_000_000n, 0n],
      [100_000n, 10n],
      [1000n, 1000n],
    ])
      await expect(call(script, 'deep', ...values)).rejects.toMatchObject({ name: 'MemoryLimitError', message });
    expect(await call(script, 'deep', 100_000n, 3n)).toBe(6n);
  });

  it('end the run and not the process where all of them together are too large', async () => {
    const script = await load();
    await expect(call(script, 'deep', 130_000_000n, 9n)).rejects.toMatchObject({
      name: 'MemoryLimitError',
      message: 'all arrays together are larger than the engine takes',
    });
    expect(await call(script, 'deep', 1000n, 3n)).toBe(6n);
  });

  it('are beside those that cross the boundary', async () => {
    const script = await load();
    const given = BigInt64Array.from({ length: 20_000 }, (_, at) => BigInt(at));
    const taken = (await call(script, 'taken', given, 40_000n)) as BigInt64Array;
    expect(taken[0]).toBe(399_980_000n);
    expect(taken.at(-1)).toBe(19_999n);
  });

  it('have a thousand instances at once', async () => {
    const script = await load();
    const instances = Array.from({ length: 1000 }, () => script.instance());
    for (const instance of instances) expect((await instance.call('half', 9000n, 8999n)).value).toBe(8998n);
  });

  it('run in engines that set no addresses aside for 4 GiB', async () => {
    const script = await load();
    const { Memory } = WebAssembly;
    let refused = 0;
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor: ConstructorParameters<typeof Memory>[0]) {
        if (descriptor.maximum! > 16_384) {
          refused++;
          throw new RangeError('WebAssembly.Memory(): could not allocate memory');
        }
        super(descriptor);
      }
    };
    try {
      expect(await call(script, 'deep', 100_000n, 3n)).toBe(6n);
    } finally {
      WebAssembly.Memory = Memory;
    }
    expect(refused).toBeGreaterThan(0);
  });
});
