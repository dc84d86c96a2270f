// Vite while a program is developed: the packages are put together anew by it, and what they start is still found.

import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { browserKinds, navigate, startBrowser, whyNotHere } from '../engines/browsers.ts';
import { placePackages } from '../packages/files.ts';
import { writePrograms } from './bundlers.ts';

interface DevServer {
  readonly httpServer: { address(): AddressInfo };
  listen(): Promise<unknown>;
  close(): Promise<void>;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-vite-')));
const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a page that Vite serves compiles a script and runs it in a worker', { timeout: 120_000 }, async () => {
  const why = existsSync(join(import.meta.dirname, 'node_modules/vite'))
    ? await whyNotHere(chromium)
    : '`npm ci` in test/bundlers installs the bundlers';
  if (why !== null) throw new Error(why);
  placePackages(folder);
  writePrograms(folder);
  writeFileSync(
    join(folder, 'package.json'),
    '{ "type": "module", "private": true, "dependencies": { "sluice": "*" } }',
  );
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>A program</title><script type="module" src="/page.js"></script>',
  );
  const vite = 'vite';
  const { createServer } = (await import(vite)) as { createServer(options: object): Promise<DevServer> };
  const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1', headers },
  });
  await server.listen();
  const browser = await startBrowser(chromium);
  try {
    const page = await browser.newPage();
    await navigate(page, `http://localhost:${server.httpServer.address().port}/`);
    // The page is loaded anew once Vite has put the packages together.
    const ask = (): Promise<unknown> =>
      page.evaluate('globalThis.runBundled === undefined ? null : runBundled({})').catch(() => null);
    let told: unknown = null;
    for (let attempts = 0; told === null && attempts < 200; attempts++) {
      told = await ask();
      if (told === null) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(told).toBe('144');
  } finally {
    await browser.close();
    await server.close();
  }
});
