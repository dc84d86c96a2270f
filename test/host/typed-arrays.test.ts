// int[] and double[] are typed arrays outside, wherever they stand and however long they are: they go through
// the staging memory chunk by chunk.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptValue } from '../../runtime-host/api/node.ts';
import { stagedNumbers } from '../../src/abi/imports.ts';
import { compile } from '../../src/compile.ts';
import { assembleText, emptyManifest, withManifest } from './module.ts';

async function resultOf(text: string): Promise<ScriptValue | undefined> {
  const { artifact } = await compile('test.slu', text);
  return (await loadScript(artifact!.wasm)).run().result;
}

describe('an array of numbers', () => {
  it.each([
    ['return new int[0];', new BigInt64Array(0)],
    ['return new double[0];', new Float64Array(0)],
    ['return [1, -2];', BigInt64Array.of(1n, -2n)],
    ['return [[0.5], []];', [Float64Array.of(0.5), new Float64Array(0)]],
    ['return new boolean[1];', [false]],
    ['string[] none = [];\nreturn none;', []],
  ])('%s', async (text, value) => {
    const result = await resultOf(text);
    expect(result).toEqual(value);
    expect(Object.getPrototypeOf(result)).toBe(Object.getPrototypeOf(value));
  });
});

async function load(text: string): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  expect(diagnostics).toEqual([]);
  return loadScript(artifact!.wasm);
}

describe('arrays of any length', () => {
  const echo = `
    main(double[] ds, int[] ns) { yield ds; yield ns; yield [ds, ds]; return [ns]; }
    export double[] doubles(double[] xs) { yield xs; return xs; }
    export int[] ints(int ...xs[]) { return xs; }
    export double last(double[] xs) { return xs.isEmpty() ? 0.0 : xs[xs.length() - 1]; }
  `;
  const lengths = [
    0,
    1,
    3,
    4,
    5,
    stagedNumbers - 1,
    stagedNumbers,
    stagedNumbers + 1,
    2 * stagedNumbers,
    2 * stagedNumbers + 7,
    100_003,
  ];

  it.each(lengths)('%i elements come back as they went', async (length) => {
    const script = await load(echo);
    const ds = Float64Array.from({ length }, (_, at) => at / 3 - 5);
    const ns = BigInt64Array.from({ length }, (_, at) => BigInt(at) * 1_000_000_007n - 2n ** 40n);
    const run = script.run({ ds, ns });
    const seen: unknown[] = [];
    await run.forEach((value) => seen.push(value));
    expect(seen).toEqual([ds, ns, [ds, ds]]);
    expect(await run.result).toEqual([ns]);
    const instance = script.instance();
    expect(instance.callSync('doubles', ds)).toEqual({ value: ds, yields: [ds] });
    expect(instance.callSync('doubles', Array.from(ds))).toEqual({ value: ds, yields: [ds] });
    expect(instance.callSync('ints', ns).value).toEqual(ns);
    expect(instance.callSync('ints', Array.from(ns)).value).toEqual(ns);
    expect(instance.callSync('last', ds).value).toBe(length === 0 ? 0 : ds[length - 1]);
  });

  it('keeps what is special', async () => {
    const script = await load(echo);
    const ds = Float64Array.of(Number.NaN, -0, Infinity, -Infinity, Number.MIN_VALUE);
    expect(script.callSync('doubles', ds).value).toEqual(ds);
    const ns = BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n, 0n);
    expect(script.callSync('ints', ns).value).toEqual(ns);
  });

  it('takes other typed arrays and parts of larger ones', async () => {
    const script = await load(echo);
    expect(script.callSync('doubles', Float32Array.of(0.5, 2)).value).toEqual(Float64Array.of(0.5, 2));
    expect(script.callSync('ints', Int32Array.of(-1, 2)).value).toEqual(BigInt64Array.of(-1n, 2n));
    expect(script.callSync('doubles', Float64Array.of(1, 2, 3, 4).subarray(1, 3)).value).toEqual(Float64Array.of(2, 3));
  });

  it('copies the arguments of a run when it is made, and shares nothing with a call', async () => {
    const script = await load(echo);
    const ds = Float64Array.of(1, 2);
    const run = script.run({ ds, ns: [] });
    const { value } = script.callSync('doubles', ds);
    ds[0] = 9;
    expect(value).toEqual(Float64Array.of(1, 2));
    const seen: ScriptValue[] = [];
    await run.forEach((item) => seen.push(item));
    expect(seen[0]).toEqual(Float64Array.of(1, 2));
  });
});

describe('the staging memory', () => {
  it('serves a call from within the yields of a run', async () => {
    const script = await load(
      'export double[] twice(double[] xs) { for (int i = 0; i < xs.length(); i++) xs[i] *= 2; return xs; }\n' +
        'main(double[] xs) { yield xs; yield twice(xs); return xs; }',
    );
    const xs = Float64Array.from({ length: stagedNumbers + 10 }, (_, at) => at);
    const run = script.run({ xs });
    const seen: unknown[] = [];
    await run.forEach((value) => seen.push([value, script.callSync('twice', value).value]));
    const times = (factor: number): Float64Array => xs.map((x) => x * factor);
    expect(seen).toEqual([
      [xs, times(2)],
      [times(2), times(4)],
    ]);
    expect(await run.result).toEqual(times(2));
  });

  it('holds nothing of an earlier run', async () => {
    // Reads an array, and in a later run finishes with the number at the start of the memory.
    const bytes = assembleText(`(module
      (import "sluice" "staging" (memory 1 1))
      (import "sluice" "hasArgument" (func $has (param i32) (result i32)))
      (import "sluice" "readArray" (func $count (result i32)))
      (import "sluice" "readStaged" (func $read (param i32)))
      (import "sluice" "writeDouble" (func $write (param f64)))
      (import "sluice" "finish" (func $finish))
      (tag $error (param i32 externref i32))
      (func $main
        (if (call $has (i32.const 0)) (then (call $read (call $count))))
        (call $write (f64.load (i32.const 8)))
        (call $finish))
      (export "run" (func $main))
      (export "error" (tag $error)))`);
    const script = await loadScript(
      withManifest(bytes, {
        ...emptyManifest,
        parameters: [{ name: 'xs', type: { array: 'double' }, required: false }],
      }),
    );
    expect(await script.run({ xs: [1, 2, 3] }).result).toBe(2);
    expect(await script.run().result).toBe(0);
  });
});
