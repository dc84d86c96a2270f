// Serves the built page as a plain file server does: no headers but the type. It can be cut off, as a network is.

import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

export interface Served {
  readonly url: string;
  /** The files that were asked for, by their paths in the folder, in order. */
  readonly asked: readonly string[];
  /** Whether requests are answered. */
  cut(isCut: boolean): void;
  close(): void;
}

export async function servePage(folder: string): Promise<Served> {
  let isCut = false;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (isCut) return void request.socket.destroy();
    const { pathname } = new URL(request.url!, 'http://page');
    const path = join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) return void response.writeHead(404).end();
    asked.push(relative(folder, path));
    const type = types[extname(path)] ?? 'text/plain; charset=utf-8';
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(readFileSync(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    asked,
    cut: (now) => {
      isCut = now;
      if (now) server.closeAllConnections();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
