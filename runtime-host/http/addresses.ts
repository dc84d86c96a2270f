// Which IP addresses are public. Everything that is not plainly a unicast address of the internet is not: loopback,
// private and shared ranges, link-local, multicast, reserved, and addresses that carry such a one inside them.

import ipaddr from 'ipaddr.js';
import type { IPv4, IPv6 } from 'ipaddr.js';

/** Services that tell a machine about itself, on addresses that no range gives away. */
const metadataServices: ReadonlySet<string> = new Set(['168.63.129.16', '100.100.100.200', '192.0.0.192', '169.254.169.254', 'fd00:ec2::254']);

/** Ranges that ipaddr.js calls unicast, and that are not public all the same, or not any more. */
const furtherRanges = ['192.88.99.0/24', '198.18.0.0/15', '0.0.0.0/8', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16', '100::/64', 'fec0::/10'].map((range) => ipaddr.parseCIDR(range));

/** Whether a text is the address of a host on the internet; false for what is no address. */
export function isPublicAddress(text: string): boolean {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const zone = bare.indexOf('%');
  if (zone >= 0 || !ipaddr.isValid(bare)) return false;
  return isPublic(ipaddr.parse(bare));
}

function isPublic(address: IPv4 | IPv6): boolean {
  if (metadataServices.has(address.toString())) return false;
  if (address.range() === 'unicast') return !furtherRanges.some(([range, bits]) => range.kind() === address.kind() && matches(address, range, bits)) && !isBelowGlobal(address);
  const inner = address.kind() === 'ipv6' ? innerAddress(address as IPv6) : null;
  return inner !== null && isPublic(inner);
}

/** IPv6 gives addresses of the internet out below 2000::/3 alone. */
function isBelowGlobal(address: IPv4 | IPv6): boolean {
  return address.kind() === 'ipv6' && (((address as IPv6).parts[0] ?? 0) & 0xe000) !== 0x2000;
}

function matches(address: IPv4 | IPv6, range: IPv4 | IPv6, bits: number): boolean {
  return address.kind() === 'ipv4' ? (address as IPv4).match(range as IPv4, bits) : (address as IPv6).match(range as IPv6, bits);
}

/** The IPv4 address inside a mapped or NAT64 one; those of 6to4 and Teredo are not gone into. */
function innerAddress(address: IPv6): IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.range() !== 'rfc6052') return null;
  const [high, low] = address.parts.slice(6) as [number, number];
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}
