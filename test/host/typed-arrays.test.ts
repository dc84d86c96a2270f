// int[] and double[] are typed arrays outside, wherever they stand and however long they are.

import { describe, expect, it } from 'vitest';
import { loadScript } from '../../runtime-host/node.ts';
import type { ScriptValue } from '../../runtime-host/node.ts';
import { compile } from '../../src/compile.ts';

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
