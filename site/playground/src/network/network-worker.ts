// The only part of the page that other servers are reached from: it sends what a script was allowed to send, without
// cookies, and follows no redirect. All else, compiler, host and script, keeps to a policy that knows the page's own
// server alone.

import { mostBytes } from './messages.ts';
import type { FromNetwork, NetworkAnswer, NetworkRequest, ToNetwork } from './messages.ts';

const sent = new Map<number, AbortController>();

addEventListener('message', ({ data: { number, request } }: MessageEvent<ToNetwork>) => {
  if (request === null) return sent.get(number)?.abort();
  const controller = new AbortController();
  sent.set(number, controller);
  void send(request, controller.signal)
    .catch(() => null)
    .then((answer) => {
      sent.delete(number);
      postMessage({ number, answer } satisfies FromNetwork);
    });
});

async function send({ url, method, headers, body }: NetworkRequest, signal: AbortSignal): Promise<NetworkAnswer> {
  const response = await fetch(url, {
    method,
    headers,
    body,
    signal,
    redirect: 'error',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
  });
  return { status: response.status, headers: [...response.headers], body: await read(response.body) };
}

/** One byte more than a script may read shows it that there was more. */
async function read(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (const reader = stream?.getReader(); reader !== undefined && length <= mostBytes;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(new Uint8Array(value));
    length += value.length;
    if (length > mostBytes) await reader.cancel();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer()).subarray(0, mostBytes + 1);
}
