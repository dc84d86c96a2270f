// Modules that lie, given to the commands that read one: a sentence and an exit code, in time, and nothing of theirs in
// what is written.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { declareTypes } from '../../src/cli/type-declarations.ts';
import { manifestSection } from '../../src/abi/manifest.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import { assemble, emptyManifest, withManifest, withSection } from '../host/module.ts';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

const evil = 'x; }\nexport declare const evil: string; /*';
const raw = (json: string): Uint8Array =>
  withSection(assemble({ main: '' }, null), manifestSection, new TextEncoder().encode(json));
const modules: Readonly<Record<string, Uint8Array>> = {
  'deep.wasm': raw(`{"abi":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
  'version.wasm': raw('{"abi":{"toString":1}}'),
  'kind.wasm': assemble({ main: '' }, { parameters: {} as never }),
  'name.wasm': assemble(
    { functions: '(func $f) (export "direct.f" (func $f))', main: '' },
    { exports: [{ name: evil, parameters: [], returns: null }] },
  ),
  'parameter.wasm': assemble({ main: '' }, { parameters: [{ name: evil, type: 'int', required: true }] }),
  'struct.wasm': assemble({ main: '' }, { yields: [{ struct: 0 }], structs: [{ name: evil, fields: [] }] }),
  'field.wasm': assemble(
    { main: '' },
    { yields: [{ struct: 0 }], structs: [{ name: 'P', fields: [{ name: evil, type: 'int' }] }] },
  ),
  'missing.wasm': assemble({ main: '' }, { yields: [{ struct: 3 }] }),
  'two.wasm': withManifest(assemble({ main: '' }), emptyManifest),
  'places.wasm': assemble({ main: '' }, { locations: { ...emptyManifest.locations, places: [1e300, 1, 1, 1] } }),
};
for (const [name, bytes] of Object.entries(modules)) folder.write(name, bytes);

describe.each(Object.keys(modules))('%s', (name) => {
  it.each(['run', 'types', 'bench', 'check', 'build'])('%s', (command) => {
    const { code, stdout, stderr } = folder.run(command, name);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/damaged|more than one manifest|takes a script/);
    expect(stderr).not.toMatch(/internal error|RangeError|TypeError|node:|    at /);
    expect(stderr.length).toBeLessThan(500);
    expect(existsSync(join(folder.path, name.replace('.wasm', '.d.ts')))).toBe(false);
  });
});

describe('types', () => {
  it('writes names of a module that mean something in TypeScript as the names that they are', () => {
    const parameters = ['new', 'constructor', '__proto__', 'default'].map(
      (name) => ({ name, type: 'int', required: true, variadic: false }) as const,
    );
    folder.write(
      'words.wasm',
      assemble(
        {
          functions:
            '(func $f (param i64 i64 i64 i64)) (export "direct.new" (func $f)) (export "direct.get" (func $f))',
          main: '',
        },
        {
          name: 'a */ export declare const evil: 1; /*\n',
          parameters,
          exports: ['new', 'get'].map((name) => ({ name, parameters, returns: null })),
          structs: [
            { name: 'Array', fields: [{ name: 'new', type: 'int' }] },
            { name: 'Readonly', fields: [] },
          ],
          yields: [{ struct: 0 }, { struct: 1 }],
        },
      ),
    );
    expect(folder.run('types', 'words.wasm').code).toBe(0);
    const text = readFileSync(join(folder.path, 'words.d.ts'), 'utf8');
    expect(text).toContain(
      '"new"(new_: bigint | number, constructor: bigint | number, __proto__: bigint | number, default_: ' +
        'bigint | number): undefined;',
    );
    expect(text.match(/^export .*$/gm)).toEqual([
      'export interface Array {',
      'export interface Readonly2 {',
      'export interface WordsScript {',
    ]);
    expect(text).not.toContain('evil');
  });

  it('writes no declaration of a manifest that nobody has looked at', () => {
    const manifest: Manifest = {
      ...emptyManifest,
      parameters: [{ name: evil, type: 'int', required: true }],
      exports: [
        {
          name: evil,
          parameters: [{ name: evil, type: { struct: 0 }, required: true, variadic: false }],
          returns: null,
        },
      ],
      structs: [{ name: evil, fields: [{ name: evil, type: 'int' }] }],
    };
    const text = declareTypes(manifest, 'XScript');
    expect(text.match(/^export .*$/gm)).toEqual(['export interface StructInput {', 'export interface XScript {']);
  });

  it('a file whose name ends a line says so in one line', () => {
    const name = 'a\u2028export declare const evil: 1;\nexport type b.wasm';
    folder.write(name, assemble({ main: '' }));
    expect(folder.run('types', name, '-o', 'line.d.ts').code).toBe(0);
    expect(
      readFileSync(join(folder.path, 'line.d.ts'), 'utf8')
        .split(/[\n\r\u2028\u2029]/)
        .filter((line) => /^\s*export (declare|type)/.test(line)),
    ).toEqual([]);
  });
});

it.each<[string, string]>([
  ['throws what is none of its errors', '(throw $own (i32.const 1))'],
  ['yields an object', '(call $yieldString (extern.convert_any (ref.i31 (i32.const 1))))'],
])('a module that %s fails with a sentence', (_what, main) => {
  folder.write(
    'runs.wasm',
    assemble({
      runtime: ['yieldString'],
      functions: '(type $t (func (param i32))) (tag $own (type $t) (param i32))',
      main,
    }),
  );
  for (const command of ['run', 'bench']) {
    const { code, stderr } = folder.run(command, 'runs.wasm');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/this module does not keep to the interface of Sluice/)]);
    expect(stderr).not.toMatch(/node:|    at /);
  }
});
