// The host implements what the registry declares, all of it and nothing else; and what is not JavaScript's own.

import { describe, expect, it } from 'vitest';
import { bindFree } from '../../runtime-host/namespaces/free-functions.ts';
import { loadGuarded } from '../../runtime-host/namespaces/guarded-functions.ts';
import { seededRandom } from '../../runtime-host/namespaces/math/functions.ts';
import { nativeFunctions } from '../../runtime-host/namespaces/native/functions.ts';
import { builtInLibraries } from '../../src/library/registry.ts';

const limit = (message: string): never => {
  throw new Error(`limit: ${message}`);
};
const refuse = (): never => {
  throw new Error('nothing is asked here');
};
const native = nativeFunctions(limit);
const declared = builtInLibraries.flatMap((library) =>
  library.functions.filter((row) => row.implementation.kind === 'host').map((row) => row.id),
);
const nothing = {
  platform: { files: null, http: null, system: null },
  privateNetwork: 'deny',
  variables: {},
  realRoot: refuse,
} as const;
const guarded = Object.entries(await loadGuarded(new Set(declared))).map(
  ([namespace, { bind }]) => [namespace, bind(nothing, refuse)] as const,
);
const implementations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...bindFree({ random: Math.random, clock: Date.now, raiseMemoryLimit: limit }),
  ...Object.fromEntries(guarded),
};

describe("the host's library", () => {
  it('has every function that the registry gives to the host', () => {
    const implemented = Object.entries(implementations).flatMap(([namespace, functions]) =>
      Object.keys(functions).map((name) => `${namespace}.${name}`),
    );
    expect(implemented.toSorted()).toEqual(declared.toSorted());
  });

  it('loads what a module imports from, and nothing else', async () => {
    expect(Object.keys(await loadGuarded(new Set(['File.read', 'File.list', 'Math.sin', 'sluice.finish'])))).toEqual([
      'File',
    ]);
    expect(await loadGuarded(new Set(['Filer.read', 'Math.sin']))).toEqual({});
  });

  it('hands Math over bare', () => {
    const math = implementations['Math']!;
    for (const [name, fn] of Object.entries(math))
      expect(fn, name).toBe((Math as unknown as Record<string, unknown>)[name]);
  });

  it('draws evenly from a seed', () => {
    const random = seededRandom(1);
    const draws = Array.from({ length: 100_000 }, random);
    expect(draws.every((x) => x >= 0 && x < 1)).toBe(true);
    expect(draws.reduce((sum, x) => sum + x, 0) / draws.length).toBeCloseTo(0.5, 2);
    expect(new Set(draws).size).toBe(draws.length);
    expect(seededRandom(0)()).not.toBe(seededRandom(-0)());
    expect([0, 0].map(seededRandom(1))).toEqual([0.6711698802575431, 0.048656506270061906]);
    expect(() => seededRandom(Number.NaN)).toThrow('finite');
  });

  it.each([
    [1.005, 2, '1.00'],
    [1e21, 2, '1000000000000000000000.00'],
    [-1e22, 0, '-10000000000000000000000'],
    [0.5, 0, '1'],
    [Number.NaN, 3, 'NaN'],
    [-Infinity, 1, '-Infinity'],
    [1 / 3, 20, '0.33333333333333331483'],
  ])('%d.toFixed(%d)', (x, digits, text) => expect(native.textOfFixed(x, digits)).toBe(text));

  it('replaces literally, and around characters where the text is empty', () => {
    expect(native.replaceAll('a.b.c', '.', '$&')).toBe('a$&b$&c');
    expect(native.replaceAll('a😀', '', '-')).toBe('-a-😀-');
    expect(native.replaceAll('', '', 'x')).toBe('x');
  });

  it("turns the engine's limit on strings into the script's", () => {
    expect(() => native.repeat('ab', 2 ** 30)).toThrow('limit: ');
    expect(native.repeat('ab', -1)).toBe('');
  });
});
