// What is refused before anything runs, each with one sentence.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { howToWait, lackingFeatures, missingFeatures } from '../../runtime-host/engine/features.ts';
import { loadScript as loadInBrowser } from '../../runtime-host/api/browser.ts';
import { createMemoryPlatform, createNodePlatform, HostError, loadScript } from '../../runtime-host/api/node.ts';
import type { ModuleSource, ScriptOptions } from '../../runtime-host/api/node.ts';
import { assemble, assembleText, emptyManifest, withManifest, withSection } from './module.ts';

const empty = { main: '' };

describe('loading', () => {
  const damagedBody = assemble(empty);
  damagedBody[12] = 0xff;
  const refused: [string, ModuleSource, string][] = [
    ['text', new TextEncoder().encode('int x = 1;'), 'not a WebAssembly module'],
    ['nothing', new Uint8Array(0), 'not a WebAssembly module'],
    ['damaged bytes', damagedBody, 'damaged: the engine refuses it'],
    ['a module without a manifest', assemble(empty, null), 'not made by Sluice'],
    [
      'another version',
      assemble(empty, { abi: 99 }),
      'this module speaks version 99 of the interface, this host version 1',
    ],
    ['a manifest that is no object', withManifest(assemble(empty, null), null), 'it is not an object'],
    [
      'a manifest that is no JSON',
      withSection(assemble(empty, null), 'sluice:manifest', Uint8Array.of(0xff)),
      'manifest of this WebAssembly module is damaged',
    ],
    ...Object.entries<object>({
      'with parameters that are none': { parameters: [null] },
      'with a type that is none': { parameters: [{ name: 'x', type: null, required: true }] },
      'with exports that are none': { exports: [null] },
      'with no parameters of an export': { exports: [{ name: 'f', parameters: 0, returns: null }] },
      'with guards that are none': { guards: null },
      'without locations': { locations: null },
    }).map(([name, change]): [string, ModuleSource, string] => [
      `a manifest ${name}`,
      withManifest(assemble(empty, null), { ...emptyManifest, ...change }),
      'manifest of this WebAssembly module is damaged',
    ]),
    [
      'unknown imports',
      assemble({ ...empty, imports: '(import "env" "exit" (func $exit))' }),
      'imports env.exit, which this host does not supply',
    ],
    [
      'functions that the host does not implement',
      assemble({ ...empty, imports: '(import "Math" "sqrt" (func $sqrt))' }),
      'imports Math.sqrt',
    ],
    ['memories', assemble({ ...empty, imports: '(import "sluice" "yieldInt" (memory 1))' }), 'imports sluice.yieldInt'],
    ['a module without run', withManifest(assembleText('(module)'), emptyManifest), 'does not export the function run'],
    ['a string', 'x' as unknown as ModuleSource, 'there is no such file'],
    [
      'a script',
      'x.slu' as unknown as ModuleSource,
      'x.slu is a script, and loadScript takes a module: compile it first',
    ],
    ['a script by URL', new URL('file:///x.slu') as unknown as ModuleSource, 'file:///x.slu is a script'],
    ['a number', 5 as unknown as ModuleSource, 'takes the bytes of a module'],
  ];
  it.each(refused)('refuses %s', async (_, source, message) => {
    const error = await loadScript(source).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HostError);
    expect((error as Error).message).toContain(message);
  });

  it('takes bytes, a buffer, a module, a path and a file URL', async () => {
    const bytes = assemble(empty);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    try {
      const path = join(folder, 'a.wasm');
      writeFileSync(path, bytes);
      const module = new WebAssembly.Module(bytes, { builtins: ['js-string'], importedStringConstants: "'" });
      for (const source of [bytes, bytes.buffer, module, path, pathToFileURL(path)]) {
        expect((await loadScript(source)).name).toBe('test.slu');
      }
      await expect(loadScript(new URL('https://example.com/a.wasm'))).rejects.toThrow('only file URLs');
      await expect(loadScript(folder)).rejects.toThrow('it is a directory');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says how to compile a module that lacks the string builtins', async () => {
    const bytes = assemble({ ...empty, strings: { s: 'text' } });
    await expect(loadScript(new WebAssembly.Module(bytes))).rejects.toThrow(
      'compile the WebAssembly.Module with {"builtins":["js-string"]',
    );
  });

  it('does not run a library', async () => {
    const script = await loadScript(assemble(empty, { parameters: null }));
    expect(() => script.run()).toThrow(HostError);
  });

  it.each<[string, unknown, string]>([
    ['permissions', 'all', 'the option permissions is a function that takes a request'],
    ['permissions', null, 'the option permissions is a function'],
    ['promptTimeoutMs', '5', 'the option promptTimeoutMs is a number of milliseconds'],
    ['promptTimeoutMs', Number.NaN, 'the option promptTimeoutMs is a number'],
    ['environment', ['A=1'], 'the option environment is an object'],
    ['privateNetwork', 'denied', "the option privateNetwork is 'deny', 'listed' or 'allow'"],
    ['log', true, 'the option log is a function'],
    ['platform', {}, 'the option platform is a platform'],
  ])('takes no %s that is %j', async (name, value, message) => {
    const options = { [name]: value } as ScriptOptions;
    await expect(loadScript(assemble(empty), options)).rejects.toThrow(message);
    await expect(loadScript(assemble(empty), options)).rejects.toBeInstanceOf(HostError);
  });

  it.each<[object, string]>([
    [{ permission: () => null }, 'there is no option permission: did you mean permissions?'],
    [{ limit: { timeMs: 5 } }, 'there is no option limit: did you mean limits?'],
    [{ int: 'number' }, 'there is no option int: did you mean ints?'],
    [{ sandbox: true }, 'there is no option sandbox: there are permissions, '],
    [{ constructor: 1 }, 'there is no option constructor: there are permissions, '],
  ])('takes no option that it does not know: %o', async (options, message) => {
    for (const load of [loadScript, loadInBrowser]) {
      await expect(load(assemble(empty), options)).rejects.toThrow(message);
      await expect(load(assemble(empty), options)).rejects.toBeInstanceOf(HostError);
    }
    expect(() => createNodePlatform({ basedir: '/' } as object)).toThrow(
      'there is no option basedir: did you mean baseDir?',
    );
    expect(() => createMemoryPlatform({ file: {} } as object)).toThrow('there is no option file: did you mean files?');
  });

  it('checks its options', async () => {
    await expect(loadScript(assemble(empty), { random: Number.NaN })).rejects.toThrow('random');
    await expect(loadScript(assemble(empty), { clock: 'now' as unknown as number })).rejects.toThrow('clock');
  });
});

