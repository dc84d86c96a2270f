// Files that are none of this version's, wherever they are given: each is refused in a sentence, and nothing runs.

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { loadScript as loadInBrowser } from '../../runtime-host/api/browser.ts';
import { AbortError, createPool, HostError, loadScript } from '../../runtime-host/api/node.ts';
import { abiVersion, manifestSection } from '../../src/abi/manifest.ts';
import { compile } from '../../src/compile.ts';
import { Folder } from '../cli/sluice.ts';
import { withManifest } from '../host/module.ts';

const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);
const whole = new Uint8Array(readFileSync(new URL(`abi-${abiVersion}.wasm`, import.meta.url)));
const folder = new Folder();
afterAll(() => folder.remove());

const other = withVersion(whole, abiVersion + 1);
const sentence =
  `this module speaks version ${abiVersion + 1} of the interface, this host version ${abiVersion}: ` +
  'compile the script again with the Sluice that runs it';

/** The module, with a manifest that says another version and is otherwise what it was. */
function withVersion(bytes: Uint8Array<ArrayBuffer>, abi: number): Uint8Array<ArrayBuffer> {
  const module = new WebAssembly.Module(bytes, { builtins: ['js-string'], importedStringConstants: "'" });
  const [section] = WebAssembly.Module.customSections(module, manifestSection);
  const manifest = JSON.parse(new TextDecoder().decode(section)) as object;
  // A second section of the name would be ignored: the first is given another.
  const renamed = bytes.slice();
  const at = new TextDecoder('latin1').decode(bytes).lastIndexOf(manifestSection);
  renamed[at] = 'x'.charCodeAt(0);
  return withManifest(renamed, { ...manifest, abi });
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

const places = [
  { what: 'here', load: (bytes: Uint8Array) => loadScript(bytes) },
  { what: 'in a worker', load: (bytes: Uint8Array) => loadScript(bytes, { isolation: 'worker', workerUrl }) },
  { what: 'in a process', load: (bytes: Uint8Array) => loadScript(bytes, { isolation: 'process', workerUrl }) },
  { what: 'in a page', load: (bytes: Uint8Array) => loadInBrowser(bytes) },
];

describe.each(places)('$what', ({ load }) => {
  it('a module of another version is refused', async () => {
    expect(await errorOf(load(other))).toEqual(new HostError(sentence));
  });

  it('a truncated module is refused, wherever it is cut', async () => {
    const lengths = [0, 3, 8, 9, 100, ...[0.25, 0.5, 0.75].map((part) => Math.floor(whole.length * part))];
    for (const length of [...lengths, whole.length - 1]) {
      const error = await errorOf(load(whole.slice(0, length)));
      expect(error, String(length)).toBeInstanceOf(HostError);
      expect((error as Error).message).toMatch(/not a WebAssembly module|damaged|not made by Sluice/);
    }
  });
});

describe('in a pool', () => {
  it('a refused module takes nothing from the others, and closing ends all that runs', async () => {
    const pool = createPool({ maxWorkers: 1 });
    const options = { isolation: 'worker', pool, workerUrl } as const;
    const { artifact } = await compile('loop.slu', 'main(boolean endless) { while (endless) { } return 7; }');
    const script = await loadScript(artifact!.wasm, options);
    expect(await errorOf(loadScript(other, options))).toEqual(new HostError(sentence));
    expect(await script.run({ endless: false }).result).toBe(7n);
    const runs = [true, false, true].map((endless) => errorOf(script.run({ endless }).result));
    await pool.close();
    for (const error of await Promise.all(runs))
      expect(error).toEqual(new AbortError('the pool of this run was closed'));
    expect(await errorOf(script.run({ endless: false }).result)).toEqual(
      new HostError('this pool is closed: make another with createPool()'),
    );
  });
});

describe('the command', () => {
  it.each(['run', 'types', 'bench'])('%s says it of a module of another version', (command) => {
    folder.write('other.wasm', other);
    const { code, stdout, stderr } = folder.run(command, 'other.wasm');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });

  it('says it of a truncated module', () => {
    folder.write('cut.wasm', whole.slice(0, whole.length / 2));
    const { code, stderr } = folder.run('run', 'cut.wasm');
    expect(code).toBe(2);
    expect(stderr).toMatch(/cut\.wasm.*damaged|damaged/);
    expect(stderr).not.toContain('    at ');
  });
});
