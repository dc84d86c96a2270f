// Modules that were built before: one of each version of the boundary, which is never built anew. The version that this
// host speaks runs as it did; any other is refused in a sentence that says what to do. Who raises the version builds
// abi-N.wasm of a copy of the script, once; the text beside it is written by the first run of this test.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  createMemoryPlatform,
  Denied,
  formatJson,
  Granted,
  HostError,
  loadScript,
} from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { abiVersion } from '../../src/abi/manifest.ts';
import { compile } from '../../src/compile.ts';

const folder = new URL('./', import.meta.url);
const versions = readdirSync(folder)
  .flatMap((name) => /^abi-(\d+)\.wasm$/.exec(name)?.[1] ?? [])
  .map(Number);
const moduleOf = (version: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`abi-${version}.wasm`, folder)));
const textOf = (version: number): string => readFileSync(new URL(`abi-${version}.slu`, folder), 'utf8');
const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

it('there is a module of the version that is spoken', () => expect(versions).toContain(abiVersion));

describe.each(versions.filter((version) => version !== abiVersion))('a module of version %s', (version) => {
  it('is refused in a sentence', async () => {
    const error: unknown = await loadScript(moduleOf(version)).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(HostError);
    expect((error as Error).message).toBe(
      `this module speaks version ${version} of the interface, this host version ${abiVersion}: ` +
        'compile the script again with the Sluice that runs it',
    );
  });
});

describe.each([{}, { isolation: 'worker' }, { isolation: 'process' }] as const)(
  'the module of the version that is spoken, in %j',
  (place) => {
    const load = (wasm: Uint8Array<ArrayBuffer>, options: ScriptOptions = {}): Promise<Script> =>
      loadScript(wasm, { ...place, ...('isolation' in place ? { workerUrl } : {}), ...options });

    /** All that a module does, in texts. */
    async function behaviour(wasm: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
      const platform = createMemoryPlatform({ files: { '/a.txt': 'content' }, server: () => ({ status: 404 }) });
      const script = await load(wasm, {
        platform,
        permissions: ({ kind }) => (kind === 'Env.Get' ? Denied() : Granted),
        limits: { fuel: 100_000, memoryBytes: 2 ** 26 },
      });
      const told: string[] = [];
      const run = script.run({
        title: 'straße',
        ps: [{ x: 1.5, marks: [1, 2n ** 60n], next: null }],
        more: { b: 1, a: [1.5, null] },
      });
      await run.forEach((_value, text) => told.push(text()));
      told.push((await run.resultText)!, formatJson(platform.files.snapshot()));
      const instance = script.instance();
      const calls: readonly (readonly [string, ...unknown[]])[] = [
        ['integrate', 0, 2],
        ['integrate', 0, 2, 3],
        ['total', 1],
        ['total', 1, 2, 3],
        ['move', [{ x: 1, marks: null, next: null }], 2],
        ['merge', { a: 1 }, 'k', 'v'],
        ['flip', [true, false]],
        ['deep', 1000],
        ['grow', 9],
        ['integrate', 'x', 1],
        ['forever'],
        ['total', 1],
      ];
      for (const [name, ...values] of calls) {
        told.push(
          await instance.call(name, ...values).then(
            ({ value, yields }) => `${name}: ${formatJson(value ?? null)} ${formatJson(yields)}`,
            (error: unknown) => `${name}: ${String(error)}`,
          ),
        );
      }
      instance.close();
      return told;
    }

    it('does what it did when it was built', async () => {
      await expect(`${(await behaviour(moduleOf(abiVersion))).join('\n')}\n`).toMatchFileSnapshot(
        `abi-${abiVersion}.txt`,
      );
    });

    it('does what the script does that is built now', async () => {
      expect(await behaviour((await compile('abi.slu', textOf(abiVersion))).artifact!.wasm)).toEqual(
        await behaviour(moduleOf(abiVersion)),
      );
    });
  },
);
