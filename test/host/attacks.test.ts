// Attacks of the list that are about values and the boundary, under their numbers. Those on files are in files/, those
// on Http in http/, those on the gate in gate.test.ts, on waiting in waiting.test.ts.

import { describe, expect, it } from 'vitest';
import { createMemoryPlatform, FileGrant, Granted, HostError, loadScript } from '../../runtime-host/api/node.ts';
import type { FileConstraints, PermissionRequest, ScriptOptions } from '../../runtime-host/api/node.ts';
import { checkSource, compile } from '../../src/compile.ts';
import { assemble, assembleText, withManifest, emptyManifest } from './module.ts';
import { handsOut, load } from './scripts.ts';

describe('files in memory', () => {
  const files = { '/T/Data/a.txt': 'alpha', '/T/secret/k.txt': 'SECRET' };
  const world = (caseSensitive: boolean, constraints: FileConstraints): ScriptOptions => ({
    platform: createMemoryPlatform({ files, caseSensitive }),
    permissions: () => FileGrant(constraints),
  });

  it('65: the platform says whether case counts', async () => {
    const read =
      'try { yield File.read("/T/DATA/A.txt"); } catch (SecurityError e) { yield "SE"; } catch (FileError e) { ' +
      'yield "FE"; }';
    expect(await handsOut(read, world(false, { allowedDirectories: ['/T/Data'] }))).toEqual(['alpha']);
    expect(await handsOut(read, world(true, { allowedDirectories: ['/T/Data'] }))).toEqual(['SE']);
    expect(await handsOut(read, world(false, { allowedDirectories: ['/t/secret'] }))).toEqual(['SE']);
  });

  it('53: a text that is too long ends the run before anything is written', async () => {
    const platform = createMemoryPlatform();
    const given = await handsOut(
      'string s = "0123456789abcdef"; for (int i = 0; i < 40; i++) s = s + s; File.write("/x", s);',
      { platform, permissions: () => Granted },
    );
    expect(given).toEqual([expect.stringMatching(/^MemoryLimitError: /)]);
    expect(platform.files.snapshot()).toEqual({});
  });
});

describe('Env', () => {
  const options = (seen: string[] = []): ScriptOptions => ({
    environment: { PATH: '/bin', __proto__: 'x' } as Record<string, string>,
    platform: createMemoryPlatform({ system: { 'os.name': 'memory' } }),
    permissions: ({ kind }) => {
      seen.push(kind);
      return Granted;
    },
  });

  it('111: names of JavaScript find nothing', async () => {
    const names = ['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf', 'size', 'get'];
    expect(await handsOut(`foreach (string name in ${JSON.stringify(names)}) yield Env.get(name);`, options())).toEqual(
      names.map(() => 'null'),
    );
  });

  it('113: properties that are not for scripts are null', async () => {
    const names = ['user.dir', 'execPath', 'env', 'mainModule', 'os.homedir', 'user.name', '__proto__'];
    expect(
      await handsOut(`foreach (string name in ${JSON.stringify(names)}) yield Env.system(name);`, options()),
    ).toEqual(names.map(() => 'null'));
  });

  it('115: names that cannot be are refused before anybody is asked', async () => {
    const seen: string[] = [];
    const given = await handsOut(
      'foreach (string name in ["A=B", "A\\u{0}B", "", "x".repeat(1000000)]) { try { Env.get(name); } ' +
        'catch (SecurityError e) { yield "SE"; } }',
      options(seen),
    );
    expect([given, seen]).toEqual([['SE', 'SE', 'SE', 'SE'], []]);
  });

  it('the environment is a snapshot, and empty unless it is given', async () => {
    const environment: Record<string, string> = { X: 'before' };
    const script = await load('main() { return Env.get("X"); }', { ...options(), environment });
    environment['X'] = 'after';
    expect(await script.run().result).toBe('before');
    process.env['SLUICE_TEST'] = 'secret';
    expect(
      await (await load('main() { return Env.get("SLUICE_TEST"); }', { permissions: () => Granted })).run().result,
    ).toBeNull();
    delete process.env['SLUICE_TEST'];
  });
});

