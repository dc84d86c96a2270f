// Sluice and JavaScript in a page of Chromium, on the bundle that browsers get. Every start is a browser of its own,
// as a page that is loaded again may find what an earlier one compiled.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browserKinds, startBrowser, whyNotHere } from '../../test/engines/browsers.ts';
import { pageFolders } from '../../tools/entries.ts';
import type { Kernel } from '../suite/kernels.ts';
import { sourcePath } from './competitor.ts';
import type { Competitor } from './competitor.ts';
import type { Sample, Session, Start } from './session.ts';
import { compileKernel } from './sluice.ts';

const kind = browserKinds.find(({ name }) => name === 'Chromium')!;
const shared = {
  flags: '',
  install: 'apt-get install chromium, npm ci --prefix test/engines',
  onDemand: true,
  version: findVersion,
} as const;

export const chromium: readonly Competitor[] = [
  {
    ...shared,
    id: 'sluice-chromium',
    title: 'Sluice, Chromium',
    source: 'main.slu',
    build: async (kernel) =>
      pageStart(kernel, 'Sluice', { '/kernel': ['application/wasm', await compileKernel(kernel)] }),
  },
  {
    ...shared,
    id: 'javascript-chromium',
    title: 'JavaScript, Chromium',
    source: 'main.js',
    build: async (kernel) =>
      pageStart(kernel, 'JavaScript', { '/kernel': ['text/javascript', readFileSync(sourcePath(kernel, 'main.js'))] }),
  },
];

async function findVersion(): Promise<string | null> {
  if ((await whyNotHere(kind)) !== null) return null;
  const browser = await startBrowser(kind);
  try {
    return await browser.version();
  } finally {
    await browser.close();
  }
}

type Files = Readonly<Record<string, readonly [type: string, content: string | Uint8Array]>>;

function pageStart(kernel: Kernel, language: string, files: Files): Start {
  return async () => {
    const server = await serve({
      '/': ['text/html; charset=utf-8', '<!doctype html><title>A kernel</title>'],
      '/page.js': ['text/javascript', readFileSync(new URL('workers/page.js', import.meta.url))],
      ...Object.fromEntries(
        readdirSync(pageFolders[0]!)
          .filter((name) => name.endsWith('.js'))
          .map((name) => [`/${name}`, ['text/javascript', readFileSync(pageFolders[0]! + name)] as const]),
      ),
      ...files,
    });
    const browser = await startBrowser(kind);
    const stop = async (): Promise<void> => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    };
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      const call = (expression: string): Promise<unknown> =>
        page.evaluate(`import('/page.js').then((page) => page.${expression})`);
      await call(`prepare${language}(${kernel.n})`);
      return {
        ask: async (runs) => JSON.parse((await call(`serve(${runs})`)) as string) as readonly Sample[],
        stop,
      } satisfies Session;
    } catch (error) {
      await stop();
      throw error;
    }
  };
}

/** Serves the files to pages that are isolated, whose clock is a fine one. */
function serve(files: Files): Promise<Server> {
  const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
  const server = createServer((request, response) => {
    const file = files[request.url ?? ''];
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file[0], ...isolation }).end(file[1]);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
