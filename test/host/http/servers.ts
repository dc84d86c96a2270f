// Servers on loopback for the tests of Http: what they answer is a row, what they saw is kept.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestServer {
  readonly port: number;
  /** `http://localhost:port` */
  readonly origin: string;
  readonly seen: Seen[];
  /** Connections that are open. */
  readonly connections: () => number;
  /** Bytes that were handed to all connections together. */
  readonly bytesSent: () => number;
  close(): Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');

export const certificateAuthority = fixture('ca.pem');

/** Answers by `handle`; with `certificate`, over TLS. */
export async function startServer(
  handle: Handler,
  certificate: 'server' | 'self-signed' | null = null,
): Promise<TestServer> {
  const seen: Seen[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      seen.push({ method: request.method!, path: request.url!, headers: request.headers, body });
      handle(request, response, body);
    });
  };
  const server =
    certificate === null
      ? createServer(listener)
      : createSecureServer({ key: fixture(`${certificate}.key`), cert: fixture(`${certificate}.pem`) }, listener);
  return listen(server, certificate === null ? 'http' : 'https', seen);
}

/** Hands each connection over as it is, for answers that are no HTTP. */
export function startSocketServer(handle: (socket: Socket) => void): Promise<TestServer> {
  return listen(
    createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => handle(socket));
    }),
    'http',
    [],
  );
}

async function listen(server: Server, scheme: string, seen: Seen[]): Promise<TestServer> {
  const open = new Set<Socket>();
  let sent = 0;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sent += socket.bytesWritten;
      open.delete(socket);
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${scheme}://localhost:${port}`,
    seen,
    connections: () => open.size,
    bytesSent: () => sent + [...open].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Waits until a condition holds, for what the other end does in its own time. */
export async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 5_000;
  while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  if (!condition()) throw new Error('it did not come to pass within 5 s');
}