describe('values', () => {
  it('119: keys of JavaScript are data', async () => {
    const script = await load(
      'main() { json j = { constructor: 1, prototype: 2, toString: "s", length: 3, then: ' +
        '"no promise", __proto__: { x: 1 } }; return j; }',
    );
    const result = await script.run().result;
    expect(Object.getPrototypeOf(result)).toBeNull();
    expect(Object.keys(result as object)).toEqual([
      'constructor',
      'prototype',
      'toString',
      'length',
      'then',
      '__proto__',
    ]);
    expect((result as { then: unknown }).then).toBe('no promise');
  });

  it.each(['stringify(j)', 'equal', 'yield', 'print', 'return'])('121: 10^6 levels: %s', async (what) => {
    const use: Readonly<Record<string, string>> = {
      'stringify(j)': 'Json.stringify(j);',
      equal: 'json k = [j]; boolean b = j == k; yield b;',
      yield: 'yield j;',
      print: 'yield `${j}`;',
      return: 'return j;',
    };
    const given = await handsOut(
      `main() { json j = []; for (int i = 0; i < 1000000; i++) { json k = [j]; j = k; } ${use[what]} }`,
    );
    expect(given.at(-1)).toMatch(/^(TypeError|CastError): nested deeper|^false$/);
    expect(given.join()).not.toMatch(/Maximum call stack|RangeError/);
  });

  it.each([
    ['1e400', 'ParseError'],
    ['0x1', 'ParseError'],
    ['NaN', 'ParseError'],
    ['01', 'ParseError'],
    ['9223372036854775808', '9223372036854775807'],
  ])('123: the number %s is never read quietly as another', async (text, wrong) => {
    const [given = ''] = await handsOut(
      `try { yield Json.parse("${text}"); } catch (ParseError e) { yield "ParseError"; }`,
    );
    if (wrong === 'ParseError') expect(given === 'ParseError' || given === 'null').toBe(true);
    else expect(given).not.toBe(wrong);
  });

  it.each([
    ['-0', '0'],
    ['9007199254740993', '9007199254740993'],
    ['1E5', '100000.0'],
  ])('123: the number %s', async (text, printed) => {
    expect(await handsOut(`yield Json.parse("${text}");`)).toEqual([printed]);
  });

  it('125: of keys that come again the last one wins', async () => {
    const keys = Array.from({ length: 100_000 }, (_, at) => `"k${at % 7}":${at}`).join(',');
    expect(
      await handsOut(
        'main(string text) { json j = Json.parse(text); yield j.size(); yield j.k0; }',
        {},
        { text: `{${keys}}` },
      ),
    ).toEqual(['7', '99995']);
  });
});

describe('the compiler', () => {
  it.each<[string, string]>([
    ['parentheses', `yield ${'('.repeat(100_000)}1${')'.repeat(100_000)};`],
    ['blocks', `${'{'.repeat(100_000)}${'}'.repeat(100_000)}`],
    ['an identifier of a megabyte', `int ${'x'.repeat(1_000_000)} = 1;`],
    ['an expression of 10^5 terms', `yield ${Array.from({ length: 100_000 }, () => '1').join(' + ')};`],
    ['arrays', `yield ${'['.repeat(100_000)}${']'.repeat(100_000)};`],
    ['templates', `yield ${'`${'.repeat(5_000)}1${'}`'.repeat(5_000)};`],
  ])('145: %s', (_name, text) => {
    const { diagnostics, program } = checkSource('deep.slu', text);
    expect(program !== null || diagnostics.length > 0).toBe(true);
    for (const { message } of diagnostics) expect(message).not.toMatch(/call stack/i);
  });
});

