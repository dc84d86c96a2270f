// Options as they should not be: proxies that throw or were revoked, getters, names that there are none of, values of
// another kind. Each exported function that takes options reads them one way: a HostError, or a TypeError where plugins
// and compiling have those, says which, and has what was thrown as its cause. And which functions throw, which reject.

import { afterAll, describe, expect, it } from 'vitest';
import { loadScript as loadInBrowser } from '../../runtime-host/api/browser.ts';
import {
  ArgumentError,
  createMemoryPlatform,
  createNodePlatform,
  createPool,
  defineModule,
  HostError,
  loadScript,
  ScriptFunction,
} from '../../runtime-host/api/node.ts';
import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import { checkSource, compile, memoryReader } from '../../src/index.ts';
import { load } from './scripts.ts';

const { artifact } = await compile(
  't.slu',
  'export int f(int n) { return n; }\nmain(int n = 1) { yield n; return n; }',
);
const { wasm } = artifact!;
const pool = createPool({ maxWorkers: 1 });
afterAll(() => pool.close());

const boom = new Error('/secret/of/the/host');
const fail = (): never => {
  throw boom;
};
const revoked = (target: object): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const throwing = (target: object): object =>
  new Proxy(target, { ownKeys: fail, get: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail, has: fail });
const bad = (target: object): readonly object[] => [revoked(target), throwing(target)];

/** What a function that takes options does with them, whether it throws or rejects. */
type Taker = readonly [name: string, type: new (message: string) => Error, take: (options: never) => unknown];

const takers: readonly Taker[] = [
  ['loadScript', HostError, (options) => loadScript(wasm, options)],
  ['loadScript of browsers', HostError, (options) => loadInBrowser(wasm, options)],
  ['Script.with', HostError, async (options) => (await loadScript(wasm)).with(options)],
  ['createPool', HostError, (options) => createPool(options)],
  ['createNodePlatform', HostError, (options) => createNodePlatform(options)],
  ['createMemoryPlatform', HostError, (options) => createMemoryPlatform(options)],
  ['compile', TypeError, (options) => compile('t.slu', '', options)],
  ['checkSource', TypeError, (options) => checkSource('t.slu', '', options)],
];

async function errorOf(work: () => unknown): Promise<Error> {
  try {
    await work();
  } catch (error) {
    expect((error as Error).message).not.toMatch(/secret|revoked/);
    return error as Error;
  }
  return expect.fail('it was taken');
}

describe.each(takers)('%s', (_name, type, take) => {
  it('says that options cannot be read', async () => {
    for (const options of bad({})) {
      const error = await errorOf(() => take(options as never));
      expect(error).toBeInstanceOf(type);
      expect(error.message).toMatch(/: it cannot be read, since reading it throws an error$/);
      expect(error.cause === boom || error.cause instanceof TypeError).toBe(true);
    }
  });

  it('refuses what are no options, and a name that it does not know', async () => {
    for (const options of [null, 5, 'x', [], Object.assign(Object.create(null), { nmae: 1, zzz: 2 })])
      expect(await errorOf(() => take(options as never))).toBeInstanceOf(type);
    expect((await errorOf(() => take({ zzzz: 1 } as never))).message).toContain('there is no option zzzz: ');
  });
});

