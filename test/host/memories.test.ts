// The memories of scripts: engines have addresses for few of them, a page of Chromium for about 125 at once, and give
// those back late that nothing holds any more.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError, loadScript, wasmPlugin } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { withRoom } from '../../runtime-host/marshalling/staging.ts';
import { compile } from '../../src/index.ts';
import { matrices } from '../engines/memories.ts';
import { assemble, assembleText } from './module.ts';

async function build(text: string, plugins: readonly unknown[] = []): Promise<Uint8Array<ArrayBuffer>> {
  const { artifact, diagnostics } = await compile('test.slu', text, { plugins });
  expect(diagnostics).toEqual([]);
  return artifact!.wasm;
}

async function load(text: string, options: ScriptOptions = {}): Promise<Script> {
  return loadScript(await build(text, options.plugins), options);
}

const noRoom = 'HostError: the engine has no room for another memory: too many scripts are kept';

/** Has the host drop the memories that it keeps. */
function dropFree(): void {
  const make = (): never => {
    throw new RangeError('no room');
  };
  expect(() => withRoom(make, () => true)).toThrow(HostError);
}

/** Makes memories until the engine refuses one. */
function fillAddresses(): WebAssembly.Memory[] {
  dropFree();
  const memories: WebAssembly.Memory[] = [];
  try {
    for (;;) memories.push(new WebAssembly.Memory({ initial: 1, maximum: 1 }));
  } catch {
    return memories;
  }
}

async function errorOf(result: Promise<unknown>): Promise<unknown> {
  return result.then(
    () => null,
    (error: unknown) => error,
  );
}

async function plugin(): Promise<unknown> {
  const { artifact, diagnostics } = await compile('matrices.slu', matrices);
  expect(diagnostics).toEqual([]);
  return wasmPlugin(artifact!.wasm);
}

describe('an engine without room for another memory', () => {
  it('is said to be the cause, and runs the script once there is room', async () => {
    const script = await load('main() { double[] xs = [1.5, 2.5]; return xs; }');
    const memories = fillAddresses();
    expect(memories.length).toBeGreaterThan(0);
    const error = await errorOf(script.run().result);
    expect(error).toBeInstanceOf(HostError);
    expect(String(error)).toBe(noRoom);
    expect((error as HostError).cause).toBeInstanceOf(RangeError);
    memories.length = 0;
    expect(await script.run().result).toEqual(Float64Array.of(1.5, 2.5));
  });

  const withMemory = '(module IMPORT (memory 1) (func (export "f") (param f64) (result f64) (local.get 0)))';
  const kinds: readonly (readonly [string, () => Promise<unknown>, string, ScriptOptions])[] = [
    ['that Sluice made', plugin, 'return Matrices.trace(3);', {}],
    ['by hand', async () => ownMemory(''), 'return W.f(1.0);', {}],
    ['in the thread of its owner', async () => ownMemory('(import "e" "g" (func))'), 'return W.f(1.0);', {}],
    [
      'in the thread of its owner, whose calls are recorded',
      async () => ownMemory('(import "e" "g" (func))'),
      'try { return W.f(1.0); } catch (e) { return 2.0; }',
      { record: true },
    ],
  ];

  function ownMemory(imported: string): unknown {
    const imports = imported === '' ? {} : { imports: { e: { g: () => {} } } };
    return wasmPlugin(assembleText(withMemory.replace('IMPORT', imported)), {
      name: 'W',
      functions: { 'double f(double x)': '' },
      ...imports,
    });
  }

  it.each(kinds)('is said to be the cause for a plugin %s too', async (_name, make, text, options) => {
    const script = await load(`main() { ${text} }`, { ...options, plugins: [await make()] });
    const memories = fillAddresses();
    const error = await errorOf(script.run().result);
    expect(String(error)).toBe(noRoom);
    expect((error as HostError).cause).toBeInstanceOf(RangeError);
    memories.length = 0;
    expect(await script.run().result).toBeTypeOf('number');
  });
});

