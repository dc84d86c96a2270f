// Values out of a module and into it, and the text they print as.

import { describe, expect, it } from 'vitest';
import { formatJson, formatValue, HostError, JsonDouble, loadScript } from '../../runtime-host/api/node.ts';
import type { ScriptValue } from '../../runtime-host/api/node.ts';
import { assemble } from './module.ts';

const point = {
  name: 'Point',
  fields: [
    { name: 'x', type: 'double' },
    { name: '__proto__', type: 'string' },
    { name: 'next', type: { struct: 0 } },
    { name: 'tags', type: { array: 'int' } },
  ],
} as const;

describe('values out', () => {
  const simple = assemble({
    runtime: ['yieldInt', 'yieldDouble', 'yieldBoolean', 'yieldString', 'writeString', 'finish'],
    strings: { hello: 'hello' },
    main: `
      (call $yieldInt (i64.const -9223372036854775808))
      (call $yieldDouble (f64.const 4))
      (call $yieldBoolean (i32.const 1))
      (call $yieldString (global.get $hello))
      (call $yieldString (ref.null noextern))
      (call $writeString (global.get $hello))
      (call $finish)`,
  });

  it('hands simple values over one by one, with their text', async () => {
    const script = await loadScript(simple);
    const seen: [ScriptValue, string][] = [];
    const run = script.run();
    await run.forEach((value, text) => seen.push([value, text()]));
    expect(seen).toEqual([
      [-9223372036854775808n, '-9223372036854775808'],
      [4, '4.0'],
      [true, 'true'],
      ['hello', 'hello'],
      [null, 'null'],
    ]);
    expect(await run.result).toBe('hello');
    expect(await run.resultText).toBe('hello');
  });

  it('iterates over yields, in a buffer if the result was asked for first', async () => {
    const script = await loadScript(simple);
    const run = script.run();
    expect(await run.result).toBe('hello');
    const seen: ScriptValue[] = [];
    for await (const value of run) seen.push(value);
    expect(seen).toEqual([-9223372036854775808n, 4, true, 'hello', null]);
    await expect(run.forEach(() => {})).rejects.toThrow('taken already');
    expect(script.run()).not.toBe(run);
  });

  it('refuses a consumer that is none, and the values are there for another', async () => {
    const run = (await loadScript(assemble({ runtime: ['yieldInt'], main: '(call $yieldInt (i64.const 7))' }))).run();
    await expect(run.forEach(undefined as never)).rejects.toThrow(
      new HostError('forEach takes a function, which gets each value'),
    );
    const seen: unknown[] = [];
    await run.forEach((value) => seen.push(value));
    expect(seen).toEqual([7n]);
  });

  it('returns undefined where the program returns nothing', async () => {
    const run = (await loadScript(assemble({ main: '' }))).run();
    expect(await run.result).toBeUndefined();
    expect(await run.resultText).toBeUndefined();
  });

  it('builds arrays and structs', async () => {
    const bytes = assemble(
      {
        runtime: [
          'beginArray',
          'beginStruct',
          'end',
          'writeDouble',
          'writeInt',
          'writeNull',
          'writeString',
          'writeBoolean',
          'yieldValue',
        ],
        strings: { text: 'a' },
        main: `
          (call $beginArray (i32.const 2) (i32.const 2)) (call $writeDouble (f64.const 1.5)) (call $writeDouble (f64.const nan)) (call $end) (call $yieldValue)
          (call $beginArray (i32.const 1) (i32.const 1)) (call $writeInt (i64.const 7)) (call $end) (call $yieldValue)
          (call $beginArray (i32.const 2) (i32.const 0)) (call $writeBoolean (i32.const 1)) (call $writeBoolean (i32.const 0)) (call $end) (call $yieldValue)
          (call $beginStruct (i32.const 0))
            (call $writeDouble (f64.const 2)) (call $writeString (global.get $text))
            (call $beginStruct (i32.const 0))
              (call $writeDouble (f64.const -0)) (call $writeNull) (call $writeNull) (call $writeNull)
            (call $end)
            (call $beginArray (i32.const 0) (i32.const 1)) (call $end)
          (call $end) (call $yieldValue)`,
      },
      { structs: [point] },
    );
    const seen: ScriptValue[] = [];
    for await (const value of (await loadScript(bytes)).run()) seen.push(value);
    expect(seen[0]).toEqual(Float64Array.of(1.5, Number.NaN));
    expect(seen[1]).toEqual(BigInt64Array.of(7n));
    expect(seen[2]).toEqual([true, false]);
    const struct = seen[3] as { [field: string]: ScriptValue };
    expect(Object.getPrototypeOf(struct)).toBeNull();
    expect(Object.keys(struct)).toEqual(['x', '__proto__', 'next', 'tags']);
    expect(struct['tags']).toEqual(new BigInt64Array(0));
    expect(seen.map(formatValue)).toEqual([
      '[1.5,null]',
      '[7]',
      '[true,false]',
      '{"x":2.0,"__proto__":"a","next":{"x":-0.0,"__proto__":null,"next":null,"tags":null},"tags":[]}',
    ]);
  });

  it('refuses nesting beyond 512 with an error of the script', async () => {
    const bytes = assemble({
      runtime: ['beginArray'],
      main: '(loop $again (call $beginArray (i32.const 1) (i32.const 0)) (br $again))',
    });
    await expect((await loadScript(bytes)).run().result).rejects.toMatchObject({
      name: 'TypeError',
      message: 'nested deeper than 512',
    });
  });
});