describe('an option of loadScript', () => {
  const objects: readonly (keyof ScriptOptions)[] = [
    'environment',
    'platform',
    'limits',
    'plugins',
    'pool',
    'workerUrl',
    'replay',
    'permissions',
    'isolation',
    'trusted',
    'record',
    'ints',
    'random',
    'clock',
    'log',
    'onDecision',
    'privateNetwork',
    'promptTimeoutMs',
  ];

  it.each(objects)('is refused where it cannot be read: %s', async (name) => {
    const inWorker = name === 'pool' || name === 'workerUrl' ? { isolation: 'worker' as const } : {};
    for (const value of [...bad({}), ...bad([])]) {
      const error = await errorOf(() => loadScript(wasm, { ...inWorker, [name]: value }));
      expect(error).toBeInstanceOf(HostError);
      expect(error.message).toMatch(new RegExp(name === 'replay' ? 'replay|log' : name));
    }
  });

  it.each<[ScriptOptions | object, string]>([
    [{ trusted: 'yes' }, 'the option trusted is true or false'],
    [{ isolation: 'thread' }, "the option isolation is 'none', 'worker' or 'process'"],
    [{ pool: {} }, 'the option pool is a pool that createPool() made, and that is not closed'],
    [{ record: 1 }, 'the option record is true or false; the log is in run.log'],
    [{ plugins: bad({}) }, 'plugins[0]: it cannot be read, since reading it throws an error'],
    [{ limits: { most: revoked({}) } }, 'limits.most: it cannot be read'],
    [{ ints: 5 }, "the option ints is 'bigint', 'number' or 'auto'"],
  ])('is of its kind, wherever the script runs: %#', async (options, message) => {
    for (const loading of [loadScript, loadInBrowser]) {
      const error = await errorOf(() => loading(wasm, options));
      expect(error).toBeInstanceOf(HostError);
      expect(error.message).toContain(message);
    }
  });
});

describe('what loadScript takes', () => {
  const module = 'loadScript takes the bytes of a module, or a WebAssembly.Module';
  it.each<[string, () => unknown, string]>([
    ['the artifact', () => artifact, `${module}, and not what compile() calls the artifact: give artifact.wasm`],
    [
      'all that compile() gives',
      () => compile('t.slu', 'yield 1;'),
      `${module}, and not all that compile() gives: give artifact.wasm of it`,
    ],
    [
      'that of a script with errors',
      () => compile('t.slu', 'yield x;'),
      `${module}: compile() has made none, since the script has errors, which are in its diagnostics`,
    ],
    ['undefined', () => undefined, module],
    ['null', () => null, module],
    ['an object', () => ({}), module],
    [
      'what only looks like bytes',
      () => Object.create(Uint8Array.prototype),
      'the bytes of the module: it cannot be read',
    ],
    ['what only looks like a URL', () => Object.create(URL.prototype), 'the URL of the module: it cannot be read'],
    ['a proxy of bytes', () => new Proxy(wasm, {}), 'the bytes of the module: it cannot be read'],
  ])('says what to give: %s', async (_name, source, message) => {
    const given = await source();
    for (const loading of [loadScript, loadInBrowser]) {
      const error = await errorOf(() => loading(given as never));
      expect(error).toBeInstanceOf(HostError);
      expect(error.message).toContain(message);
    }
  });

  it('can be read', async () => {
    for (const source of bad({}))
      for (const loading of [loadScript, loadInBrowser]) {
        const error = await errorOf(() => loading(source as never));
        expect(error).toBeInstanceOf(HostError);
        expect(error.message).toMatch(/^the module: it cannot be read/);
      }
  });

  it('is no promise', async () => {
    await expect(loadScript(Promise.resolve(wasm) as never)).rejects.toThrow(
      `${module}, and not a promise of them: await it first`,
    );
  });
});

describe('an option of a platform', () => {
  it.each<[object, string]>([
    [{ baseDir: 5 }, 'the option baseDir is a path'],
    [{ resolve: 5 }, 'the option resolve is a function that takes a name'],
    [{ certificateAuthorities: 'PEM' }, 'the option certificateAuthorities is a list of certificates'],
    [{ certificateAuthorities: [5] }, 'the option certificateAuthorities is a list of certificates'],
    [{ certificateAuthorities: revoked([]) }, 'the option certificateAuthorities: it cannot be read'],
    [{ certificateAuthorities: throwing([]) }, 'the option certificateAuthorities: it cannot be read'],
  ])('of Node is of its kind: %#', async (options, message) => {
    const error = await errorOf(() => createNodePlatform(options));
    expect(error).toBeInstanceOf(HostError);
    expect(error.message).toContain(message);
  });

  it.each<[object, string]>([
    ...['files', 'directories', 'links', 'baseDir', 'caseSensitive', 'clock', 'server', 'system'].map(
      (name): [object, string] => [{ [name]: 5 }, `the option ${name} is `],
    ),
    ...['files', 'directories', 'links', 'system'].flatMap((name) =>
      bad(name === 'directories' ? [] : {}).map((value): [object, string] => [
        { [name]: value },
        `the option ${name}: it cannot be read`,
      ]),
    ),
    [{ files: { '/a': 5 } }, 'the option files is an object with a text, or bytes, for each path'],
    [{ directories: [5] }, 'the option directories is a list of paths'],
    [{ links: { '/a': null } }, 'the option links is an object with a path for each path'],
    [{ files: { '/a': '', '/a/b': '' } }, 'do not go together'],
  ])('in memory is of its kind: %#', async (options, message) => {
    const error = await errorOf(() => createMemoryPlatform(options));
    expect(error).toBeInstanceOf(HostError);
    expect(error.message).toContain(message);
  });
});

