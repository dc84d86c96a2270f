// Names of hosts: the entries of allowedDomains, and which names they allow.

import { freeze, sliceText } from '../permissions/untampered.ts';

/** One entry: the name itself, or all names of one label or more below it. */
export interface DomainRule {
  /** In the form that a URL has it: lower case, punycode, no dot behind. */
  readonly name: string;
  readonly isWildcard: boolean;
}

/** `example.com`, `*.example.com`, `localhost`, `127.0.0.1`, `[::1]`; null for what is none, such as `*`, `*.com` or `host:80`. */
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
    if (isWildcard && above > 1 && sliceText(host, above) === name && host[above - 1] === '.' && !isAddress(host)) return true;
  }
  return false;
}

/** Whether the rules name this very host, without a wildcard, and it is `localhost` or an address. */
export function namesLocally(rules: readonly DomainRule[], hostname: string): boolean {
  const host = withoutLastDot(hostname);
  if (host !== 'localhost' && !isAddress(host)) return false;
  for (let at = 0; at < rules.length; at++) if (!rules[at]!.isWildcard && rules[at]!.name === host) return true;
  return false;
}

/** Whether the host of a URL is an address and no name. URLs write addresses of IPv4 with four numbers, whatever was written. */
export function isAddress(hostname: string): boolean {
  return hostname[0] === '[' || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

export function withoutLastDot(hostname: string): string {
  const last = hostname.length - 1;
  return hostname[last] === '.' ? sliceText(hostname, 0, last) : hostname;
}

/** As a URL has it, or null for text that is more, or less, than the name of a host. */
function canonicalHost(text: string): string | null {
  if (text === '' || /[\s/\\?#@*%]/.test(text)) return null;
  if (text[0] !== '[' && text.includes(':')) return null;
  const url = URL.parse(`http://${text}/`);
  if (url === null || url.port !== '' || url.hostname === '' || (text[0] === '[' && !text.endsWith(']'))) return null;
  const name = withoutLastDot(url.hostname);
  return name === '' || name.startsWith('.') || name.includes('..') || name.endsWith('.') ? null : name;
}

function countDots(name: string): number {
  let dots = 0;
  for (let at = 0; at < name.length; at++) if (name[at] === '.') dots++;
  return dots;
}
