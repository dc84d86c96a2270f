// Programs that esbuild makes one file of, as its command does where nothing is said: parts that are loaded when they
// are wanted begin within that file. In Node as an ES module and as CommonJS, in Chromium as both forms of a script.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../src/index.ts';
import { browserKinds, navigate, startBrowser, whyNotHere } from '../engines/browsers.ts';
import type { Browser } from '../engines/browsers.ts';
import { pluginOf, writeProject, answer as importsAnswer } from './script-imports.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-one-file-')));
const folder = join(place, 'project');
const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const why = existsSync(join(import.meta.dirname, 'node_modules/esbuild'))
  ? await whyNotHere(chromium)
  : '`npm ci` in test/bundlers installs the bundlers';
let server: Server;
let browser: Browser | null = null;

/** What is loaded for limits, records, ints, plugins and workers is in the file too. */
const work = `
const loaded = (options) => loadScript(bytes, options);
export async function work(bytesOfScript, workerUrl) {
  bytes = bytesOfScript;
  const plain = await loaded({});
  const { value } = await plain.call('area', 2);
  const limited = await loaded({ limits: { fuel: 1_000 }, ints: 'number', record: true, random: 1 });
  const run = limited.run({ n: 3 });
  const result = await run.result;
  const log = await run.log;
  const worker = await loaded({ isolation: 'worker', workerUrl, limits: { timeMs: 20_000 } });
  const told = (error) => error instanceof HostError || error.name;
  const refused = await (async () => plain.run({ n: 'three' }))().catch(told);
  return [value, result, typeof log, await worker.run({ n: 4 }).result, refused].join(' ');
}
let bytes;
`;
const answer = '4 9 object 16 TypeError';
const hosts = ['sluice/host', 'sluice-host'] as const;

beforeAll(async () => {
  if (why !== null) throw new Error(why);
  writeProject(folder);
  const { artifact } = await compile(
    'area.slu',
    'export double area(double x) { return x * x; } main(int n) { yield n; return n * n; }',
  );
  writeFileSync(join(place, 'area.wasm'), artifact!.wasm);
  for (const host of hosts) {
    const name = host.replace('/', '-');
    const imports = `import { HostError, loadScript } from '${host}';\n`;
    writeFileSync(join(folder, `work-${name}.js`), `${imports}${work}`);
    writeFileSync(
      join(folder, `node-${name}.js`),
      `import { readFileSync } from 'node:fs';\nimport { work } from './work-${name}.js';\n` +
        "work(readFileSync('area.wasm'), new URL('node_modules/sluice-host/dist/node/worker-main.js', " +
        '`file://${process.cwd()}/project/`)).then(console.log);\n',
    );
    writeFileSync(
      join(folder, `page-${name}.js`),
      `import { work } from './work-${name}.js';\nglobalThis.runBundled = async () => work(new Uint8Array(await ` +
        "(await fetch('/area.wasm')).arrayBuffer()), '/worker.js').catch(String);\n",
    );
  }
  server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://page').pathname;
    const file =
      path === '/worker.js'
        ? join(folder, 'node_modules/sluice-host/dist/browser/sluice-worker.js')
        : join(place, decodeURIComponent(path));
    if (path === '/page.html')
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>A program</title>');
    else if (existsSync(file))
      response
        .writeHead(200, { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'application/wasm' })
        .end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await startBrowser(chromium);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(place, { recursive: true, force: true });
});

async function bundle(entry: string, outfile: string, options: object): Promise<string> {
  const name = 'esbuild';
  const { build } = (await import(name)) as { build(options: object): Promise<unknown> };
  mkdirSync(join(place, 'out'), { recursive: true });
  const out = join(place, 'out', outfile);
  await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    outfile: out,
    bundle: true,
    logLevel: 'silent',
    ...options,
  });
  return out;
}

function run(file: string): object {
  return spawnSync(process.execPath, [file], { cwd: place, encoding: 'utf8' });
}