describe('155: a module that no compiler of ours made', () => {
  const tag =
    '(type $p (func (param i32 externref i32))) (tag $e (type $p) (param i32 externref i32)) (export "error" (tag $e))';
  const run = '(func $run) (export "run" (func $run))';
  it.each<[string, string]>([
    ['an import that is unknown', `(import "env" "exec" (func)) ${tag} ${run}`],
    ['a function of a namespace that is not there', `(import "File" "chmod" (func)) ${tag} ${run}`],
    ['a memory of another name', `(import "sluice" "memory" (memory 1)) ${tag} ${run}`],
    ['a table', `(import "sluice" "table" (table 1 funcref)) ${tag} ${run}`],
    ['a global', `(import "sluice" "yieldInt" (global i32)) ${tag} ${run}`],
    [
      'the tag of JavaScript',
      `(type $j (func (param externref))) (import "sluice" "jsTag" (tag $t (type $j) (param externref))) ${tag} ${run}`,
    ],
    ['a memory that it exports', `(memory 1) (export "memory" (memory 0)) ${tag} ${run}`],
    ['a table that it exports', `(table 1 funcref) (export "table" (table 0)) ${tag} ${run}`],
    ['a function beside those of the manifest', `(func $other) (export "other" (func $other)) ${tag} ${run}`],
    ['a start function', `(func $start) (start $start) ${tag} ${run}`],
  ])('%s', async (_name, text) => {
    const bytes = withManifest(assembleText(`(module ${text})`), emptyManifest);
    await expect(loadScript(bytes)).rejects.toThrow(HostError);
  });

  it('one that lies about a host call gets no further than one that does not', async () => {
    const bytes = assemble({
      imports: '(import "File" "read" (func $read (param externref) (result i32)))',
      strings: { path: 'a.txt' },
      main: '(drop (call $read (global.get $path)))',
    });
    const seen: unknown[] = [];
    const script = await loadScript(bytes, {
      permissions: (request) => {
        seen.push(request);
        return undefined as never;
      },
    });
    await expect(script.run().result).rejects.toThrow(/does not keep to the interface/);
    expect(seen).toEqual([]);
  });

  it.each(['(ref.null extern)', '(ref.i31 (i32.const 1))'])(
    'one that hands %s over for a text is refused',
    async (value) => {
      const bytes = assemble(
        {
          imports: '(import "Env" "get" (func $get (param externref) (result i32)))',
          main: value.includes('i31')
            ? `(drop (call $get (extern.convert_any ${value})))`
            : `(drop (call $get ${value}))`,
        },
        { waits: ['run'] },
      );
      const requests: PermissionRequest[] = [];
      const script = await loadScript(bytes, {
        permissions: (request) => {
          requests.push(request);
          return Granted;
        },
      });
      await script.run().result.catch(() => {});
      expect(requests).toEqual([]);
    },
  );
});

describe('159: errors speak the language alone', () => {
  const failing: readonly string[] = [
    'int zero = 0; yield 1 / zero;',
    'int zero = 0; yield 1 % zero;',
    'int[] a = []; yield a[0];',
    'int[] a = [1]; a[-1] = 2;',
    'int[] a = []; a.pop();',
    'string s = null; yield s.length();',
    'yield (0.0 / 0.0).toInt();',
    'type P { int x; } json j = { x: "s" }; P p = j as P;',
    'type P { int x; } P p = null; yield p.x;',
    'json j = [1]; j.setInt("a", 1);',
    'yield Json.parse("{");',
    'json j = null; yield j.a;',
    'yield "abc".substring(-1, 9);',
    'yield new int[-1];',
    'File.read("x");',
    'Http.get("http://x/");',
    'Env.get("x");',
    'throw "mine";',
    'type N { N n; } N n = { n: null }; n.n = n; json j = n; yield j;',
  ];
  it.each(failing)('%s', async (body) => {
    const [given = ''] = await handsOut(
      `main() { try { ${body.includes('type ') ? body.replace(/type [^}]*\} /, '') : body} } catch (e) { ` +
        `return e; } }\n${/type [^}]*\}/.exec(body)?.[0] ?? ''}`,
    );
    expect(given).not.toBe('');
    expect(given).not.toMatch(/wasm|RuntimeError|TypeError:|undefined|\[object|at \w+ \(|node:|\/work|\.ts/);
  });
});

it('a module is as good as its script: compiled twice, it is the same bytes', async () => {
  const text = 'main() { return File.read("a") + Http.get("b") + Env.get("c"); }';
  const [first, second] = [await compile('t.slu', text), await compile('t.slu', text)];
  expect(first.artifact!.wasm).toEqual(second.artifact!.wasm);
});
