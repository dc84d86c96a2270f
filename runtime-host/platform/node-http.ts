// HTTP by Node: a connection for each exchange, to an address that was looked up once and asked about, and nothing kept.

import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { isPublicAddress } from '../http/addresses.ts';
import { isAddress } from '../http/ip-text.ts';
import { codeOf } from './node-faults.ts';
import { NetworkFault } from './platform.ts';
import type { HttpAnswer, HttpClient, HttpExchange, NetworkFaultCode } from './platform.ts';

export interface NodeHttpOptions {
  /** Finds the addresses of a name in place of the system. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Certificates in PEM that are trusted beside the usual ones. */
  readonly certificateAuthorities?: readonly string[];
}

const maxHeaderBytes = 32 * 1024;
const userAgent = 'sluice/1';

export function createNodeHttp(options: NodeHttpOptions = {}): HttpClient {
  const { resolve = resolveBySystem, certificateAuthorities = [] } = options;
  const ca = certificateAuthorities.length === 0 ? undefined : [...rootCertificates, ...certificateAuthorities];
  return {
    isPublicAddress,
    exchange: async (exchange) => {
      const { url, signal, checkAddresses } = exchange;
      const addresses = isAddress(url.hostname) ? [url.hostname.replace(/^\[|\]$/g, '')] : await untilAborted(resolve(url.hostname), signal);
      if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) throw new NetworkFault('no-such-host');
      checkAddresses(addresses);
      return send(exchange, addresses, ca);
    },
  };
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    throw new NetworkFault('no-such-host');
  }
}

function send(exchange: HttpExchange, addresses: readonly string[], ca: readonly string[] | undefined): Promise<HttpAnswer> {
  const { method, url, body, signal } = exchange;
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const options = {
      method,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        'user-agent': userAgent,
        accept: '*/*',
        'accept-encoding': 'identity',
        connection: 'close',
        ...(body === null ? {} : { 'content-type': body.type, 'content-length': body.bytes.length }),
      },
      agent: false as const,
      lookup: fixedLookup(addresses),
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      signal,
      ...(isSecure ? { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...ca] }) } : {}),
    };
    const request: ClientRequest = isSecure ? requestHttps(options) : requestHttp(options);
    const fail = (error: unknown): void => {
      reject(error);
      request.destroy();
    };
    request.on('error', (error) => fail(faultOf(error)));
    // Whatever connected, it must be one of the addresses that were asked about.
    request.on('socket', (socket) => {
      socket.on('connect', () => {
        if (!addresses.some((address) => isSameAddress(address, socket.remoteAddress ?? ''))) fail(new NetworkFault('unreachable'));
      });
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new NetworkFault('malformed'));
    });
    request.on('response', (response) => {
      receive(response, exchange).then((answer) => {
        resolve(answer);
        request.destroy();
      }, fail);
    });
    request.end(body?.bytes);
  });
}

type LookupCallback = (error: Error | null, address: string | { address: string; family: number }[], family?: number) => void;

/** What Node's connections ask for a name: always the addresses that were found before. */
function fixedLookup(addresses: readonly string[]) {
  return (_name: string, options: { all?: boolean | undefined }, callback: LookupCallback): void => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };
}

function receive(response: IncomingMessage, { checkSize }: HttpExchange): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response;
  const head = { status, location: headers.location ?? null, contentType: headers['content-type'] ?? null };
  if (status < 200 || status > 299) return Promise.resolve({ ...head, body: new Uint8Array() });
  return new Promise((resolve, reject) => {
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new NetworkFault('encoded');
    const announced = Number(headers['content-length'] ?? 0);
    if (Number.isSafeInteger(announced)) checkSize(announced);
    const parts: Buffer[] = [];
    let length = 0;
    response.on('data', (part: Buffer) => {
      length += part.length;
      parts.push(part);
      try {
        checkSize(length);
      } catch (error) {
        reject(error);
      }
    });
    response.on('end', () => (response.complete ? resolve({ ...head, body: Buffer.concat(parts) }) : reject(new NetworkFault('reset'))));
    response.on('error', (error) => reject(faultOf(error)));
    response.on('close', () => reject(new NetworkFault('reset')));
  });
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

function faultOf(error: unknown): NetworkFault {
  const code = codeOf(error) ?? '';
  if (codes[code] !== undefined) return new NetworkFault(codes[code]);
  if (code.startsWith('HPE_')) return new NetworkFault('malformed');
  return new NetworkFault(/^(ERR_TLS|ERR_SSL|ERR_OSSL)|CERT|ISSUER|SIGNED|SIGNATURE|CRL/.test(code) ? 'tls' : 'unknown');
}

function isSameAddress(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

/** Without the form of IPv6 for an address of IPv4, and in the one spelling that URLs have. */
function bare(address: string): string {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return isIP(plain) === 6 ? (URL.parse(`http://[${plain.replace(/%.*$/, '')}]/`)?.hostname ?? plain) : plain;
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new NetworkFault('unknown'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, (error: unknown) => reject(error instanceof NetworkFault ? error : new NetworkFault('no-such-host'))).finally(() => signal.removeEventListener('abort', abort));
  });
}
