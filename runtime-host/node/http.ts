// HTTP with Node: each exchange has a new connection to an address that was looked up once and checked; nothing is kept
// between exchanges.

import { lookup } from 'node:dns/promises';
import type { ClientRequest } from 'node:http';
import { isIP } from 'node:net';
import { ownOptions } from '../primordials/own-options.ts';
import { isPublicAddress } from '../network/addresses.ts';
import { withoutLastDot } from '../network/domains.ts';
import { isAddress } from '../network/ip-text.ts';
import { hostOf, hostnameOf, pathnameOf, searchOf } from '../network/url-fields.ts';
import { sliceText } from '../primordials/untampered.ts';
import { faultOf, receive } from './http-answer.ts';
import { openConnection, socketHost, trustedBeside } from './connection.ts';
import type { ConnectionTarget } from './connection.ts';
import { nodeModule } from './http-modules.ts';
import { NetworkFault } from '../platform/platform.ts';
import type { HttpAnswer, HttpClient, HttpExchange } from '../platform/platform.ts';

export interface NodeHttpOptions {
  /** Looks up the addresses of a name instead of the system. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Certificates in PEM that are trusted besides the usual ones. */
  readonly certificateAuthorities?: readonly string[];
}

const maxHeaderBytes = 32 * 1024;
const userAgent = 'sluice/1';
/**
 * How many bytes may come around a body, such as headers and chunk sizes: this many for each byte of the body, and a
 * constant amount.
 */
const mostAroundByte = 8;
const mostAroundBody = 64 * 1024;

export function createNodeHttp(options: NodeHttpOptions = {}): HttpClient {
  const { resolve = resolveBySystem, certificateAuthorities = [] } = ownOptions(options);
  const trusted = trustedBeside(certificateAuthorities);
  return {
    isPublicAddress,
    exchange: async (exchange) => {
      const { url, signal, checkAddresses } = exchange;
      const addresses = isAddress(hostnameOf(url))
        ? [socketHost(url)]
        : await untilAborted(findAddresses(resolve, hostnameOf(url)), signal);
      checkAddresses(addresses);
      return send(exchange, { url, addresses, trusted });
    },
  };
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, ownOptions({ all: true } as const))).map(({ address }) => address);
}

/**
 * A copy of the lookup's result that the resolver cannot change: so the checked addresses are those of the connection.
 */
async function findAddresses(
  resolve: NonNullable<NodeHttpOptions['resolve']>,
  name: string,
): Promise<readonly string[]> {
  const found = await resolve(name);
  const addresses: string[] = [];
  for (let at = 0; at < found.length; at++) {
    const address: unknown = found[at];
    if (typeof address !== 'string' || isIP(address) === 0) throw new NetworkFault('no-such-host');
    addresses[at] = address;
  }
  if (addresses.length === 0) throw new NetworkFault('no-such-host');
  return Object.freeze(addresses);
}

function send(exchange: HttpExchange, target: ConnectionTarget): Promise<HttpAnswer> {
  const { method, url, body, signal } = exchange;
  return new Promise((resolve, reject) => {
    const connection = openConnection(target, () => fail(new NetworkFault('unreachable')));
    const fail = (error: unknown): void => {
      reject(error);
      connection.destroy();
    };
    const request: ClientRequest = nodeModule('node:http').request({
      ...unset,
      method,
      path: `${pathnameOf(url)}${searchOf(url)}`,
      headers: {
        host: hostHeader(url),
        'user-agent': userAgent,
        accept: '*/*',
        'accept-encoding': 'identity',
        connection: 'close',
        ...(body === null ? {} : { 'content-type': body.type, 'content-length': body.bytes.length }),
      },
      createConnection: () => connection,
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      signal,
    });
    // The size of the headers is limited anyway; with a limit on their number, Node would drop some.
    request.maxHeadersCount = 0;
    request.on('error', (error) => fail(faultOf(error)));
    request.on('upgrade', (_response, upgraded) => {
      upgraded.destroy();
      fail(new NetworkFault('malformed'));
    });
    let bytesRead = 0;
    const progress = { bodyBytes: 0 };
    request.on('socket', () => {
      connection.on('data', (part: Buffer) => {
        if (bytesRead > mostAroundBody + mostAroundByte * progress.bodyBytes) fail(new NetworkFault('malformed'));
        bytesRead += part.length;
      });
    });
    request.on('response', (response) => {
      receive(response, exchange, progress).then((answer) => {
        resolve(answer);
        connection.destroy();
      }, fail);
    });
    request.end(body?.bytes);
  });
}

/**
 * Without a trailing dot, which matters for the lookup only: servers and proxies may read it as another name than the
 * allowed one.
 */
function hostHeader(url: URL): string {
  const [host, name] = [hostOf(url), hostnameOf(url)];
  return withoutLastDot(name) + sliceText(host, name.length);
}

/** Options that Deno reads from a polluted Object.prototype; other engines may do so too. */
const unset: object = { auth: undefined, socketPath: undefined, agent: undefined, timeout: undefined, setHost: false };

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new NetworkFault('unknown'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise
      .then(resolve, () => reject(new NetworkFault('no-such-host')))
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
