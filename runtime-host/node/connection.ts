// A single connection of Node's, plain text or TLS, to an address that was looked up and checked before. It is made
// here and not by one of Node's agents: a package that replaces those agents by a proxy would otherwise get the
// connection.

import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { withoutLastDot } from '../network/domains.ts';
import { isAddress, isSameIp } from '../network/ip-text.ts';
import { hostnameOf, isSecure, portOf } from '../network/url-fields.ts';
import { sliceText } from '../primordials/untampered.ts';
import { nodeModule } from './http-modules.ts';

export interface ConnectionTarget {
  readonly url: URL;
  /** All addresses of the URL's host. */
  readonly addresses: readonly string[];
  /** The trusted certificates; undefined for Node's own. */
  readonly trusted: readonly string[] | undefined;
}

/** Node's trusted certificates and these; undefined if there are none to add. */
export function trustedBeside(certificates: readonly string[]): readonly string[] | undefined {
  return certificates.length === 0 ? undefined : [...nodeModule('node:tls').rootCertificates, ...certificates];
}

/** The host of a URL in the form for sockets: an IPv6 address without brackets. */
export function socketHost(url: URL): string {
  const name = hostnameOf(url);
  return name[0] === '[' ? sliceText(name, 1, name.length - 1) : name;
}

/**
 * Options that would lead elsewhere, or be trusted, if a polluted Object.prototype had them: Node reads its options
 * from plain objects.
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

/** `refuse` is called, before anything is sent, if the connected address is none of the given ones. */
export function openConnection({ url, addresses, trusted }: ConnectionTarget, refuse: () => void): Socket {
  const host = socketHost(url);
  const options = { ...unset, host, port: portOf(url), lookup: fixedLookup(addresses), autoSelectFamily: true };
  const security = () => ({
    // Given explicitly, since the environment and Node's flags change the default.
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

/** The lookup function for sockets: always answers with the addresses that were found before. */
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