describe('engine features', () => {
  it('are all here', () => {
    expect(missingFeatures()).toBeNull();
    expect(lackingFeatures()).toEqual([]);
  });

  it('may be without suspending, which a call that has to wait is told', () => {
    expect(howToWait()).toBe('use call() instead of callSync()');
    const { Suspending } = WebAssembly;
    Reflect.deleteProperty(WebAssembly, 'Suspending');
    try {
      expect(lackingFeatures()).toEqual(['suspending (JSPI)']);
      expect(howToWait()).toMatch(
        /^this engine cannot suspend WebAssembly \(JSPI\), which Node 24\.20, .* can, and older Firefox with /,
      );
    } finally {
      Object.defineProperty(WebAssembly, 'Suspending', { value: Suspending, writable: true, configurable: true });
    }
  });

  it('are named with the version that brings them', () => {
    const none = missingFeatures((_, options) => options.builtins !== undefined);
    expect(none).toContain('WasmGC');
    expect(none).toContain('exnref');
    expect(none).toContain('JS string builtins, in Node since 24.0');
    expect(none).toContain('Node 24.20');
    const one = missingFeatures((bytes, options) => options.builtins === undefined && !bytes.includes(0x1f));
    expect(one).toMatch(/^this engine lacks final exception handling \(exnref\), in Node since 24\.13: /);
  });
});
