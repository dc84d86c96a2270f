// A small server for the pages of the tests: the bundles of the product, the page's own module, and the cases. It
// listens on this machine alone.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpMethod } from '../../runtime-host/platform/platform.ts';
import { pageFolders } from '../../tools/entries.ts';
import { readCaseTexts } from '../conformance-cases.ts';
import { answerAsSite } from '../host/http/contract-rows.ts';
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

const page: Answer = { type: 'text/html; charset=utf-8', body: '<!doctype html><title>Sluice</title>' };

/** A page that may share memory with its workers. */
export const isolatedPage = '/isolated';

/** Serves the bundles as the last build made them. */
export async function servePages(): Promise<PageServer> {
  const answers: Readonly<Record<string, Answer>> = {
    '/': page,
    [isolatedPage]: page,
    '/page.js': { type: script, body: await bundlePage() },
    ...Object.fromEntries(
      pageFolders.flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => /\.(js|wasm)$/.test(name))
          .map((name) => [
            `/${name}`,
            { type: name.endsWith('.js') ? script : 'application/wasm', body: readFileSync(folder + name) },
          ]),
      ),
    ),
    '/cases.json': { type: 'application/json', body: JSON.stringify(readCaseTexts()) },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) {
      answerFromSite(request, response);
      return;
    }
    const isolation = request.url === isolatedPage ? { 'cross-origin-opener-policy': 'same-origin' } : {};
    // A page that is isolated loads nothing without this, which changes nothing for others; the first page goes
    // without.
    const embedding = request.url === '/' ? {} : { 'cross-origin-embedder-policy': 'require-corp' };
    response.writeHead(200, { 'content-type': answer.type, 'cache-control': 'no-store', ...isolation, ...embedding });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Everything else is the site of the contract of HTTP. */
function answerFromSite(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const contentType = request.headers['content-type'] ?? null;
    const body = contentType === null ? null : Buffer.concat(parts).toString();
    const answer = answerAsSite({ method: request.method as HttpMethod, body, contentType }, request.url!);
    if (answer === 'never') return;
    response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body ?? '');
  });
}
