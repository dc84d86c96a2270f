// Which IP addresses are public: only unicast addresses of the internet are. Loopback, private and shared ranges,
// link-local, multicast and reserved addresses are not, nor addresses that embed one of these. A test compares the
// table with ipaddr.js.

import { parseIp, sharesPrefix } from './ip-text.ts';
import type { IpAddress } from './ip-text.ts';

type Range = readonly [start: IpAddress, bits: number];

/** Four decimal numbers and the length of the prefix. */
const ipv4Ranges: readonly (readonly [start: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Metadata services of cloud machines, on addresses outside of the ranges above.
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['169.254.169.254', 32],
];

/** Ranges inside of 2000::/3 that are not public; nothing outside of 2000::/3 is. */
const ipv6Ranges: readonly (readonly [start: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const ipv4Forms: Range = [[0, 0, 0, 0, 0, 0xffff, 0, 0], 96];
/** The well-known prefix of translation to IPv4; prefixes of single networks are not public. */
const translatedForms: Range = [[0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96];
/** IPv6 assigns addresses of the internet only from 2000::/3. */
const publicIpv6: Range = [[0x2000, 0, 0, 0, 0, 0, 0, 0], 3];

const specialRanges: readonly Range[] = [
  ...ipv4Ranges.map(([start, bits]): Range => [parseIp(start)!, bits + 96]),
  ...ipv6Ranges.map(([start, bits]): Range => [parseIp(start)!, bits]),
];

/** Whether a text is the address of a host on the internet; false for a text that is no address. */
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
