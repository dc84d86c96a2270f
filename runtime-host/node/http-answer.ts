// The answer of Node's HTTP client as it arrives: which headers count, how much is accepted, and how a broken
// connection is reported.

import type { IncomingMessage } from 'node:http';
import { lowerAscii } from '../primordials/untampered.ts';
import { codeOf } from './faults.ts';
import { NetworkFault } from '../platform/platform.ts';
import type { HttpAnswer, HttpExchange, NetworkFaultCode } from '../platform/platform.ts';

/**
 * Receives an answer and counts the bytes of its body. Rejects with NetworkFault, and with the errors of `checkSize`;
 * the caller then destroys the request.
 */
export function receive(
  response: IncomingMessage,
  { checkSize, read }: HttpExchange,
  progress: { bodyBytes: number },
): Promise<HttpAnswer> {
  const { statusCode: status = 0 } = response;
  return new Promise((resolve, reject) => {
    const [contentType = null] = headersOf(response, 'content-type');
    const head = { status, location: locationOf(response), contentType };
    if (status < 200 || status > 299) return resolve({ ...head, body: new Uint8Array() });
    checkEncoding(response);
    const [announced = '0'] = headersOf(response, 'content-length');
    if (Number.isSafeInteger(Number(announced))) checkSize(Number(announced));
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => {
      progress.bodyBytes += part.length;
      try {
        checkSize(progress.bodyBytes);
        parts[parts.length] = part;
        const asked = read(part.length);
        if (asked instanceof Promise) {
          response.pause();
          asked.then(() => response.resume(), reject);
        }
      } catch (error) {
        reject(error);
      }
    });
    response.on('end', () =>
      response.complete ? resolve({ ...head, body: Buffer.concat(parts) }) : reject(new NetworkFault('reset')),
    );
    response.on('error', (error) => reject(faultOf(error)));
    response.on('close', () => reject(new NetworkFault('reset')));
  });
}

/** All values of a header in their order, from the raw headers and not from an object with a prototype. */
function headersOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (lowerAscii(rawHeaders[at]!) === name) values[values.length] = rawHeaders[at + 1]!;
  return values;
}

/**
 * The target of a redirect. Two different values are a fault: other clients may choose the other one. Throws
 * NetworkFault.
 */
function locationOf(response: IncomingMessage): string | null {
  const locations = headersOf(response, 'location');
  for (let at = 1; at < locations.length; at++) if (locations[at] !== locations[0]) throw new NetworkFault('malformed');
  return locations.length === 0 ? null : readUtf8(locations[0]!);
}

/** Node decodes headers as Latin-1; servers use UTF-8. */
function readUtf8(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** Refuses encodings of the content and of the transfer, except chunked. Throws NetworkFault. */
function checkEncoding(response: IncomingMessage): void {
  for (const encoding of headersOf(response, 'content-encoding'))
    if (lowerAscii(encoding) !== 'identity') throw new NetworkFault('encoded');
  for (const encoding of headersOf(response, 'transfer-encoding'))
    if (lowerAscii(encoding) !== 'chunked') throw new NetworkFault('encoded');
}

const codes: Readonly<Record<string, NetworkFaultCode>> = {
  ENOTFOUND: 'no-such-host',
  EAI_AGAIN: 'no-such-host',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EPROTO: 'tls',
};

/** Converts an error of Node to a fault without its text. */
export function faultOf(error: unknown): NetworkFault {
  const code = codeOf(error) ?? '';
  if (Object.hasOwn(codes, code)) return new NetworkFault(codes[code]!);
  if (code.startsWith('HPE_')) return new NetworkFault('malformed');
  return new NetworkFault(
    /^(ERR_TLS|ERR_SSL|ERR_OSSL)|CERT|ISSUER|SIGNED|SIGNATURE|CRL/.test(code) ? 'tls' : 'unknown',
  );
}
