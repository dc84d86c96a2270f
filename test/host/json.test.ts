// json across the boundary: plain data goes in and comes out, with every int and every double what it was.

import { beforeAll, describe, expect, it } from 'vitest';
import { ArgumentError, JsonDouble, loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptError } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

async function load(text: string): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return loadScript(artifact!.wasm);
}

describe('a json argument', () => {
  let echo: Script;
  let describeKind: Script;

  beforeAll(async () => {
    echo = await load('main(json j) { yield j; return j; }');
    describeKind = await load('main(json j) { return j == null ? "null" : j.kind(); }');
  });

  const textOf = async (value: unknown): Promise<string | undefined> => echo.run({ j: value }).resultText;

  it.each([
    [null, 'null'],
    [true, 'boolean'],
    [5, 'int'],
    [5n, 'int'],
    [-(2n ** 63n), 'int'],
    [5.5, 'double'],
    [-0, 'double'],
    [2 ** 53, 'double'],
    [NaN, 'double'],
    [new JsonDouble(5), 'double'],
    ['text', 'string'],
    [[], 'array'],
    [Float64Array.of(1), 'array'],
    [{}, 'object'],
    [Object.create(null), 'object'],
  ])('%s is of the kind %s', async (value, kind) => {
    expect(await describeKind.run({ j: value }).result).toBe(kind);
  });

  it('comes back as it went in', async () => {
    const value = { a: [1, 2.5, 'x', true, null, {}], __proto__x: 1, big: 9007199254740993n, '': [[]], ü: '😀' };
    const result = await echo.run({ j: value }).result;
    expect(result).toEqual(
      Object.assign(Object.create(null), { ...value, a: [1, 2.5, 'x', true, null, Object.create(null)] }),
    );
  });

  it('has no prototype when it comes out', async () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    const result = (await echo.run({ j: hostile }).result) as object;
    expect(Object.getPrototypeOf(result)).toBe(null);
    expect(Object.keys(result)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined);
  });

  it('prints its ints and doubles as what they are', async () => {
    const value = {
      i: 5,
      d: new JsonDouble(5),
      list: [1, new JsonDouble(2), 2.5],
      typed: Float64Array.of(1, 2),
      ints: BigInt64Array.of(1n),
      big: 2n ** 62n,
    };
    expect(await textOf(value)).toBe(
      '{"i":5,"d":5.0,"list":[1,2.0,2.5],"typed":[1.0,2.0],"ints":[1],"big":4611686018427387904}',
    );
    expect(await textOf(5)).toBe('5');
    expect(await textOf(new JsonDouble(5))).toBe('5.0');
  });

  it('prints the same in a yield, whenever it is asked', async () => {
    const seen: string[] = [];
    const run = echo.run({ j: { a: 1, b: new JsonDouble(1) } });
    await run.result;
    await run.forEach((_value, text) => seen.push(text()));
    const scalar = echo.run({ j: 7 });
    await scalar.forEach((_value, text) => seen.push(text()));
    const kept = echo.run({ j: 7 });
    await kept.result;
    await kept.forEach((_value, text) => seen.push(text()));
    expect(seen).toEqual(['{"a":1,"b":1.0}', '7', '7']);
  });

  it.each([
    ['undefined', { a: undefined }, 'j.a: expected json, got undefined'],
    ['a function', [() => 1], 'j[0]: expected json, got function'],
    ['a symbol', { a: [Symbol('x')] }, 'j.a[0]: expected json, got symbol'],
    ['a date', new Date(0), 'j: expected json, got object'],
    ['a map', new Map(), 'j: expected json, got object'],
    ['an int beyond 64 bits', [2n ** 63n], 'j[0]: expected int, got 9223372036854775808, which is beyond 64 bits'],
  ])('is refused with %s inside', (_what, value, message) => {
    expect(() => echo.run({ j: value })).toThrow(new ArgumentError('j', message));
  });

  it.each([
    [Float32Array.of(1, 2.5), '[1.0,2.5]'],
    [Float64Array.of(1, 2.5, NaN), '[1.0,2.5,null]'],
    [Uint8Array.of(1, 2), '[1,2]'],
    [Int32Array.of(-1), '[-1]'],
    [BigInt64Array.of(2n ** 62n), '[4611686018427387904]'],
    [BigUint64Array.of(7n), '[7]'],
  ])('takes the numbers of a typed array for what its type says: %o', async (value, text) => {
    expect(await textOf(value)).toBe(text);
  });

  it('is refused when an array in it is longer than an array can be', () => {
    const values = [new Uint8Array(150_000_000), new Array(2 ** 32 - 1)];
    for (const value of values)
      expect(() => echo.run({ j: { a: value } })).toThrow(
        new ArgumentError('j', `j.a: an array cannot have ${value.length} elements`),
      );
  });

  it('is refused when it holds itself', () => {
    const value: Record<string, unknown> = {};
    value['x'] = value;
    expect(() => echo.run({ j: value })).toThrow('nested deeper than 512, or it holds itself');
  });

  it('is taken to a depth of 512 and comes out again, and is refused beyond', async () => {
    const nested = (depth: number): unknown =>
      depth === 1 ? {} : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };
    expect(await textOf(nested(512))).toBe(JSON.stringify(nested(512)));
    expect(() => echo.run({ j: nested(513) })).toThrow('nested deeper than 512, or it holds itself');
  });

  it('mends lone surrogates', async () => {
    expect(await echo.run({ j: { '\ud800': '\udc00' } }).result).toEqual(
      Object.assign(Object.create(null), { '\ufffd': '\ufffd' }),
    );
  });

  it('keeps the last of two keys that become the same', async () => {
    expect(await textOf({ '\ud800': 1, '\udc00': 2 })).toBe('{"\ufffd":2}');
  });
});

describe('json in other values', () => {
  it('is a field and an element', async () => {
    const script = await load('type Box { json value; double d; json[] list; } main(Box b) { return b; }');
    const run = script.run({ b: { value: 5, d: 5, list: [1, new JsonDouble(1), { a: 1 }, null] } });
    expect(await run.resultText).toBe('{"value":5,"d":5.0,"list":[1,1.0,{"a":1},null]}');
  });

  it('goes into an exported function and comes out', async () => {
    const script = await load('export json wrap(json j, int n = 1) { return { j: j, n: n }; }');
    const { value } = script.callSync('wrap', { a: [1] });
    expect(value).toEqual(
      Object.assign(Object.create(null), { j: Object.assign(Object.create(null), { a: [1] }), n: 1 }),
    );
  });
});

describe('errors of json', () => {
  it('carry the place in the script', async () => {
    const script = await load('main(string text) {\n  json j = Json.parse(text);\n  return j.a;\n}');
    const fail = async (text: string): Promise<ScriptError> =>
      script.run({ text }).result.then(
        () => {
          throw new Error('did not fail');
        },
        (error: unknown) => error as ScriptError,
      );
    const parse = await fail('{"a": }');
    expect([parse.name, parse.message, parse.frames[0]?.line, parse.frames[0]?.column]).toEqual([
      'ParseError',
      "line 1, column 7: expected a value, got '}'",
      2,
      12,
    ]);
    const missing = await fail('{"b": 1}');
    expect([missing.name, missing.message, missing.frames[0]?.line]).toEqual([
      'KeyNotFoundError',
      "there is no key 'a'; the keys are 'b'",
      3,
    ]);
  });
});
