// HTTP that goes nowhere: a function answers in place of servers.

import { NetworkFault } from './platform.ts';
import type { HttpClient, HttpMethod } from './platform.ts';

export interface MemoryRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly body: string | null;
}

export interface MemoryAnswer {
  /** 200 if left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Answers a request; null where there is no such host. */
export type MemoryServer = (request: MemoryRequest) => MemoryAnswer | null | Promise<MemoryAnswer | null>;

export function createMemoryHttp(server: MemoryServer): HttpClient {
  return {
    isPublicAddress: () => false,
    exchange: async ({ method, url, body, checkSize }) => {
      const answer = await server({ method, url: url.href, body: body === null ? null : new TextDecoder().decode(body.bytes) });
      if (answer === null) throw new NetworkFault('no-such-host');
      const { status = 200, headers = {} } = answer;
      const bytes = status < 200 || status > 299 ? new Uint8Array() : typeof answer.body === 'string' ? new TextEncoder().encode(answer.body) : (answer.body ?? new Uint8Array());
      checkSize(bytes.length);
      return { status, location: headers['location'] ?? null, contentType: headers['content-type'] ?? null, body: bytes };
    },
  };
}
