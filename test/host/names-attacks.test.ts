// Modules that lie about names and places: of imports and exports, of functions in the engine's stacks, of where code
// comes from.

import { describe, expect, it } from 'vitest';
import { formatLocation, HostError, loadScript } from '../../runtime-host/api/node.ts';
import type { ScriptError } from '../../runtime-host/api/node.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import { assemble, assembleText, emptyManifest, withManifest, withSection } from './module.ts';

const tag =
  '(type $p (func (param i32 externref i32))) (tag $error (type $p) (param i32 externref i32)) (export "error" ' +
  '(tag $error))';
const run = '(func $run) (export "run" (func $run))';
const moduleOf = (text: string): Uint8Array<ArrayBuffer> =>
  withManifest(assembleText(`(module ${text})`), emptyManifest);
const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => row(at)).join('\n');

describe('imports and exports', () => {
  it.each<[string, string, RegExp]>([
    ['a module called __proto__', `(import "__proto__" "x" (func)) ${tag} ${run}`, /imports __proto__\.x, which/],
    [
      'a function called __proto__',
      `(import "sluice" "__proto__" (func)) ${tag} ${run}`,
      /imports sluice\.__proto__, which/,
    ],
    [
      'constructor',
      `(import "constructor" "constructor" (func)) ${tag} ${run}`,
      /imports constructor\.constructor, which/,
    ],
    [
      'a name that is divided elsewhere',
      `(import "Text.string" "shout" (func)) ${tag} ${run}`,
      /imports Text\.string\.shout, which/,
    ],
    ['an empty module', `(import "" "File.read" (func)) ${tag} ${run}`, /imports \.File\.read, which/],
    [
      'a known one twice',
      `(import "sluice" "end" (func)) (import "sluice" "end" (func)) ${tag} ${run}`,
      /imports sluice\.end twice/,
    ],
    [
      'many of them',
      `${rows(20_000, (at) => `(import "File" "f${at}" (func))`)} ${tag} ${run}`,
      /imports File\.f0, which/,
    ],
    [
      'a known one many times',
      `${rows(20_000, () => '(import "sluice" "end" (func))')} ${tag} ${run}`,
      /imports sluice\.end twice/,
    ],
    ['a name of 50,000 characters', `(import "sluice" "${'x'.repeat(50_000)}" (func)) ${tag} ${run}`, /^.{0,150}$/],
    [
      'an export of 50,000 characters',
      `(func $f) (export "${'x'.repeat(50_000)}" (func $f)) ${tag} ${run}`,
      /^.{0,150}$/,
    ],
    [
      'many exports',
      `(func $f) ${rows(20_000, (at) => `(export "direct.f${at}" (func $f))`)} ${tag} ${run}`,
      /exports the function direct\.f0, which/,
    ],
    [
      'an export called __proto__',
      `(func $f) (export "__proto__" (func $f)) ${tag} ${run}`,
      /exports the function __proto__, which/,
    ],
    [
      'run as a global',
      `(global $g i32 (i32.const 1)) (export "run" (global $g)) ${tag}`,
      /does not export the function run/,
    ],
    ['the tag as a function', `(func $f) (export "error" (func $f)) ${run}`, /does not export the tag error/],
  ])('%s', async (_what, text, message) => {
    const bytes = moduleOf(text);
    const before = performance.now();
    const error = await loadScript(bytes).catch((thrown: unknown) => thrown as Error);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect([error instanceof HostError, (error as Error).message]).toEqual([true, expect.stringMatching(message)]);
  });

  it('an import with other types than it has is refused when it is linked or called, whatever it is', async () => {
    const script = await loadScript(
      assemble({ imports: '(import "Date" "now" (func $now (result f64)))', main: '(drop (call $now))' }),
    );
    await expect(script.run().result).rejects.toThrow('does not keep to the interface');
  });

  it('custom sections without end are not read', async () => {
    let bytes = assemble({ main: '' });
    for (let at = 0; at < 200; at++) bytes = withSection(bytes, `section ${at}`, new Uint8Array(10_000));
    bytes = withSection(
      withSection(bytes, 'sourceMappingURL', new TextEncoder().encode('\u0019http://127.0.0.1:1/evil.map')),
      'name',
      Uint8Array.of(1, 2, 255, 255),
    );
    await expect((await loadScript(bytes)).run().result).resolves.toBeUndefined();
  });
});

describe('stacks', () => {
  const names = [
    'x (wasm://wasm/a-1:wasm-function[1]:0x10)',
    '(((((((((((((((',
    'at at at @@@',
    '$entry',
    'prelude#hidden',
    '__proto__',
    '<runtime>',
    'wasm://wasm/-'.repeat(200),
    'x'.repeat(50_000),
    'line\\0afeed\\0a    at evil (wasm://wasm/1:wasm-function[0]:0x1)',
  ];

  it('say nothing but what the table of locations says, and soon', async () => {
    const locations: Manifest['locations'] = {
      files: ['test.slu'],
      functions: ['main', 'evil'],
      places: [0, 1, 1, 0, 0, 2, 2, 1],
      code: [1, 0, 40, 1],
    };
    const calls = names
      .map((name, at) => `(func $"${name}" (call ${at + 1 < names.length ? `$"${names[at + 1]!}"` : '$last'}))`)
      .join('\n');
    const script = await loadScript(
      assemble(
        {
          strings: { m: 'mine' },
          runtime: ['uncaught'],
          functions: `(func $last call $uncaught (throw $error (i32.const 0) (global.get $m) (i32.const 1))) ${calls}`,
          main: `(call $"${names[0]!}")`,
        },
        { locations },
      ),
    );
    const before = performance.now();
    const error = (await script.run().result.catch((thrown: unknown) => thrown as ScriptError)) as ScriptError;
    expect(performance.now() - before).toBeLessThan(2_000);
    expect([error.name, error.message]).toEqual(['Error', 'mine']);
    for (const frame of error.frames)
      expect(['main (test.slu:1:1)', 'evil (test.slu:2:2)']).toContain(formatLocation(frame));
  });

  it('are found soon in a large table, however many functions there are', async () => {
    const functions = Array.from({ length: 190 }, (_, at) => `f${at}`);
    const places = Array.from({ length: 100_000 }, (_, at) => [0, (at % 1_000) + 1, 1, at % functions.length]).flat();
    const code = Array.from({ length: 100_000 }, () => [0, 1]).flat();
    const calls = functions
      .map(
        (name, at) =>
          `(func $${name} ${at + 1 < functions.length ? `(call $f${at + 1})` : 'call $uncaught (throw $error (i32.const 0) (global.get $m) (i32.const -1))'})`,
      )
      .join('\n');
    const script = await loadScript(
      assemble(
        { strings: { m: 'mine' }, runtime: ['uncaught'], functions: calls, main: '(call $f0)' },
        { locations: { files: ['test.slu'], functions, places, code } },
      ),
    );
    const before = process.cpuUsage();
    await expect(script.run().result).rejects.toMatchObject({ name: 'Error', message: 'mine' });
    // Of the processor, in microseconds: about 400,000.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