describe('an engine that gives no memory back', () => {
  const { Memory } = WebAssembly;
  let made = 0;

  beforeEach(() => {
    dropFree();
    made = 0;
    // As many as a page of Chromium has room for.
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor: ConstructorParameters<typeof Memory>[0]) {
        if (made === 125) throw new RangeError('could not allocate memory');
        made++;
        super(descriptor);
      }
    };
  });
  afterEach(() => {
    WebAssembly.Memory = Memory;
  });

  const numbers = 'main() { double[] xs = [1.5, 2.5]; return xs; }';

  it('has room for 200 scripts, each of which has run', async () => {
    const wasm = await build(numbers);
    const scripts: Script[] = [];
    for (let count = 0; count < 200; count++) {
      const script = await loadScript(wasm);
      scripts.push(script);
      expect(await script.run().result).toEqual(Float64Array.of(1.5, 2.5));
    }
    expect(scripts).toHaveLength(200);
    expect(made).toBeLessThanOrEqual(1);
  });

  it('has room for 2,000 runs with a plugin that has a memory, one after the other', async () => {
    const script = await load('main(double x) { return [Matrices.trace(3) + x]; }', { plugins: [await plugin()] });
    for (let run = 0; run < 2_000; run++) expect(await script.run({ x: 0.5 }).result).toEqual(Float64Array.of(0.5));
    expect(made).toBeLessThanOrEqual(4);
  });

  it('has room for 50 of them at once, again and again', async () => {
    const script = await load('main(double[] xs) { yield Matrices.trace(3); yield xs.sum(); }', {
      plugins: [await plugin()],
    });
    for (let round = 0; round < 2; round++) {
      const runs = Array.from({ length: 50 }, (_, at) =>
        script.run({ xs: Float64Array.of(at, 1) })[Symbol.asyncIterator](),
      );
      for (const run of runs) expect((await run.next()).value).toBe(0);
      for (const [at, run] of runs.entries()) expect((await run.next()).value).toBe(at + 1);
      for (const run of runs) expect((await run.next()).done).toBe(true);
      // The second round needs more than were kept, unless the engine gives some back.
      made = 0;
    }
  });

  it('makes room by what is free', async () => {
    const wasm = await build(numbers);
    // The memories of one limit do not fit another.
    const limited = (pages: number): Promise<Script> => loadScript(wasm, { limits: { memoryBytes: pages * 65_536 } });
    const scratch = await load('main(double x) { return Matrices.trace(3) + x; }', { plugins: [await plugin()] });
    expect(await (await limited(20)).run().result).toEqual(Float64Array.of(1.5, 2.5));
    made = 124;
    expect(await errorOf(scratch.run({ x: 1 }).result)).toBe(null);
  });

  const text = `int deep(int n) { return deep(n + 1) + 1; }
  main(int n, double[] xs) {
    yield xs.sum() + Matrices.trace(3);
    if (n == 1) throw "thrown";
    if (n == 2) yield deep(n);
    if (n == 3) while (true) xs[0] += 1;
    if (n == 4) yield File.read("/there");
    yield xs;
  }`;
  const values = (n: number): { n: bigint; xs: Float64Array } => ({ n: BigInt(n), xs: Float64Array.of(1, 2) });
  const never = { permissions: () => new Promise<never>(() => {}) };

  const ends: readonly (readonly [string, ScriptOptions, (script: Script) => Promise<unknown>, string])[] = [
    ['a result', {}, (script) => errorOf(script.run(values(0)).result), 'null'],
    ['an error', {}, (script) => errorOf(script.run(values(1)).result), 'Error: thrown'],
    ['a guard', {}, (script) => errorOf(script.run(values(2)).result), 'StackOverflowError: '],
    ['its time', { limits: { timeMs: 5 } }, (script) => errorOf(script.run(values(3)).result), 'TimeoutError: '],
    [
      'its fuel',
      { limits: { fuel: 5_000 } },
      (script) => errorOf(script.run(values(3)).result),
      'QuotaExceededError: ',
    ],
    [
      'abort() while it waits',
      never,
      async (script) => {
        const run = script.run(values(4));
        const ended = errorOf(run.result);
        await new Promise((resolve) => setTimeout(resolve, 1));
        run.abort();
        return ended;
      },
      'AbortError: ',
    ],
    ['a loop that breaks', {}, leaveEarly, 'left'],
    [
      'a consumer that throws',
      {},
      (script) =>
        errorOf(
          script.run(values(0)).forEach(() => {
            throw new TypeError('consumer');
          }),
        ),
      'TypeError: consumer',
    ],
  ];

  async function leaveEarly(script: Script): Promise<string> {
    for await (const value of script.run(values(0))) {
      expect(value).toBe(3);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
    return 'left';
  }

  it.each(ends)('has the memories back from a run that ends with %s', async (_name, options, end, how) => {
    const script = await load(text, { ...options, plugins: [await plugin()] });
    for (let run = 0; run < 10; run++) expect(String(await end(script))).toContain(how);
    expect(made).toBeLessThanOrEqual(3);
  });

  it('has them back from a plugin that traps, and from instances that are closed', async () => {
    const trapping = wasmPlugin(assembleText('(module (func (export "f") (unreachable)))'), {
      name: 'W',
      functions: { 'void f()': '' },
    });
    const plugins = [await plugin(), trapping];
    const script = await load(
      'export double f(double[] xs) { return xs.sum() + Matrices.trace(3); }\nexport double g() { W.f(); return 1.0; }',
      { plugins },
    );
    for (let call = 0; call < 10; call++) {
      expect(await script.call('f', Float64Array.of(1, 2))).toMatchObject({ value: 3 });
      expect(String(await errorOf(script.call('g')))).toBe('PluginError: a plugin failed');
      const instance = script.instance();
      await instance.call('f', Float64Array.of(1, 2));
      instance.close();
    }
    expect(made).toBeLessThanOrEqual(3);
  });

  it('does not show one script what another has left in a memory, nor how far it has grown', async () => {
    const memory = '(import "sluice" "scratch" (memory 1 16384))';
    const grows = await loadScript(
      assemble({
        runtime: ['yieldInt'],
        imports: memory,
        main: `(drop (memory.grow (i32.const 3))) (i64.store (i32.const 8) (i64.const 5))
          (i64.store (i32.const 200000) (i64.const 5)) (call $yieldInt (i64.extend_i32_u (memory.size)))`,
      }),
    );
    const looks = await loadScript(
      assemble({
        runtime: ['yieldInt'],
        imports: memory,
        main: `(call $yieldInt (i64.extend_i32_u (memory.size))) (call $yieldInt (i64.load (i32.const 8)))
          (i64.store (i32.const 8) (i64.const 6))`,
      }),
    );
    const yieldsOf = async (script: Script): Promise<unknown[]> => {
      const found: unknown[] = [];
      await script.run().forEach((value) => void found.push(value));
      return found;
    };
    expect(await yieldsOf(grows)).toEqual([4n]);
    for (let run = 0; run < 3; run++) expect(await yieldsOf(looks)).toEqual([1n, 0n]);
    // Its own has grown before.
    expect(await yieldsOf(grows)).toEqual([7n]);
    expect(await yieldsOf(looks)).toEqual([1n, 0n]);
    expect(made).toBeLessThanOrEqual(2);
  });
});