describe('the text of values', () => {
  it.each([
    [4, '4.0'],
    [-0, '-0.0'],
    [3.14, '3.14'],
    [1.7e308, '1.7e+308'],
    [1e-7, '1e-7'],
    [1e21, '1e+21'],
    [1e20, '100000000000000000000.0'],
    [Number.NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [5n, '5'],
    ['a"b\n', 'a"b\n'],
    [null, 'null'],
    [false, 'false'],
  ])('%s', (value, text) => expect(formatValue(value)).toBe(text));

  it('prints a JsonDouble as the double that it stands for', () => {
    expect(formatJson([new JsonDouble(5), 5n, { a: new JsonDouble(-0.5) }])).toBe('[5.0,5,{"a":-0.5}]');
    expect(formatJson(new JsonDouble(5))).toBe('5.0');
  });

  it('escapes as JSON does, and keeps what is not ASCII', () => {
    expect(formatJson(['\u0001"\\\né😀', Infinity])).toBe('["\\u0001\\"\\\\\\né😀",null]');
  });
});

describe('values in', () => {
  const echo = assemble(
    {
      runtime: [
        'hasArgument',
        'readNull',
        'readArray',
        'readDouble',
        'readString',
        'readInt',
        'readBoolean',
        'yieldInt',
        'yieldDouble',
        'yieldString',
        'yieldBoolean',
      ],
      locals: '(local $count i32)',
      // The parameters: double[] a, Point p, string s.
      main: `
        (if (call $hasArgument (i32.const 0)) (then
          (if (call $readNull) (then (call $yieldInt (i64.const -1))) (else
            (local.set $count (call $readArray))
            (call $yieldInt (i64.extend_i32_u (local.get $count)))
            (block $done (loop $next
              (br_if $done (i32.eqz (local.get $count)))
              (call $yieldDouble (call $readDouble))
              (local.set $count (i32.sub (local.get $count) (i32.const 1)))
              (br $next)))))))
        (if (call $hasArgument (i32.const 1)) (then
          (if (call $readNull) (then (call $yieldInt (i64.const -2))) (else
            (call $yieldDouble (call $readDouble))
            (call $yieldString (call $readString))
            (if (call $readNull) (then (call $yieldInt (i64.const -3))))
            (drop (call $readNull))
            (drop (call $readArray))
            (call $yieldInt (call $readInt))
            (call $yieldInt (call $readInt))))))
        (if (call $hasArgument (i32.const 2)) (then (call $yieldString (call $readString))))`,
    },
    {
      structs: [point],
      parameters: [
        { name: 'a', type: { array: 'double' }, required: false },
        { name: 'p', type: { struct: 0 }, required: false },
        { name: 's', type: 'string', required: false },
      ],
    },
  );
  const yields = async (values: Record<string, unknown>): Promise<ScriptValue[]> => {
    const seen: ScriptValue[] = [];
    await (await loadScript(echo)).run(values).forEach((value) => seen.push(value));
    return seen;
  };

  it('reads arrays, plain and typed', async () => {
    expect(await yields({ a: [1, 2.5] })).toEqual([2n, 1, 2.5]);
    expect(await yields({ a: Float64Array.of(3) })).toEqual([1n, 3]);
    expect(await yields({ a: Int8Array.of(-4) })).toEqual([1n, -4]);
    expect(await yields({ a: [] })).toEqual([0n]);
    expect(await yields({ a: null })).toEqual([-1n]);
    expect(await yields({ a: undefined })).toEqual([]);
  });

  it('reads structs as their fields in a row', async () => {
    const fields = JSON.parse('{"tags":[5,6],"x":1,"__proto__":"s","next":null,"more":1}') as object;
    expect(await yields({ p: fields, s: 'after' })).toEqual([1, 's', -3n, 5n, 6n, 'after']);
  });

  it('makes texts well formed', async () => {
    expect(await yields({ s: 'a\ud800b' })).toEqual(['a\ufffdb']);
    expect(await yields({ s: null })).toEqual([null]);
  });

  it('copies arguments before the run starts', async () => {
    const a = [1, 2];
    const run = (await loadScript(echo)).run({ a });
    a[0] = 99;
    const seen: ScriptValue[] = [];
    for await (const value of run) seen.push(value);
    expect(seen).toEqual([2n, 1, 2]);
  });
});
