// Manifests that lie: each part of one, with each of a row of hostile values in its place. What is refused is refused
// with one sentence before anything runs; what is taken does no harm, in this thread and in a worker.

import { describe, expect, it } from 'vitest';
import { HostError, loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import { manifestSection } from '../../src/abi/manifest.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import { readManifest } from '../../src/abi/manifest-reader.ts';
import { assemble, emptyManifest, withManifest, withSection } from './module.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

/** One with everything in it. */
const full: Manifest = {
  ...emptyManifest,
  headers: [{ tool: 'sluice', key: 'k', value: 'v' }],
  parameters: [{ name: 'p', type: { struct: 0 }, required: false }],
  exports: [
    {
      name: 'f',
      parameters: [
        { name: 'n', type: 'int', required: true, variadic: false },
        { name: 'rest', type: { array: 'int' }, required: false, variadic: true },
      ],
      returns: 'int',
    },
  ],
  yields: ['int', null],
  results: [{ array: 'string' }],
  structs: [
    {
      name: 'P',
      file: 'lib.slu',
      fields: [
        { name: 'x', type: 'double' },
        { name: 'next', type: { struct: 0 } },
      ],
    },
  ],
  waits: ['run'],
  guards: ['use'],
  plugins: [],
  asks: ['File.Read'],
  namespaces: ['Math'],
  locations: {
    files: ['test.slu'],
    functions: ['main'],
    places: [0, 1, 1, 0],
    code: [40, 0],
    uses: ['x'],
    used: [0, 0],
  },
};

const body = assemble(
  {
    runtime: ['yieldInt'],
    functions: '(func $f (call $yieldInt (i64.const 1))) (export "call.f" (func $f))',
    main: '(call $yieldInt (i64.const 1)) unreachable',
  },
  null,
);

/** Every part, by the way to it: `exports.0.name`. */
function partsOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => partsOf(item, [...at, key]))];
}

const hole = '<here>';

/** The JSON of the manifest with a text in the place of a part. */
function jsonWith(path: readonly string[], text: string): string {
  const copy = structuredClone({ root: full }) as Record<string, unknown>;
  let holder = copy;
  const keys = ['root', ...path];
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  holder[keys.at(-1)!] = hole;
  return JSON.stringify(copy['root']).replace(JSON.stringify(hole), () => text);
}

const declaration = JSON.stringify('x; }\nexport declare const evil: 1; /* ` ${1} */ //');
const hostile: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  'a negative number': '-1',
  'a fraction': '0.5',
  'a number beyond doubles': '1e999',
  'a large number': '9007199254740993',
  'an empty text': '""',
  'a declaration': declaration,
  __proto__: '"__proto__"',
  'a text of a million characters': JSON.stringify('é'.repeat(1_000_000)),
  'a lone surrogate and controls': '"\\ud800\\u0000\\u001b[2J\\u202e"',
  'an empty list': '[]',
  'a list of null': '[null]',
  'an object': '{}',
  'an object with a prototype':
    '{"__proto__":{"name":"x","array":"int","toString":1},"constructor":1,"toString":null,"then":1}',
  'an array of an array that is none': '{"array":{"array":{"struct":-1}}}',
  'a struct that is not there': '{"struct":1}',
  'a million levels': '['.repeat(1_000_000) + ']'.repeat(1_000_000),
  'a million levels of a type': '{"array":'.repeat(1_000_000) + '"int"' + '}'.repeat(1_000_000),
};

function moduleWith(json: string): Uint8Array<ArrayBuffer> {
  return withSection(body, manifestSection, new TextEncoder().encode(json));
}

/** How it ends to load a module and to run it, in every way that there is. */
async function useOf(bytes: Uint8Array, options: ScriptOptions): Promise<unknown[]> {
  const ends: unknown[] = [];
  const keep = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      ends.push(error);
    }
  };
  await keep(async () => {
    const script = await loadScript(bytes, options);
    if (script.manifest.parameters !== null) await keep(() => script.run({}).result);
    for (const { name } of script.exports) await keep(() => script.call(name, 1));
    if (options.isolation === undefined)
      for (const { name } of script.exports) await keep(() => script.callSync(name, 1, 2));
  });
  return ends;
}

