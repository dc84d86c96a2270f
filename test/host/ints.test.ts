// The option `ints`: what ints are in results, yields and calls. Texts stay those of the language whatever it says.

import { describe, expect, it } from 'vitest';
import { formatJson, formatValue, HostError, loadScript } from '../../runtime-host/api/node.ts';
import type { Ints, Script, ScriptError, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

const text = `
  type P { int x; double y; int[] marks; double[] ws; P next; }
  export int itself(int x) { return x; }
  export P point(int x) { yield x; return { x: x, y: 2.0, marks: [1, x], ws: [1.5, 2.0], next: null }; }
  export json object(int x) { return { "7": x, "a": [x, 2.0, 1.5], "d": 4.0 }; }
  export int[][] rows(int x) { return [[x], [1, 2]]; }
  export double[] doubles() { return [1.0, 0.5]; }
  export void nothing() { }
  export void failing(int x) { yield 1; yield [x, 2]; throw "own"; }
  main(int x) { yield x; yield [x, 1]; yield 2.0; P p = point(x); yield p; yield [p, null]; yield object(x); yield [true]; yield "3"; return x; }
`;
const safe = 3n;
const large = 2n ** 60n;
const wasm = (await compile('ints.slu', text)).artifact!.wasm;
const load = (options: ScriptOptions): Promise<Script> => loadScript(wasm, options);

const places: readonly ScriptOptions[] = [
  {},
  { isolation: 'worker', workerUrl: new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url) },
];

describe.each(places)('in %j', (place) => {
  it('bigint leaves them as they are', async () => {
    for (const script of [await load(place), await load({ ...place, ints: 'bigint' })]) {
      expect((await script.call('itself', safe)).value).toBe(safe);
      expect((await script.call('rows', safe)).value).toEqual([BigInt64Array.of(3n), BigInt64Array.of(1n, 2n)]);
      expect(await script.run({ x: safe }).result).toBe(safe);
    }
  });

  it('number gives numbers, and plain arrays of them', async () => {
    const script = await load({ ...place, ints: 'number' });
    expect((await script.call('itself', safe)).value).toBe(3);
    expect((await script.call('rows', safe)).value).toEqual([[3], [1, 2]]);
    expect((await script.call('nothing')).value).toBeUndefined();
    expect((await script.call('doubles')).value).toEqual(expect.any(Float64Array));
    const { value, yields } = await script.call('point', safe);
    expect(JSON.stringify(value)).toBe('{"x":3,"y":2,"marks":[1,3],"ws":[1.5,2],"next":null}');
    expect(JSON.stringify(yields)).toBe('[3]');
    expect(await script.run({ x: safe }).result).toBe(3);
    const values: unknown[] = [];
    for await (const one of script.run({ x: safe })) values.push(one);
    expect(values[0]).toBe(3);
    expect(JSON.stringify(values[1])).toBe('[3,1]');
  });

  it('number refuses what it cannot hold, and says where it is', async () => {
    const script = await load({ ...place, ints: 'number' });
    const refusal = async (work: () => Promise<unknown>): Promise<string> => {
      const error: unknown = await work().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(HostError);
      return (error as Error).message;
    };
    const why =
      'is the int 1152921504606846976, which a number cannot hold exactly: load the script with ints: ' +
      "'auto' or 'bigint' for it";
    expect(await refusal(() => script.call('itself', large))).toBe(`result ${why}`);
    expect(await refusal(() => script.call('point', large))).toBe(`result.x ${why}`);
    expect(await refusal(() => script.call('object', large))).toBe(`result.7 ${why}`);
    expect(await refusal(() => script.call('rows', large))).toBe(`result[0][0] ${why}`);
    expect(await refusal(() => script.run({ x: large }).forEach(() => {}))).toBe(`yield ${why}`);
    expect(await refusal(() => script.run({ x: large }).result)).toContain(why);
    expect(
      await refusal(async () => {
        for await (const one of script.run({ x: large })) expect(one).toBe(null);
      }),
    ).toBe(`yield ${why}`);
    // The next call is another matter.
    expect((await script.call('itself', -safe)).value).toBe(-3);
  });

  it.each(['number', 'auto'] as const)(
    '%s gives what a call has yielded before it failed as numbers, where they are exact',
    async (ints) => {
      const script = await load({ ...place, ints });
      const yieldsOf = async (x: bigint): Promise<unknown> =>
        script.call('failing', x).then(
          () => null,
          (error: unknown) => (error as ScriptError).yields,
        );
      expect(JSON.stringify(await yieldsOf(safe))).toBe('[1,[3,2]]');
      expect(formatJson((await yieldsOf(safe)) as never)).toBe('[1,[3,2]]');
      expect(await yieldsOf(large)).toEqual([1, [large, 2]]);
    },
  );

  it('auto gives numbers where they are exact', async () => {
    const script = await load({ ...place, ints: 'auto' });
    expect((await script.call('itself', safe)).value).toBe(3);
    expect((await script.call('itself', large)).value).toBe(large);
    expect((await script.call('rows', large)).value).toEqual([[large], [1, 2]]);
    expect((await script.call('itself', 2n ** 53n)).value).toBe(2n ** 53n);
    expect((await script.call('itself', 2n ** 53n - 1n)).value).toBe(2 ** 53 - 1);
  });

  it.each([safe, large, -1n])('texts are the same for %s', async (x) => {
    const expected = await textsOf(await load(place), x);
    for (const ints of ['auto', ...(x === large ? [] : ['number'])] as Ints[])
      expect(await textsOf(await load({ ...place, ints }), x)).toEqual(expected);
  });

  async function textsOf(script: Script, x: bigint): Promise<unknown> {
    const run = script.run({ x });
    const asked: string[] = [];
    const formatted: string[] = [];
    await run.forEach((value, textOf) => {
      asked.push(textOf());
      // Of a number by itself nothing tells what it was.
      if (typeof value === 'object') formatted.push(formatValue(value));
    });
    const point = await script.call('point', x);
    return [
      asked,
      formatted,
      await run.resultText,
      formatJson(point.value),
      formatJson(point.yields),
      formatJson((await script.call('object', x)).value),
    ];
  }
});

