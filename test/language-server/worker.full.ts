// The language server in a worker of real browsers, from the files of the package: a page posts the messages.

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserKinds, navigate, startBrowser } from '../engines/browsers.ts';
import type { BrowserKind } from '../engines/browsers.ts';

const worker = fileURLToPath(import.meta.resolve('sluice/language-server/worker'));

/** Opens a script with a mistake in the worker, asks about a name, mends the mistake, and answers with what came. */
const session = `new Promise((resolve, reject) => {
  const uri = 'untitled:main.slu';
  const worker = new Worker('/${basename(worker)}', { type: 'module' });
  const waiting = new Map();
  const seen = [];
  const send = (message) => worker.postMessage({ jsonrpc: '2.0', ...message });
  const ask = (id, method, params) =>
    new Promise((answered) => { waiting.set(id, answered); send({ id, method, params }); });
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = async ({ data }) => {
    if (data.id !== undefined && data.method === undefined) return waiting.get(data.id)(data);
    if (data.id !== undefined) return send({ id: data.id, result: null });
    if (data.method !== 'textDocument/publishDiagnostics') return;
    seen.push(data.params.diagnostics.map(({ code, message }) => [code, message]));
    if (seen.length === 1) {
      const hover = await ask(2, 'textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 5 } });
      seen.push(hover.result.contents.value);
      send({ method: 'textDocument/didChange', params: {
        textDocument: { uri, version: 2 },
        contentChanges: [{ range: { start: { line: 1, character: 6 }, end: { line: 1, character: 10 } }, text: 'total' }],
      } });
    } else {
      worker.terminate();
      resolve(JSON.stringify(seen));
    }
  };
  ask(1, 'initialize', { processId: null, rootUri: null, capabilities: {} }).then(() => {
    send({ method: 'initialized', params: {} });
    send({ method: 'textDocument/didOpen', params: { textDocument: {
      uri, languageId: 'sluice', version: 1, text: 'int total = 1;\\nyield totl;\\n',
    } } });
  });
})`;

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/')
      return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>worker</title>');
    if (!request.url!.endsWith('.js')) return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/javascript').end(readFileSync(join(dirname(worker), request.url!)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => new Promise((closed) => server.close(closed)));

async function sessionIn(kind: BrowserKind): Promise<unknown> {
  const browser = await startBrowser(kind);
  try {
    const page = await browser.newPage();
    await navigate(page, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return JSON.parse((await page.evaluate(session)) as string);
  } finally {
    await browser.close();
  }
}

describe('the language server in a worker', () => {
  it.each(browserKinds.slice(0, 2).map((kind) => [kind.name, kind] as const))(
    'finds a mistake, explains a name and sees the mistake mended in %s',
    { timeout: 120_000 },
    async (_name, kind) => {
      expect(await sessionIn(kind)).toEqual([
        [['E2012', expect.stringContaining('totl')]],
        expect.stringContaining('int total'),
        [],
      ]);
    },
  );
});
