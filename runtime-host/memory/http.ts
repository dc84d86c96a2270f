// HTTP without a network: a function answers in place of servers.

import { lowerAscii } from '../primordials/untampered.ts';
import { NetworkFault } from '../platform/platform.ts';
import type { HttpAnswer, HttpClient, HttpExchange, HttpMethod } from '../platform/platform.ts';

/** A request to a server in memory. */
export interface MemoryRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly body: string | null;
  /** The content type of the body; null without a body. */
  readonly contentType: string | null;
}

/** The answer of a server in memory. */
export interface MemoryAnswer {
  /** 200 if left out. */
  readonly status?: number;
  /** Upper and lower case are the same in their names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Answers a request; null if there is no such host. */
export type MemoryServer = (request: MemoryRequest) => MemoryAnswer | null | Promise<MemoryAnswer | null>;

export function createMemoryHttp(server: MemoryServer): HttpClient {
  return {
    isPublicAddress: () => false,
    exchange: (exchange) => untilAborted(answer(server, exchange), exchange.signal),
  };
}

async function answer(
  server: MemoryServer,
  { method, url, body, signal, checkSize, read }: HttpExchange,
): Promise<HttpAnswer> {
  if (signal.aborted) throw new NetworkFault('unknown');
  const given = await server({
    method,
    url: url.href,
    body: body === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.bytes),
    contentType: body?.type ?? null,
  });
  if (given === null) throw new NetworkFault('no-such-host');
  const { status = 200, headers = {} } = given;
  const head = { status, location: headerOf(headers, 'location'), contentType: headerOf(headers, 'content-type') };
  if (status < 200 || status > 299) return { ...head, body: new Uint8Array() };
  const encoding = headerOf(headers, 'content-encoding');
  if (encoding !== null && lowerAscii(encoding) !== 'identity') throw new NetworkFault('encoded');
  const bytes =
    typeof given.body === 'string' ? new TextEncoder().encode(given.body) : (given.body ?? new Uint8Array());
  checkSize(bytes.length);
  await read(bytes.length);
  return { ...head, body: bytes };
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | null {
  for (const name of Object.keys(headers)) if (lowerAscii(name) === wanted) return headers[name]!;
  return null;
}

/** Ends the wait for a server that never answers. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new NetworkFault('unknown'));
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
