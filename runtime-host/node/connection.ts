// One connection of Node's, in plain text or TLS, to an address that was found and asked about before. Made here and
// not by an agent of Node's: a package that puts a proxy in the place of those agents would have the connection
// otherwise.

import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { withoutLastDot } from '../network/domains.ts';
import { isAddress, isSameIp } from '../network/ip-text.ts';
import { hostnameOf, isSecure, portOf } from '../network/url-fields.ts';
import { sliceText } from '../primordials/untampered.ts';
import { nodeModule } from './http-modules.ts';

export interface ConnectionTarget {
  readonly url: URL;
  /** All that the host of the URL stands for. */
  readonly addresses: readonly string[];
  /** What is trusted; undefined for what Node trusts. */
  readonly trusted: readonly string[] | undefined;
}

/** What Node trusts, and more; undefined for no more. */
export function trustedBeside(certificates: readonly string[]): readonly string[] | undefined {
  return certificates.length === 0 ? undefined : [...nodeModule('node:tls').rootCertificates, ...certificates];
}

/** The host of a URL as sockets take it: an address of IPv6 without its brackets. */
export function socketHost(url: URL): string {
  const name = hostnameOf(url);
  return name[0] === '[' ? sliceText(name, 1, name.length - 1) : name;
}

/**
 * What would lead elsewhere, or be trusted, if a polluted Object.prototype had it: options of Node's are plain objects.
 */
const unset: object = {
  path: undefined,
  localAddress: undefined,
  localPort: undefined,
  socket: undefined,
  secureContext: undefined,
  session: undefined,
  pskCallback: undefined,
  fd: undefined,
  handle: undefined,
};

/** `refuse` is called, before anything is sent, if what was connected to is none of the addresses. */
export function openConnection({ url, addresses, trusted }: ConnectionTarget, refuse: () => void): Socket {
  const host = socketHost(url);
  const options = { ...unset, host, port: portOf(url), lookup: fixedLookup(addresses), autoSelectFamily: true };
  const security = () => ({
    // Stated, since the environment and Node's flags have a say in what is left out.
    rejectUnauthorized: true,
    checkServerIdentity: nodeModule('node:tls').checkServerIdentity,
    servername: isAddress(hostnameOf(url)) ? '' : withoutLastDot(host),
    ALPNProtocols: ['http/1.1'],
    ...(trusted === undefined ? {} : { ca: [...trusted] }),
  });
  const socket = isSecure(url) ? nodeModule('node:tls').connect({ ...options, ...security() }) : connect(options);
  socket.prependOnceListener('connect', () => {
    if (!includes(addresses, socket.remoteAddress ?? '')) refuse();
  });
  return socket;
}

type LookupCallback = (
  error: Error | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

/** What sockets ask for a name: always the addresses that were found before. */
function fixedLookup(addresses: readonly string[]) {
  return (_name: string, options: { all?: boolean | undefined }, callback: LookupCallback): void => {
    const found: { address: string; family: number }[] = [];
    for (let at = 0; at < addresses.length; at++) found[at] = { address: addresses[at]!, family: isIP(addresses[at]!) };
    if (options.all === true) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };
}

function includes(addresses: readonly string[], address: string): boolean {
  for (let at = 0; at < addresses.length; at++) if (isSameIp(addresses[at]!, address)) return true;
  return false;
}
