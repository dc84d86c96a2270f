// Which IP addresses are public. Everything that is not plainly a unicast address of the internet is not: loopback,
// private and shared ranges, link-local, multicast, reserved, and addresses that carry such a one inside them. The ranges
// are ipaddr.js's, copied when the host is loaded.

import ipaddr from 'ipaddr.js';
import type { IPv4, IPv6 } from 'ipaddr.js';
import { parseIp, sharesPrefix } from './ip-text.ts';
import type { IpAddress } from './ip-text.ts';

type Range = readonly [start: IpAddress, bits: number];
type Ranges = Readonly<Record<string, readonly [IPv4 | IPv6, number] | readonly (readonly [IPv4 | IPv6, number])[]>>;

/** Services that tell a machine about itself, on addresses that no range of the tables gives away. */
const metadataServices = ['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32', '169.254.169.254/32', 'fd00:ec2::254/128'];

/** What the tables of ipaddr.js have under other names, or not in every version. */
const furtherRanges = ['0.0.0.0/8', '192.88.99.0/24', '198.18.0.0/15', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const ipv4Forms: Range = [[0, 0, 0, 0, 0, 0xffff, 0, 0], 96];
/** The prefix by which everyone translates to IPv4; those of single networks are not public. */
const translatedForms: Range = [[0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96];
/** IPv6 gives addresses of the internet out below 2000::/3 alone. */
const publicIpv6: Range = [[0x2000, 0, 0, 0, 0, 0, 0, 0], 3];

const specialRanges: readonly Range[] = [
  ...tableOf((ipaddr.IPv4.prototype as unknown as { readonly SpecialRanges: Ranges }).SpecialRanges),
  ...tableOf((ipaddr.IPv6.prototype as unknown as { readonly SpecialRanges: Ranges }).SpecialRanges),
  ...[...metadataServices, ...furtherRanges].map((text) => rangeOf(ipaddr.parseCIDR(text))),
];

/** Whether a text is the address of a host on the internet; false for what is no address. */
export function isPublicAddress(text: string): boolean {
  const address = parseIp(text);
  if (address === null) return false;
  const plain = isIn(address, translatedForms) ? asIpv4(address) : address;
  if (!isIn(plain, ipv4Forms) && !isIn(plain, publicIpv6)) return false;
  for (let at = 0; at < specialRanges.length; at++) if (isIn(plain, specialRanges[at]!)) return false;
  return true;
}

function isIn(address: IpAddress, range: Range): boolean {
  return sharesPrefix(address, range[0], range[1]);
}

/** The IPv4 address in the last two groups. */
function asIpv4(address: IpAddress): IpAddress {
  return [0, 0, 0, 0, 0, 0xffff, address[6]!, address[7]!];
}

/** All ranges of a table but the one that stands for IPv4 as a whole. */
function tableOf(ranges: Ranges): Range[] {
  return Object.entries(ranges)
    .filter(([name]) => name !== 'ipv4Mapped')
    .flatMap(([, list]) => (isSingle(list) ? [rangeOf(list)] : list.map(rangeOf)));
}

function isSingle(list: Ranges[string]): list is readonly [IPv4 | IPv6, number] {
  return typeof list[1] === 'number';
}

function rangeOf([start, bits]: readonly [IPv4 | IPv6, number]): Range {
  if (start.kind() === 'ipv6') return [[...(start as IPv6).parts], bits];
  const [a, b, c, d] = (start as IPv4).octets as [number, number, number, number];
  return [[0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d], bits + 96];
}
