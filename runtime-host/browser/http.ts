// HTTP with `fetch` in browsers: names and addresses cannot be checked, redirects are not followed, and no cookies or
// credentials are sent.

import { hrefOf } from '../network/url-fields.ts';
import { NetworkFault } from '../platform/platform.ts';
import type { HttpAnswer, HttpClient, HttpExchange } from '../platform/platform.ts';

export function createBrowserHttp(): HttpClient {
  return { exchange: perform, isPublicAddress: () => false };
}

async function perform(exchange: HttpExchange): Promise<HttpAnswer> {
  const { url } = exchange;
  let response: Response;
  try {
    response = await fetch(hrefOf(url), optionsOf(exchange));
  } catch {
    // Browsers do not tell pages the reason.
    throw new NetworkFault('not-told');
  }
  const head = { status: response.status, location: null, contentType: response.headers.get('content-type') };
  if (!response.ok) {
    await response.body?.cancel().catch(() => {});
    return { ...head, body: new Uint8Array() };
  }
  return { ...head, body: await readBody(response.body, exchange) };
}

/** With all options set: `fetch` would read missing ones from Object.prototype. */
function optionsOf({ method, body, signal }: HttpExchange): RequestInit {
  return Object.assign(Object.create(null) as RequestInit, {
    method,
    ...(body === null ? {} : { body: body.bytes, headers: { 'content-type': body.type } }),
    redirect: 'error',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    signal,
  });
}

async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  { checkSize, read: ask }: HttpExchange,
): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await read(reader);
      if (done) break;
      length += value.length;
      checkSize(length);
      await ask(value.length);
      parts.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    throw error;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch {
    throw new NetworkFault('reset');
  }
}
