// A small server for the pages of the tests: the bundles of the product, the page's own module, and the cases. It
// listens on this machine alone.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bundleFolder } from '../../tools/bundle-browser.ts';
import { readCaseTexts } from '../conformance-cases.ts';
import { bundlePage } from './page-bundle.ts';

export interface PageServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly type: string;
  readonly body: string | Uint8Array;
}

const script = 'text/javascript';

/** Serves the bundles as the last build made them. */
export async function servePages(): Promise<PageServer> {
  const answers: Readonly<Record<string, Answer>> = {
    '/': { type: 'text/html; charset=utf-8', body: '<!doctype html><title>Sluice</title>' },
    '/page.js': { type: script, body: await bundlePage() },
    '/sluice.js': { type: script, body: readFileSync(`${bundleFolder}sluice.js`) },
    '/sluice-host.js': { type: script, body: readFileSync(`${bundleFolder}sluice-host.js`) },
    '/binaryen.wasm': { type: 'application/wasm', body: readFileSync(`${bundleFolder}binaryen.wasm`) },
    '/cases.json': { type: 'application/json', body: JSON.stringify(readCaseTexts()) },
  };
  const server = createServer(({ url }, response) => {
    const answer = answers[url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': answer?.type ?? 'text/plain', 'cache-control': 'no-store' });
    response.end(answer?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
