// Names of hosts: the entries of allowedDomains, and the names that they allow.

import { freeze, sliceText, unitAt } from '../primordials/untampered.ts';
import { isAddress, isSameIp } from './ip-text.ts';
import { hostnameOf, parseUrl, portOf } from './url-fields.ts';

export { isAddress } from './ip-text.ts';

/** One entry: the name itself, or all names with one or more labels in front of it. */
export interface DomainRule {
  /** As in a URL: lower case, punycode, no trailing dot. */
  readonly name: string;
  readonly isWildcard: boolean;
}

/**
 * Reads `example.com`, `*.example.com`, `localhost`, `127.0.0.1`, `[::1]`; null for other texts, such as `*`, `*.com`
 * or `host:80`.
 */
export function readDomain(entry: string): DomainRule | null {
  const isWildcard = sliceText(entry, 0, 2) === '*.';
  const name = canonicalHost(isWildcard ? sliceText(entry, 2) : entry);
  if (name === null) return null;
  if (isWildcard && (isAddress(name) || countDots(name) === 0)) return null;
  return freeze({ name, isWildcard });
}

/** Whether one of the rules allows the host of a URL. */
export function allowsHost(rules: readonly DomainRule[], hostname: string): boolean {
  const host = withoutLastDot(hostname);
  for (let at = 0; at < rules.length; at++) {
    const { name, isWildcard } = rules[at]!;
    if (!isWildcard && host === name) return true;
    const above = host.length - name.length;
    if (isWildcard && above > 1 && sliceText(host, above) === name && host[above - 1] === '.' && !isAddress(host))
      return true;
  }
  return false;
}

/** Whether one of the rules names the host of a URL, or the same address in another spelling. */
export function deniesHost(rules: readonly DomainRule[], host: string): boolean {
  for (let at = 0; at < rules.length; at++) if (isSameIp(rules[at]!.name, host)) return true;
  return allowsHost(rules, host);
}

/** Whether the rules name this host, without a wildcard, and it is `localhost` or an address. */
export function namesLocally(rules: readonly DomainRule[], hostname: string): boolean {
  const host = withoutLastDot(hostname);
  if (host !== 'localhost' && !isAddress(host)) return false;
  for (let at = 0; at < rules.length; at++) if (!rules[at]!.isWildcard && rules[at]!.name === host) return true;
  return false;
}

export function withoutLastDot(hostname: string): string {
  const last = hostname.length - 1;
  return hostname[last] === '.' ? sliceText(hostname, 0, last) : hostname;
}

/** As in a URL; null for a text that is not exactly the name of a host. */
function canonicalHost(text: string): string | null {
  const inBrackets = text[0] === '[';
  if (text === '' || holdsOther(text, inBrackets)) return null;
  if (inBrackets && text[text.length - 1] !== ']') return null;
  const url = parseUrl(`http://${text}/`);
  if (url === null || portOf(url) !== 80) return null;
  const name = withoutLastDot(hostnameOf(url));
  return hasEmptyLabel(name) ? null : name;
}

/**
 * Whether a text has characters that end the host of a URL or have a meaning in it; a colon is allowed only in
 * brackets.
 */
function holdsOther(text: string, inBrackets: boolean): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = unitAt(text, at);
    if (
      isSpaceOrControl(unit) ||
      unit === 0x2f ||
      unit === 0x5c ||
      unit === 0x3f ||
      unit === 0x23 ||
      unit === 0x40 ||
      unit === 0x2a ||
      unit === 0x25
    )
      return true;
    if (unit === 0x3a && !inBrackets) return true;
  }
  return false;
}

/** Two dots in a row, or a dot at an end. */
export function hasEmptyLabel(name: string): boolean {
  for (let at = 0; at <= name.length; at++)
    if ((at === name.length || name[at] === '.') && (at === 0 || name[at - 1] === '.')) return true;
  return false;
}

/** White space of JavaScript, C0, DEL and C1. */
export function isSpaceOrControl(unit: number): boolean {
  if (unit <= 0x20 || (unit >= 0x7f && unit <= 0xa0)) return true;
  if (unit >= 0x2000 && unit <= 0x200a) return true;
  return (
    unit === 0x1680 ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

function countDots(name: string): number {
  let dots = 0;
  for (let at = 0; at < name.length; at++) if (name[at] === '.') dots++;
  return dots;
}
