// Objects that do not keep still: proxies whose traps throw or lie, revoked ones, getters that throw or say something
// else the second time. As arguments they are an ArgumentError or are read once; as answers of plugins a PluginError;
// as grants a denial. What they throw is the embedder's alone, and the script runs afterwards as it did.

import { afterAll, describe, expect, it } from 'vitest';
import {
  ArgumentError,
  createMemoryPlatform,
  createPool,
  defineModule,
  FileGrant,
  HostError,
  loadScript,
} from '../../runtime-host/api/node.ts';
import type { FileConstraints, Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';
import { collectLog, load } from './scripts.ts';

const pool = createPool({ maxWorkers: 1 });
afterAll(() => pool.close());

const text = `type P { double x; string s; }
  export int ints(int[] v) { return v.length(); }
  export int doubles(double[] v) { return v.length(); }
  export int texts(string[] v) { return v.length(); }
  export int rows(int[][] v) { return v.length(); }
  export int points(P[] v) { return v.length(); }
  export double point(P v) { return v.x; }
  export string data(json v) { return Json.stringify(v).replace(" ", "").replace("\\n", ""); }
  export int rest(int ...v[]) { return v.length(); }
  export int restOfRows(int[] ...v[]) { return v.length(); }
  main(int[] ints = [], double[] doubles = [], string[] texts = [], int[][] rows = [], P[] points = [], P point = null, json data = null) {
    return ints.length() + doubles.length() + texts.length() + rows.length() + points.length();
  }`;

class Boom extends Error {}
const boom = new Boom('/secret/of/the/host');
const fail = (): never => {
  throw boom;
};

const traps = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const;

/** Proxies of an object, by what is wrong with them: each trap throws, or all do, or there is none any more. */
function broken(target: object): readonly (readonly [string, object])[] {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return [
    ...traps.map((trap) => [`${trap} throws`, new Proxy(target, { [trap]: fail })] as const),
    ['all traps throw', new Proxy(target, Object.fromEntries(traps.map((trap) => [trap, fail])))],
    ['revoked', proxy],
  ];
}

const withGetter = (target: object, name: string): object =>
  Object.defineProperty(target, name, { get: fail, enumerable: true });

/** What stands for each parameter, broken in each way. */
const values: readonly (readonly [parameter: string, made: readonly (readonly [string, unknown])[]])[] = [
  ['ints', broken([1n])],
  ['doubles', broken([1])],
  ['texts', broken(['a'])],
  ['rows', [...broken([[1n]]), ...broken([1n]).map(([how, row]) => [`a row: ${how}`, [row]] as const)]],
  [
    'points',
    [...broken([{ x: 1, s: '' }]), ...broken({ x: 1, s: '' }).map(([how, p]) => [`one: ${how}`, [p]] as const)],
  ],
  ['point', [...broken({ x: 1, s: '' }), ['a getter', withGetter({ s: '' }, 'x')]]],
  [
    'data',
    [
      ...broken({ a: 1 }),
      ...broken([1]).map(([how, list]) => [`a list: ${how}`, list] as const),
      ...broken({ a: 1 }).map(([how, one]) => [`within: ${how}`, { b: [one] }] as const),
      ['a getter', withGetter({ a: 1 }, 'b')],
    ],
  ],
];

/** What a call did: its value, or the error, which must be one that embedders know. */
async function attempt(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'fine';
  } catch (error) {
    expect(error).toBeInstanceOf(ArgumentError);
    const { message, stack, cause } = error as ArgumentError;
    expect(`${message}${stack ?? ''}`).not.toMatch(/secret|proxy|revoked|TypeError: TypeError/i);
    expect(message).toMatch(/: it cannot be read, since reading it throws an error$|expected .*, got |missing/);
    if (message.endsWith('throws an error')) expect(cause === boom || cause instanceof TypeError).toBe(true);
    return message;
  }
}

