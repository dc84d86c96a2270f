// The checks of a URL: its form before the request, then the constraints of the grants, again for every redirect.

import { Failure } from '../../errors/failures.ts';
import type { HttpLimits } from './grant.ts';
import type { PrivateNetwork } from '../../network/private-network.ts';
import { checkText, maxUrlLength } from '../../permissions/texts.ts';
import { unitAt } from '../../primordials/untampered.ts';
import {
  allowsHost,
  deniesHost,
  hasEmptyLabel,
  isSpaceOrControl,
  namesLocally,
  withoutLastDot,
} from '../../network/domains.ts';
import { isAddress } from '../../network/ip-text.ts';
import {
  dropFragment,
  hasCredentials,
  hostnameOf,
  hrefOf,
  isSecure,
  parseUrl,
  portOf,
  protocolOf,
} from '../../network/url-fields.ts';

/** What decides whether a host may be connected to. */
export interface Network {
  readonly privateNetwork: PrivateNetwork;
  /** False for a text that is no address, and if the platform cannot tell. */
  readonly isPublicAddress: (address: string) => boolean;
}

/**
 * The URL in canonical form, without its fragment. Throws SecurityError for an invalid URL, or one that scripts may not
 * use.
 */
export function readUrl(text: string, called: string): URL {
  checkText(text, 'URL', called, maxUrlLength);
  for (let at = 0; at < text.length; at++) {
    if (isSpaceOrControl(unitAt(text, at))) throw denied(called, 'the URL holds white space; write it as %20');
    if (unitAt(text, at) === backslash) throw denied(called, 'the URL holds a backslash; write a slash');
  }
  const url = parseUrl(text);
  if (url === null) throw denied(called, 'this is no URL; it begins with https://');
  return checkFields(url, 'URL', called);
}

/**
 * The target of a redirect; a relative one starts at the requested URL. Throws SecurityError, whose message does not
 * name the target.
 */
export function readLocation(location: string, from: URL, called: string): URL {
  checkText(location, 'redirect', called, maxUrlLength);
  for (let at = 0; at < location.length; at++) {
    if (isSpaceOrControl(unitAt(location, at))) throw denied(called, 'the redirect holds white space');
    if (unitAt(location, at) === backslash) throw denied(called, 'the redirect holds a backslash');
  }
  const url = parseUrl(location, hrefOf(from));
  if (url === null) throw denied(called, 'the redirect leads to no URL');
  return checkFields(url, 'redirect', called);
}

/** Some parsers read it as a slash, others as an ordinary character. */
const backslash = 0x5c;

function checkFields(url: URL, what: 'URL' | 'redirect', called: string): URL {
  const protocol = protocolOf(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw denied(called, `the scheme of the ${what} is neither http nor https`);
  if (hasCredentials(url)) throw denied(called, `the ${what} holds a user name or a password`);
  if (hostnameOf(url) === '') throw denied(called, `the ${what} names no host`);
  if (hasEmptyLabel(withoutLastDot(hostnameOf(url)))) throw denied(called, `the host of the ${what} is no name`);
  dropFragment(url);
  return url;
}

/** Throws SecurityError unless all grants allow the URL; addresses are checked after the lookup of its host. */
export function checkUrl(url: URL, grants: readonly HttpLimits[], network: Network, called: string): void {
  for (let at = 0; at < grants.length; at++) {
    const { httpsOnly, allowedPorts, allowedDomains } = grants[at]!;
    if (httpsOnly && !isSecure(url)) throw denied(called, 'httpsOnly');
    if (allowedPorts !== null && !includes(allowedPorts, portOf(url))) throw denied(called, 'outside allowedPorts');
    if (allowedDomains !== null && !allowsHost(allowedDomains, hostnameOf(url)))
      throw denied(called, 'outside allowedDomains');
  }
  checkDenied(hostnameOf(url), grants, called);
  if (isAddress(hostnameOf(url)) && mustBePublic(url, grants, network) && !network.isPublicAddress(hostnameOf(url)))
    throw notPublic(called);
}

/** Throws SecurityError unless the addresses of a name may be connected to. */
export function checkAddresses(
  addresses: readonly string[],
  url: URL,
  grants: readonly HttpLimits[],
  network: Network,
  called: string,
): void {
  for (let at = 0; at < addresses.length; at++) checkDenied(addresses[at]!, grants, called);
  if (!mustBePublic(url, grants, network)) return;
  for (let at = 0; at < addresses.length; at++) if (!network.isPublicAddress(addresses[at]!)) throw notPublic(called);
}

function checkDenied(host: string, grants: readonly HttpLimits[], called: string): void {
  for (let at = 0; at < grants.length; at++) {
    const { deniedDomains } = grants[at]!;
    if (deniedDomains !== null && deniesHost(deniedDomains, host)) throw denied(called, 'inside deniedDomains');
  }
}

function mustBePublic(url: URL, grants: readonly HttpLimits[], { privateNetwork }: Network): boolean {
  if (privateNetwork === 'allow') return false;
  let isListed = false;
  for (let at = 0; at < grants.length; at++) {
    const { allowedDomains } = grants[at]!;
    if (allowedDomains === null) continue;
    if (namesLocally(allowedDomains, hostnameOf(url))) return false;
    isListed = true;
  }
  return privateNetwork !== 'listed' || isListed;
}

function includes(ports: readonly number[], port: number): boolean {
  for (let at = 0; at < ports.length; at++) if (ports[at] === port) return true;
  return false;
}

function notPublic(called: string): Failure {
  return denied(called, 'the host is not on the public network');
}

export function denied(called: string, what: string): Failure {
  return new Failure('SecurityError', `${called} denied: ${what}`);
}
