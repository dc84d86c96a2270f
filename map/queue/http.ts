// Small servers for people and programs that watch.

import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MapError } from '../errors.ts';

/** Where a server listens; port 0 is one that is free. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Served {
  readonly port: number;
  close(): void;
}

/** Throws MapError where the address is taken. */
export async function serve({ host, port }: Address, listener: RequestListener): Promise<Served> {
  // Loading it costs a tenth of a start, and hardly any run has a server.
  const { createServer } = await import('node:http');
  const server = createServer(listener);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('listening', resolve);
  server.once('error', reject);
  server.listen(port, host);
  try {
    await promise;
  } catch (error) {
    throw new MapError(`cannot listen at ${host}:${port}: ${(error as NodeJS.ErrnoException).code}`);
  }
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** An answer of text; what fails is told as that. */
export function answering(text: () => Promise<string>): RequestListener {
  return (_request, response) => {
    text().then(
      (body) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
      () => response.writeHead(503).end(),
    );
  };
}