describe.each<[string, ScriptOptions]>([
  ['here', {}],
  ['in a worker', { isolation: 'worker', pool }],
])('an argument that cannot be read is an ArgumentError, %s', (_where, options) => {
  it.each(values)('%s', async (parameter, made) => {
    const script = await load(text, options);
    const instance = script.instance();
    for (const [, value] of made) {
      const told = [
        await attempt(() => script.run({ [parameter]: value }).result),
        await attempt(() => script.call(parameter, value)),
        await attempt(() => instance.call(parameter, value)),
        ...(options.isolation === undefined ? [await attempt(() => script.callSync(parameter, value))] : []),
      ];
      expect(
        new Set(told.map((one) => one.replace(`${parameter}: ${parameter === 'x' ? '' : 'v'}`, parameter))).size,
      ).toBe(1);
    }
    // Nothing of it is left.
    expect((await instance.call('ints', [1, 2])).value).toBe(2n);
    expect(await script.run({ doubles: [1] }).result).toBe(1n);
    instance.close();
  });

  it('as the object of all arguments', async () => {
    const script = await load(text, options);
    const told: string[] = [];
    for (const [how, all] of broken({ ints: [1n] }))
      told.push(`${how}: ${await attempt(() => script.run(all as never).result)}`);
    told.push(`getter: ${await attempt(() => script.run(withGetter({}, 'ints') as never).result)}`);
    const names = 'the arguments of a run: it cannot be read, since reading it throws an error';
    const one = 'ints: it cannot be read, since reading it throws an error';
    expect(told).toEqual([
      `get throws: ${one}`,
      'has throws: fine',
      `ownKeys throws: ${names}`,
      `getOwnPropertyDescriptor throws: ${names}`,
      'getPrototypeOf throws: fine',
      `all traps throw: ${names}`,
      `revoked: ${names}`,
      `getter: ${one}`,
    ]);
  });

  it('among the rest of a call', async () => {
    const script = await load(text, options);
    for (const [, list] of broken([1n])) {
      await attempt(() => script.call('rest', list));
      await attempt(() => script.call('rest', 1n, list));
      await attempt(() => script.call('restOfRows', [list]));
      await attempt(() => script.call('restOfRows', list, [1n]));
    }
    for (const [, list] of broken([[1n]])) await attempt(() => script.call('restOfRows', list));
    expect((await script.call('restOfRows', [[1n], [2n]])).value).toBe(2n);
    expect((await script.call('restOfRows', [1n], [2n], [3n])).value).toBe(3n);
  });

  it('in place of the name of a function', async () => {
    const script = await load(text, options);
    for (const [, name] of [
      ...broken({}),
      ...broken(() => {}),
      ['symbol', Symbol('x')],
      ['object', { toString: fail }],
    ]) {
      await expect(script.call(name as never)).rejects.toBeInstanceOf(ArgumentError);
      const expected = options.isolation === undefined ? ArgumentError : HostError;
      expect(() => script.callSync(name as never)).toThrow(expected);
    }
  });
});

/** A list whose length is what each question for it is answered with in turn, and then always the last. */
function listOf(lengths: readonly unknown[], items: readonly unknown[]): unknown {
  let asked = 0;
  return new Proxy([...items], {
    get: (target, name) =>
      name === 'length' ? lengths[Math.min(asked++, lengths.length - 1)] : (target as never)[name],
  });
}

describe('a length', () => {
  const kinds: readonly (readonly [parameter: string, items: readonly unknown[]])[] = [
    ['ints', [1, 2, 3]],
    ['doubles', [1, 2, 3]],
    ['texts', ['a', 'b', 'c']],
    ['rows', [[1], [2], [3]]],
    ['points', [null, null, null]],
    ['rest', [1, 2, 3]],
    ['restOfRows', [[1], [2], [3]]],
  ];

  it.each(kinds)('is asked for once: %s', async (parameter, items) => {
    const script = await load(text);
    expect(script.callSync(parameter, listOf([2, 3, 4, 5], items)).value).toBe(2n);
    expect(script.callSync(parameter, listOf([3, 1, 0], items)).value).toBe(3n);
    expect(script.callSync('data', listOf([2, 3], items)).value).toMatch(/^\[[^,]*,[^,]*\]$/);
    expect(() => script.callSync(parameter, listOf([4], items))).toThrow(
      parameter === 'restOfRows' ? 'v[0][0]: expected int, got array' : /\[3\]: expected .*, got undefined/,
    );
  });

  it.each(kinds)('is a number that an array can have: %s', async (parameter, items) => {
    const script = await load(text);
    for (const length of [1.5, -1, NaN, Infinity, 2 ** 53, 2 ** 40, -Infinity])
      for (const called of [parameter, 'data'])
        expect(() => script.callSync(called, listOf([length], items))).toThrow(
          new RegExp(`: v: an array cannot have ${String(length)} elements$`),
        );
    for (const length of ['2', null, undefined, 2n, {}, { valueOf: fail }, Symbol('2')])
      for (const called of [parameter, 'data'])
        expect(() => script.callSync(called, listOf([length], items))).toThrow(
          /: v: the length of an array is a number, not /,
        );
  });

  it('is asked for before anything that the elements do to it', async () => {
    const script = await load(text);
    const list: unknown[] = [1, 2, 3];
    Object.defineProperty(list, 0, {
      get: () => {
        list.length = 1;
        return 1;
      },
    });
    expect(() => script.callSync('ints', list)).toThrow('ints: v[1]: expected int, got undefined');
    const growing: unknown[] = ['a'];
    Object.defineProperty(growing, 0, { get: () => (growing.push('b'), 'a') });
    expect(script.callSync('texts', growing).value).toBe(1n);
  });
});