describe('a script with other ints', () => {
  it('is the same script', async () => {
    const script = await load({});
    const numbers = await script.with({ ints: 'number' });
    expect(numbers.callSync('itself', 5).value).toBe(5);
    expect((await numbers.with({ ints: 'bigint' })).callSync('itself', 5).value).toBe(5n);
    expect(script.callSync('itself', 5).value).toBe(5n);
    const instance = numbers.instance();
    expect((await instance.call('rows', 1)).value).toEqual([[1], [1, 2]]);
    instance.close();
  });

  it.each(['string', 1, null, {}])('cannot have %j', async (ints) => {
    const said = { name: 'HostError', message: "the option ints is 'bigint', 'number' or 'auto'" };
    await expect(load({ ints: ints as Ints })).rejects.toMatchObject(said);
    await expect((await load({})).with({ ints: ints as Ints })).rejects.toMatchObject(said);
  });

  it('is told by own properties alone', async () => {
    const script = await load({});
    Object.defineProperty(Object.prototype, 'ints', { value: 'number', configurable: true });
    try {
      expect((await script.with({} as never)).callSync('itself', 5).value).toBe(5n);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'ints');
    }
    await expect(script.with(7 as never)).rejects.toThrow(HostError);
  });

  it('changes no class of the engine', async () => {
    await (await load({ ints: 'number' })).call('doubles');
    expect('toJSON' in Float64Array.prototype || 'toJSON' in BigInt.prototype).toBe(false);
    expect(Object.keys((await (await load({ ints: 'number' })).call('doubles')).value as object)).toEqual(['0', '1']);
  });
});
