// Sluice and JavaScript in a page of a browser, on the bundle that browsers get. Every start is a browser of its own,
// as a page that is loaded again may find what an earlier one compiled.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browserKinds, startBrowser, whyNotHere } from '../../test/engines/browsers.ts';
import type { BrowserKind } from '../../test/engines/browsers.ts';
import { pageFolders } from '../../tools/entries.ts';
import type { Kernel } from '../suite/kernels.ts';
import { sourcePath } from './competitor.ts';
import type { Competitor, OnDemand } from './competitor.ts';
import type { Sample, Session, Start } from './session.ts';
import { compileKernel } from './sluice.ts';

const kindOf = (name: string): BrowserKind => browserKinds.find((kind) => kind.name === name)!;

const browsers: readonly (readonly [OnDemand, BrowserKind])[] = [
  ['chromium', kindOf('Chromium')],
  ['firefox', kindOf('Firefox')],
];

/** Both languages in every browser. */
export const inBrowsers: readonly Competitor[] = browsers.flatMap(([id, kind]) => {
  const shared = {
    flags: '',
    install: `${kind.install}, npm ci --prefix test/engines`,
    onDemand: id,
    version: () => findVersion(kind),
  } as const;
  return [
    {
      ...shared,
      id: `sluice-${id}`,
      title: `Sluice, ${kind.name}`,
      source: 'main.slu',
      build: async (kernel: Kernel) =>
        pageStart(kind, kernel, 'Sluice', { '/kernel': ['application/wasm', await compileKernel(kernel)] }),
    },
    {
      ...shared,
      id: `javascript-${id}`,
      title: `JavaScript, ${kind.name}`,
      source: 'main.js',
      build: async (kernel: Kernel) =>
        pageStart(kind, kernel, 'JavaScript', {
          '/kernel': ['text/javascript', readFileSync(sourcePath(kernel, 'main.js'))],
        }),
    },
  ];
});

async function findVersion(kind: BrowserKind): Promise<string | null> {
  if ((await whyNotHere(kind)) !== null) return null;
  const browser = await startBrowser(kind);
  try {
    return await browser.version();
  } finally {
    await browser.close();
  }
}

type Files = Readonly<Record<string, readonly [type: string, content: string | Uint8Array]>>;

function pageStart(kind: BrowserKind, kernel: Kernel, language: string, files: Files): Start {
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