/** Errors of the engine, and of code that trusts a module, are none that an embedder gets. */
function expectPlain(error: unknown): void {
  const isOurs =
    error instanceof HostError || error instanceof ScriptError || (error as Error).name === 'InternalError';
  expect(isOurs ? '' : String(error)).toBe('');
  expect((error as Error).message).not.toMatch(/undefined|is not a function|Cannot read|call stack|\[object/);
}

describe.each(Object.entries(hostile))('%s in place of', (_what, text) => {
  it('each part of a manifest is refused with one sentence, or does no harm', async () => {
    // What is large takes long to make, and is the same in most places.
    const paths =
      text.length < 1_000
        ? partsOf(full)
        : ['', 'abi', 'name', 'parameters.0.type', 'exports.0.name', 'results.0.array', 'locations.places'].map(
            (path) => path.split('.').filter((key) => key !== ''),
          );
    for (const path of paths) {
      const bytes = moduleWith(jsonWith(path, text));
      const before = performance.now();
      const ends = await useOf(bytes, {});
      expect(performance.now() - before, path.join('.')).toBeLessThan(2_000);
      for (const error of ends) expectPlain(error);
      // A module that is taken ends as it does with its own manifest: in the trap of its main.
      const refusal = ends.find((error) => error instanceof HostError);
      if (refusal instanceof HostError)
        expect(refusal.message, path.join('.')).toMatch(
          /^(the manifest of this WebAssembly module is damaged|this module (speaks version|does not export|exports|does not keep|was compiled))/,
        );
    }
  });
});

it('the same holds where the script runs in a worker', async () => {
  const texts = ['a declaration', '__proto__', 'an empty list', 'null', 'a struct that is not there'].map(
    (name) => hostile[name]!,
  );
  const seen = new Set<string>();
  for (const path of partsOf(full)) {
    for (const text of texts) {
      const json = jsonWith(path, text);
      // What is refused is refused before there is a worker.
      const manifest = readManifest(new TextEncoder().encode(json));
      if (typeof manifest === 'string' || seen.has(path[0]!)) continue;
      seen.add(path[0]!);
      for (const error of await useOf(moduleWith(json), { isolation: 'worker', workerUrl })) expectPlain(error);
    }
  }
  expect(seen.size).toBeGreaterThan(5);
}, 60_000);

describe('what a manifest is held to', () => {
  const refused = (change: object): string => {
    const manifest = readManifest(new TextEncoder().encode(JSON.stringify({ ...full, ...change })));
    return typeof manifest === 'string'
      ? manifest.replace('the manifest of this WebAssembly module is damaged: ', '')
      : 'taken';
  };
  const [fn] = full.exports!;
  const [n] = fn!.parameters;
  it.each<[string, object, string]>([
    ['itself', {}, 'taken'],
    [
      'a parameter twice',
      {
        parameters: [
          { name: 'a', type: 'int', required: true },
          { name: 'a', type: 'int', required: true },
        ],
      },
      'parameters has a name twice',
    ],
    ['an export twice', { exports: [fn, fn] }, 'exports has a name twice'],
    [
      'a field twice',
      {
        structs: [
          {
            name: 'P',
            fields: [
              { name: 'x', type: 'int' },
              { name: 'x', type: 'int' },
            ],
          },
        ],
      },
      'structs[0].fields has a name twice',
    ],
    ['a name that is none', { exports: [{ ...fn, name: 'f(): 1; g' }] }, 'exports[0].name is not a name'],
    ['a name that ends in a line feed', { exports: [{ ...fn, name: 'f\n' }] }, 'exports[0].name is not a name'],
    [
      'something variadic in front',
      {
        exports: [
          {
            ...fn,
            parameters: [
              { ...n, type: { array: 'int' }, variadic: true },
              { ...n, name: 'm' },
            ],
          },
        ],
      },
      'n of f cannot be variadic',
    ],
    [
      'something variadic that is no array',
      { exports: [{ ...fn, parameters: [{ ...n, variadic: true }] }] },
      'n of f cannot be variadic',
    ],
    [
      'a struct that is not there',
      { results: [{ array: { struct: 1 } }] },
      'what it yields or returns is of a struct that is not there',
    ],
    ['a type with more to it', { results: [{ array: 'int', struct: 0 }] }, 'results[0] is not a type'],
    ['no locations', { locations: undefined }, 'no locations'],
    ['a place that is cut off', { locations: { ...full.locations, places: [0, 1, 1] } }, 'its locations are cut off'],
    ['code that is cut off', { locations: { ...full.locations, code: [1] } }, 'its locations are cut off'],
    [
      'a place in a file that is not there',
      { locations: { ...full.locations, places: [1, 1, 1, 0] } },
      'its locations point to what is not there',
    ],
    [
      'a place in no function',
      { locations: { ...full.locations, places: [0, 1, 1, -1] } },
      'its locations point to what is not there',
    ],
    [
      'a use that is not there',
      { locations: { ...full.locations, used: [0, 1] } },
      'its locations point to what is not there',
    ],
  ])('%s', (_name, change, what) => expect(refused(change)).toBe(what));

  it('what nobody knows is left out, and what is absent is not found in a prototype', () => {
    const manifest = readManifest(
      new TextEncoder().encode(
        JSON.stringify({ ...emptyManifest, more: 1, headers: [{ tool: 'a', key: 'b', value: 'c', more: 1 }] }),
      ),
    ) as Manifest;
    expect(Object.keys(manifest)).not.toContain('more');
    expect(manifest.headers).toEqual([{ tool: 'a', key: 'b', value: 'c' }]);
    expect(Object.getPrototypeOf(manifest)).toBeNull();
  });

  it('a section that is large, cut off, no UTF-8, or there twice', async () => {
    const sections = [
      new Uint8Array(2 ** 24 + 1).fill(0x20),
      new TextEncoder().encode(JSON.stringify(full).slice(0, -1)),
      Uint8Array.of(0x22, 0xff, 0x22),
      new Uint8Array(),
      new TextEncoder().encode(`[${'{},'.repeat(1_100_000)}0]`),
    ];
    for (const section of sections)
      await expect(loadScript(withSection(body, manifestSection, section))).rejects.toThrow(HostError);
    await expect(loadScript(withManifest(withManifest(body, full), full))).rejects.toThrow(
      'it has more than one manifest',
    );
  });

  it('an array of 500 dimensions is a type, and one of a thousand is not', () => {
    const nested = (levels: number): object => ({
      results: [JSON.parse(`${'{"array":'.repeat(levels)}"int"${'}'.repeat(levels)}`) as object],
    });
    expect([refused(nested(500)), refused(nested(1000))]).toEqual(['taken', 'it is nested too deep']);
  });
});
