// The host in workerd: a worker that loads a module as it starts, which is when workerd compiles WebAssembly, and runs
// it for a request.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, expect, it } from 'vitest';
import { compile } from '../../src/index.ts';
import { placePackages } from './files.ts';

const program = join(import.meta.dirname, 'node_modules/@cloudflare/workerd-linux-64/bin/workerd');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-workerd-')));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const worker = `import { loadScript } from 'sluice-host';
import bytes from './squares.bin';

const options = { limits: { fuel: 100_000 } };
const script = await loadScript(new Uint8Array(bytes), options);
const late = async () => loadScript(new Uint8Array(bytes), options).then(() => 'loaded', (error) => error.name);

export default {
  async fetch() {
    const values = [];
    const run = script.run({ n: 12 });
    await run.forEach((value) => values.push(String(value)));
    return new Response([...values, String(await run.result), await late()].join(' '));
  },
};
`;

const settings = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "main.js", esModule = embed "main.js"), (name = "squares.bin", data = embed "squares.bin")],
  compatibilityDate = "2026-11-01",
);
`;

it('loads a module as the worker starts, and runs it for a request', { timeout: 60_000 }, async () => {
  if (!existsSync(program)) throw new Error('`npm ci` in test/packages installs workerd');
  placePackages(folder);
  const { artifact } = await compile(
    'squares.slu',
    'main(int n) { yield `n is ${n}`; try { File.read("x"); } catch (SecurityError e) { yield e; } return n * n; }',
  );
  writeFileSync(join(folder, 'squares.bin'), artifact!.wasm);
  writeFileSync(join(folder, 'worker.js'), worker);
  writeFileSync(join(folder, 'config.capnp'), settings);
  const bundle = await rolldown({
    input: join(folder, 'worker.js'),
    cwd: folder,
    platform: 'neutral',
    resolve: { conditionNames: ['workerd', 'worker', 'browser'] },
    external: ['./squares.bin'],
  });
  await bundle.write({ file: join(folder, 'main.js'), format: 'esm', codeSplitting: false });
  await bundle.close();
  const served = spawn(program, ['serve', '--control-fd=3', 'config.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  served.stderr!.on('data', (text: Buffer) => (complaints += text.toString()));
  try {
    const port = await new Promise<number>((resolve, reject) => {
      served.stdio[3]!.on('data', (text: Buffer) =>
        resolve((JSON.parse(text.toString().split('\n')[0]!) as { readonly port: number }).port),
      );
      served.on('exit', () => reject(new Error(complaints)));
    });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(`${await answer.text()}${complaints}`).toBe(
      'n is 12 File.read denied: this host has no files 144 HostError',
    );
  } finally {
    served.removeAllListeners('exit');
    served.kill();
  }
});