describe('what is read', () => {
  it('is read once, whatever it is the second time', async () => {
    const script = await load(text);
    let asked = 0;
    const p = Object.defineProperty({ s: '' }, 'x', { enumerable: true, get: () => (asked++ === 0 ? 5 : 'five') });
    expect(script.callSync('point', p).value).toBe(5);
    expect(asked).toBe(1);
    asked = 0;
    const data = Object.defineProperty({}, 'a', { enumerable: true, get: () => (asked++ === 0 ? 1 : fail()) });
    expect(script.callSync('data', data).value).toBe('{"a":1}');
    expect(asked).toBe(1);
  });

  it('is what a typed array holds, and nothing that it says of itself', async () => {
    const script = await load(text);
    const lying = (array: object): object => {
      for (const name of [
        'length',
        'slice',
        'subarray',
        'buffer',
        'byteOffset',
        Symbol.iterator,
        Symbol.toStringTag,
        'constructor',
      ])
        Object.defineProperty(array, name, { get: fail });
      return array;
    };
    for (const array of [Float64Array.of(1, 2), Float32Array.of(1, 2)]) {
      expect(script.callSync('doubles', lying(array)).value).toBe(2n);
      expect(script.callSync('data', array).value).toBe('[1.0,2.0]');
      expect(await script.run({ doubles: array }).result).toBe(2n);
    }
    for (const array of [BigInt64Array.of(1n, 2n), Int8Array.of(1, 2), BigUint64Array.of(1n, 2n)]) {
      expect(script.callSync('ints', lying(array)).value).toBe(2n);
      expect(script.callSync('data', array).value).toBe('[1,2]');
      expect(await script.run({ ints: array }).result).toBe(2n);
    }
    const given = Float64Array.of(1);
    structuredClone(given, { transfer: [given.buffer] });
    expect(() => script.callSync('doubles', lying(given))).toThrow('its memory is detached');
  });

  it('may be of another realm', async () => {
    const { runInNewContext } = await import('node:vm');
    const script = await load(text);
    expect(script.callSync('doubles', runInNewContext('Float64Array.of(1, 2)')).value).toBe(2n);
    expect(await script.run({ ints: runInNewContext('[1, 2n]') as bigint[] }).result).toBe(2n);
  });

  it('may call back into the script, and nothing is mixed up', async () => {
    const script = await load(text);
    const instance = script.instance();
    const nested = Object.defineProperty({ s: '' }, 'x', {
      enumerable: true,
      get: () => Number(instance.callSync('ints', [1, 2, 3]).value),
    });
    expect(instance.callSync('point', nested).value).toBe(3);
    const closing = Object.defineProperty({ s: '' }, 'x', { enumerable: true, get: () => (instance.close(), 1) });
    expect(() => instance.callSync('point', closing)).toThrow(HostError);
  });
});

