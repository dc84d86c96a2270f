// A real build of a program that compiles a script and runs it in a worker, by each bundler: for Node, run there, and
// for browsers, run in Chromium. The packages lie in node_modules as they are published.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserKinds, navigate, startBrowser, whyNotHere } from '../engines/browsers.ts';
import type { Browser } from '../engines/browsers.ts';
import { placePackages } from '../packages/files.ts';
import { bundlers, copyFiles, writePrograms } from './bundlers.ts';
import type { Bundle, Bundler } from './bundlers.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-bundlers-')));
const folder = join(place, 'project');
const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const why = existsSync(join(import.meta.dirname, 'node_modules/webpack'))
  ? await whyNotHere(chromium)
  : '`npm ci` in test/bundlers installs the bundlers';
let server: Server;
let browser: Browser | null = null;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

beforeAll(async () => {
  placePackages(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  writePrograms(folder);
  server = createServer((request, response) => {
    const path = join(place, decodeURIComponent(new URL(request.url!, 'http://page').pathname));
    const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    if (path.endsWith('page.html'))
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...isolation })
        .end('<!doctype html><title>A program</title>');
    else if (extname(path) !== '' && existsSync(path))
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain', ...isolation })
        .end(readFileSync(path));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  if (why === null) browser = await startBrowser(chromium);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
  rmSync(place, { recursive: true, force: true });
});

async function make(bundler: Bundler, platform: Bundle['platform']): Promise<Bundle> {
  if (why !== null) throw new Error(why);
  const bundle = {
    folder,
    entry: platform === 'node' ? 'program.js' : 'page.js',
    out: join(place, `${bundler.name}-${platform}`),
    platform,
  };
  mkdirSync(bundle.out);
  await bundler.bundle(bundle);
  writeFileSync(join(bundle.out, 'package.json'), '{ "type": "module" }');
  copyFiles(bundle);
  return bundle;
}

/** A page's answer of the program; `files` are its options. */
async function runInPage({ out }: Bundle, files: object): Promise<unknown> {
  const page = await browser!.newPage();
  const url = `http://localhost:${(server.address() as AddressInfo).port}/${out.slice(place.length + 1)}/`;
  await navigate(page, `${url}page.html`);
  return page.evaluate(`import('${url}main.js').then(() => runBundled(${JSON.stringify(files)}))`);
}

const copied = { wasmUrl: './compiler.wasm', workerUrl: './worker.js' };

describe.each(bundlers)('a bundle of $name', (bundler) => {
  const finds = bundler.findsFiles;

  it('runs in Node', { timeout: 120_000 }, async () => {
    const { out } = await make(bundler, 'node');
    const run = (...words: string[]): object =>
      spawnSync(process.execPath, ['main.js', ...words], { cwd: out, encoding: 'utf8' });
    expect(run(...(finds.includes('node') ? [] : ['copied']))).toMatchObject({
      status: 0,
      stdout: '144\n',
      stderr: '',
    });
    if (!finds.includes('node'))
      expect(run()).toMatchObject({
        stdout: expect.stringMatching(
          /binaryen\.wasm, at file:.*: there is no such file\. Copy it there from the package sluice, .*, or say where it is with the option wasmUrl\n$/,
        ) as string,
      });
  });

  it('runs in a browser', { timeout: 120_000 }, async () => {
    const bundle = await make(bundler, 'browser');
    for (const file of readdirSync(bundle.out, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.js'))
        expect(readFileSync(join(bundle.out, file), 'utf8'), file).not.toMatch(/(?:from|import)\s*\(?\s*["'`]node:/);
    }
    expect(await runInPage(bundle, finds.includes('browser') ? {} : copied)).toBe('144');
    if (finds.includes('browser')) return;
    expect(await runInPage(bundle, {})).toMatch(
      /^Error: the compiler cannot load its file binaryen\.wasm, at http:.*: the status of the answer is 404\. .* wasmUrl$/,
    );
    expect(await runInPage(bundle, { wasmUrl: copied.wasmUrl })).toMatch(
      /^HostError: .*sluice-host\/worker.*workerUrl/,
    );
  });
});
