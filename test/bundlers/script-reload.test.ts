// Scripts while a program is developed with Vite: an edit of a script, or of what it imports, reloads the module that
// imports it, and errors are shown over the page.

import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserKinds, navigate, startBrowser, whyNotHere } from '../engines/browsers.ts';
import type { Browser, Tab } from '../engines/browsers.ts';
import { area, integral, pluginOf, writeProject } from './script-imports.ts';

interface DevServer {
  readonly httpServer: { address(): AddressInfo };
  listen(): Promise<unknown>;
  close(): Promise<void>;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-reload-')));
const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
let server: DevServer;
let browser: Browser;
let page: Tab;

/** A module that takes itself anew: what it shows is of the scripts as they are. `loads` counts the times. */
const shown = `import loadIntegral, { integrate } from './integral.slu';

globalThis.loads = (globalThis.loads ?? 0) + 1;
globalThis.shown = integrate(0, 1, 1).toFixed(2);
globalThis.runInWorker = async () => String(await (await loadIntegral({ isolation: 'worker' })).run({ n: 12 }).result);
import.meta.hot.accept();
`;

beforeAll(async () => {
  const why = existsSync(join(import.meta.dirname, 'node_modules/unplugin'))
    ? await whyNotHere(chromium)
    : '`npm ci` in test/bundlers installs the bundlers';
  if (why !== null) throw new Error(why);
  writeProject(folder);
  writeFileSync(join(folder, 'shown.js'), shown);
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>A program</title><script>globalThis.pages = performance.timeOrigin</script><script ' +
      'type="module" src="/shown.js"></script>',
  );
  const vite = 'vite';
  const { createServer } = (await import(vite)) as { createServer(options: object): Promise<DevServer> };
  // Looking at files is slower than being told of them, and misses nothing on a busy machine.
  server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [await pluginOf(folder, 'Vite', {})],
    server: { port: 0, host: '127.0.0.1', watch: { usePolling: true, interval: 50 } },
  });
  await server.listen();
  browser = await startBrowser(chromium);
  page = await browser.newPage();
  await navigate(page, `http://localhost:${server.httpServer.address().port}/`);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the page answers in the end: it changes a moment after the files do. */
async function soon(expression: string, wanted: unknown): Promise<void> {
  let found: unknown;
  for (let attempts = 0; attempts < 150; attempts++) {
    found = await page.evaluate(expression).catch(String);
    if (found === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(found).toBe(wanted);
}

const overlay = "document.querySelector('vite-error-overlay')?.shadowRoot";
const textOf = (part: string): string => `${overlay}?.querySelector('${part}')?.textContent`;

it('the page shows what a script computes, and runs it in a worker', { timeout: 60_000 }, async () => {
  await soon('globalThis.shown', '0.25');
  await soon('runInWorker()', '144');
});

it('an edit of the script reloads the module that imports it, and not the page', { timeout: 60_000 }, async () => {
  const before = await page.evaluate('globalThis.pages');
  writeFileSync(join(folder, 'integral.slu'), integral.replace('x * x', 'x * x * x'));
  await soon('globalThis.shown', '0.13');
  writeFileSync(join(folder, 'integral.slu'), integral);
  await soon('globalThis.shown', '0.25');
  expect(await page.evaluate('globalThis.pages')).toBe(before);
  expect(await page.evaluate('globalThis.loads')).toBe(3);
});

it('so does an edit of what the script imports', { timeout: 60_000 }, async () => {
  const before = await page.evaluate('globalThis.pages');
  writeFileSync(join(folder, 'lib/area.slu'), area.replace('width * height', 'width * height + 1'));
  await soon('globalThis.shown', '1.25');
  expect(await page.evaluate('globalThis.pages')).toBe(before);
  writeFileSync(join(folder, 'lib/area.slu'), area);
  await soon('globalThis.shown', '0.25');
});

it('an error is shown over the page with its place and its line, until it is mended', { timeout: 60_000 }, async () => {
  writeFileSync(join(folder, 'lib/area.slu'), area.replace('width * height', 'width * hight'));
  await soon(`${textOf('.message-body')}?.includes("there is no variable 'hight' here")`, true);
  expect(await page.evaluate(textOf('.file'))).toMatch(/lib\/area\.slu:2:18/);
  expect(await page.evaluate(textOf('.frame'))).toContain('2 |   return width * hight;');
  writeFileSync(join(folder, 'lib/area.slu'), area.replace('width * height', 'width * height + 2'));
  await soon(`${overlay} === undefined && globalThis.shown`, '2.25');
});

it('a page that begins with an error is there once it is mended', { timeout: 60_000 }, async () => {
  writeFileSync(join(folder, 'lib/area.slu'), area.replace('width * height', 'width * hight'));
  await soon(`${textOf('.message-body')}?.includes('hight')`, true);
  await navigate(page, `http://localhost:${server.httpServer.address().port}/`);
  await soon(`${textOf('.message-body')}?.includes('hight')`, true);
  writeFileSync(join(folder, 'lib/area.slu'), area);
  await soon('globalThis.shown', '0.25');
});
