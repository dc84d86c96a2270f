// What keeps a host's process alive while a script runs elsewhere: it must not end while the script is asked whether a
// call may take more than it had leave for.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../src/compile.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-'));
  writeFileSync(join(folder, 'big.txt'), 'a'.repeat(1_000_000));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a host that does nothing else prints. */
async function hostPrints(text: string, isolation: string): Promise<unknown> {
  const { artifact } = await compile('test.slu', text);
  const host = `
    import { createNodePlatform, Granted, loadScript } from ${JSON.stringify(new URL('../../dist/runtime-host/api/node.js', import.meta.url).href)};
    const [bytes, isolation, baseDir] = process.argv.slice(1);
    for (const permissions of [() => Granted, async () => Granted]) {
      const script = await loadScript(Buffer.from(bytes, 'base64'), { isolation, permissions, platform: createNodePlatform({ baseDir }), limits: { inputBytes: 100, writtenBytes: 100 } });
      console.log(await script.run().result.catch((error) => error.name));
    }
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', host, Buffer.from(artifact!.wasm).toString('base64'), isolation, folder],
    { encoding: 'utf8', timeout: 60_000 },
  );
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

describe.each(['none', 'worker', 'process'])('with isolation %s', (isolation) => {
  it.each(['return File.read("big.txt");', 'File.write("o.txt", "x".repeat(100000)); return "written";'])(
    'a host lives until the run has ended: %s',
    async (call) => {
      expect(await hostPrints(`main() { ${call} }`, isolation)).toEqual(['QuotaExceededError', 'QuotaExceededError']);
    },
    60_000,
  );
});