describe("a plugin's answer that cannot be read", () => {
  const signatures: Readonly<Record<string, readonly unknown[]>> = {
    'int[] ints()': [...broken([1n]).map(([, value]) => value), listOf([1.5], [1]), listOf([3, 1], [1])],
    'double[] doubles()': [...broken([1]).map(([, value]) => value), listOf(['1'], [1])],
    'string[] texts()': broken(['a']).map(([, value]) => value),
    'json data()': [...broken({ a: 1 }).map(([, value]) => value), ...broken([1]).map(([, value]) => ({ a: value }))],
    'P point()': [...broken({ x: 1 }).map(([, value]) => value), withGetter({}, 'x')],
    'string text()': broken({}).map(([, value]) => value),
    'int number()': broken({}).map(([, value]) => value),
    'boolean flag()': broken(() => true).map(([, value]) => value),
  };

  it.each(Object.entries(signatures))('is a PluginError: %s', async (signature, answers) => {
    const name = /(\w+)\(/.exec(signature)![1]!;
    for (const isAsync of [false, true]) {
      let answer: unknown;
      const plugin = defineModule({
        name: 'Odd',
        types: ['type P { double x; }'],
        functions: { [signature]: { call: () => answer, async: isAsync } },
      });
      const { artifact } = await compile(
        't.slu',
        `main() { try { Odd.${name}(); return "fine"; } catch (PluginError e) { return e; } }`,
        {
          plugins: [plugin],
        },
      );
      const { lines, log } = collectLog();
      const script: Script = await loadScript(artifact!.wasm, { plugins: [plugin], log });
      for (answer of answers) {
        const result = await script.run().result;
        expect(result === 'fine' || /^Odd\.\w+ (did not return .*|failed)$/.test(String(result))).toBe(true);
        expect(String(result)).not.toContain('secret');
      }
      // It is the operator who is told what was thrown.
      expect(
        lines.some((line) => line.includes('/secret/of/the/host')) || /^(int|string|boolean) /.test(signature),
      ).toBe(true);
    }
  });
});

describe('a grant that does not keep still', () => {
  const read = async (grant: () => unknown): Promise<unknown> => {
    const script = await load(
      'main() { try { return File.read("/a.txt"); } catch (SecurityError e) { return "denied"; } }',
      {
        platform: createMemoryPlatform({ files: { '/a.txt': 'text', '/b/c.txt': '' } }),
        permissions: () => grant() as never,
      },
    );
    return script.run().result;
  };

  it('denies, as one that cannot be read does', async () => {
    for (const [, constraints] of broken({ allowedDirectories: ['/'] }).filter(
      ([how]) => !/^(get|has|getPrototypeOf) /.test(how),
    ))
      expect(await read(() => FileGrant(constraints))).toBe('denied');
    for (const [, list] of broken(['/']).filter(([how]) => !/^(has|ownKeys|getPrototypeOf) /.test(how)))
      expect(await read(() => FileGrant({ allowedDirectories: list as string[] }))).toBe('denied');
    for (const [, answer] of broken({})) expect(await read(() => answer)).toBe('denied');
    expect(await read(() => FileGrant({ allowedDirectories: ['/b'] }))).toBe('denied');
    expect(await read(() => FileGrant({ allowedDirectories: ['/'] }))).toBe('text');
  });

  it('counts as it was read the first time', async () => {
    // Denied at first, and without the constraint if it were asked again.
    let asked = 0;
    const forgetful = new Proxy({ allowedDirectories: ['/b'] } as FileConstraints, {
      getOwnPropertyDescriptor: (target, name) => ({
        ...Reflect.getOwnPropertyDescriptor(target, name)!,
        value: asked++ === 0 ? ['/b'] : undefined,
      }),
    });
    expect(await read(() => FileGrant(forgetful))).toBe('denied');
    expect(asked).toBe(1);
  });

  it('has lists as long as they were at first', async () => {
    for (const lengths of [[1, 2 ** 53], [1.5], ['1'], [-1], [NaN], [2 ** 40]] as const) {
      const list = listOf(lengths, ['/b']) as string[];
      expect(await read(() => FileGrant({ allowedDirectories: list }))).toBe('denied');
    }
    expect(await read(() => FileGrant({ allowedDirectories: listOf([1, 2 ** 53], ['/']) as string[] }))).toBe('text');
  });
});

describe('random numbers and times that are none', () => {
  it.each(['random', 'clock'])('end the run with a HostError: %s', async (option) => {
    for (const [, value] of [...broken({}), ['symbol', Symbol('1')], ['object', { toString: fail, valueOf: fail }]]) {
      const script = await load('main() { return Math.random() + Date.now(); }', { [option]: () => value });
      await expect(script.run().result).rejects.toThrow(HostError);
    }
  });
});