describe.each(hosts)('one file with %s', (host) => {
  const name = host.replace('/', '-');

  it.each([
    ['esm', false],
    ['esm', true],
    ['cjs', false],
    ['cjs', true],
  ] as const)('runs in Node: %s, minified: %s', { timeout: 60_000 }, async (format, minify) => {
    const file = `${name}-${minify}.${format === 'esm' ? 'mjs' : 'cjs'}`;
    const out = await bundle(`node-${name}.js`, file, { platform: 'node', format, minify });
    expect(run(out)).toMatchObject({ status: 0, stdout: `${answer}\n`, stderr: '' });
  });

  it.each(['esm', 'iife'] as const)('runs in a browser: %s', { timeout: 60_000 }, async (format) => {
    const out = await bundle(`page-${name}.js`, `${name}-${format}.js`, {
      platform: 'browser',
      format,
      minify: true,
      target: 'es2022',
    });
    const page = await browser!.newPage();
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    await navigate(page, `${url}/page.html`);
    expect(await page.evaluate(`import('${url}${out.slice(place.length)}').then(() => runBundled())`)).toBe(answer);
  });
});

it(
  'every name that sluice-host exports is there, in one file that loads it a second time too',
  { timeout: 60_000 },
  async () => {
    for (const host of [...hosts, 'sluice/plugins', 'sluice-host/plugins', 'sluice/format']) {
      const file = `names-${host.replace('/', '-')}`;
      writeFileSync(
        join(folder, `${file}.js`),
        `import * as at from '${host}';
import('${host}').then((later) => {
  const names = Object.keys(later);
  console.log(names.length > 0 && names.every((name) => later[name] !== undefined && later[name] === at[name]));
});
`,
      );
      const out = await bundle(`${file}.js`, `${file}.mjs`, { platform: 'node', format: 'esm' });
      expect(run(out), host).toMatchObject({ status: 0, stdout: 'true\n', stderr: '' });
    }
  },
);

it('a program that imports a script runs as one file', { timeout: 60_000 }, async () => {
  const out = await bundle('program.js', 'imports.mjs', {
    platform: 'node',
    format: 'esm',
    plugins: [await pluginOf(folder, 'esbuild', {})],
  });
  expect(run(out)).toMatchObject({ status: 0, stdout: `${importsAnswer}\n`, stderr: '' });
});

it('a program that compiles runs as one ES module', { timeout: 60_000 }, async () => {
  writeFileSync(
    join(folder, 'compiles.js'),
    "import { compile } from 'sluice';\nimport { loadScript } from 'sluice/host';\nconst { artifact } = await " +
      "compile('a.slu', 'main() { return 4; }', { wasmUrl: new URL('project/node_modules/sluice/dist/binaryen.wasm', " +
      '`file://${process.cwd()}/`) });\nconsole.log(await (await loadScript(artifact.wasm)).run().result);\n',
  );
  const out = await bundle('compiles.js', 'compiles.mjs', { platform: 'node', format: 'esm' });
  expect(run(out)).toMatchObject({ status: 0, stdout: '4n\n', stderr: '' });
});

it('a bundle that is no ES module wants the place of the file of workers and processes', async () => {
  writeFileSync(
    join(folder, 'without.js'),
    `import { readFileSync } from 'node:fs';
import { HostError, loadScript } from 'sluice-host';
const told = (isolation) =>
  loadScript(readFileSync('area.wasm'), { isolation })
    .then((script) => script.run({ n: 1 }).result)
    .catch((error) => console.log(isolation, error instanceof HostError, error.message));
told('worker').then(() => told('process'));
`,
  );
  const out = await bundle('without.js', 'without.cjs', { platform: 'node', format: 'cjs' });
  const words = 'the file of the worker is not known, .* with the option workerUrl';
  expect(run(out)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(new RegExp(`^worker true ${words}\nprocess true ${words}\n$`)) as string,
  });
});