describe('what a plugin is declared with', () => {
  const call = (): number => 1;
  it.each<[string, () => unknown]>([
    [
      'a function',
      () => defineModule({ name: 'A', functions: { 'int f()': { call, permision: 'db:query' } as never } }),
    ],
    ['a method', () => ScriptFunction('int f()', '', { permision: 'db:query' } as never)({}, 'f', { value: call })],
  ])('names no permission that is misspelt: %s', async (_name, declare) => {
    const error = await errorOf(declare);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/^"int f\(\)": there is no option permision$/);
  });
});

describe('what compile takes', () => {
  it.each<[object, string]>([
    [{ guards: revoked({}) }, 'the option guards: it cannot be read'],
    [{ limits: throwing({}) }, 'the option limits: it cannot be read'],
    [{ signal: revoked({}) }, 'the option signal: it cannot be read'],
    [{ reader: revoked({}) }, 'the option reader: it cannot be read'],
    [{ plugins: revoked([]) }, 'the option plugins: it cannot be read'],
    [{ plugins: bad({}) }, 'plugins[0]: it cannot be read'],
    [{ worker: 'yes' }, 'the option worker takes true or false, not string'],
    [{ sourceMap: 1 }, 'the option sourceMap takes true or false, not number'],
  ])('is refused: %#', async (options, message) => {
    const error = await errorOf(() => compile('t.slu', 'yield 1;', options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(message);
  });

  it('has texts in memory', () => {
    for (const files of [null, 5, [], { a: 5 }, ...bad({})])
      expect(() => memoryReader(files as never)).toThrow('memoryReader takes an object with a text for each path');
  });
});

describe('mistakes of the embedder', () => {
  it('reject where a promise is given, and never throw', async () => {
    const script = await load('export int f(int n) { return n; }\nmain(int n = 1) { yield n; return n; }');
    const run = script.run();
    const instance = script.instance();
    for (const promised of [
      () => loadScript(null as never, null as never),
      () => loadInBrowser(null as never, null as never),
      () => compile(null as never, null as never, null as never),
      () => script.with(null as never),
      () => script.call('g' as never),
      () => script.call('f', 'x'),
      () => instance.call('f', revoked([]) as never),
      () => run.log,
      () => run.forEach(null as never),
    ]) {
      let given: unknown;
      expect(() => (given = promised())).not.toThrow();
      expect(given).toBeInstanceOf(Promise);
      await expect(given).rejects.toBeInstanceOf(Error);
    }
  });

  it('throw where none is given, before anything has begun', async () => {
    const script = await loadScript(wasm, { isolation: 'worker', pool });
    const before = pool.stats.served;
    for (const values of [{ n: 'x' }, { m: 1 }, revoked({}), throwing({})])
      expect(() => script.run(values as never)).toThrow(ArgumentError);
    for (const values of [5, [], 'x']) expect(() => script.run(values as never)).toThrow(HostError);
    expect(() => createPool({ maxWorkers: 0 })).toThrow(HostError);
    expect(pool.stats).toMatchObject({ served: before, queued: 0, running: 0 });
    expect(await script.run({ n: 2 }).result).toBe(2n);
  });
});
