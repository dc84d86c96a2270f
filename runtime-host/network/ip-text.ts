// IP addresses as numbers. They are parsed by hand, so that the result depends on no method that a host program may
// have changed. addresses.ts says which of them are public.

import { sliceText, unitAt } from '../primordials/untampered.ts';

/** Eight groups of 16 bits. An IPv4 address a.b.c.d is ::ffff:a.b.c.d, so that both of its forms are equal. */
export type IpAddress = readonly number[];

/**
 * An address in any spelling, with or without the brackets of a URL; null for another text, or an address with a zone.
 */
export function parseIp(text: string): IpAddress | null {
  if (text[0] === '[') return text[text.length - 1] === ']' ? parseIpv6(text, 1, text.length - 1) : null;
  const two = parseIpv4(text, 0, text.length);
  return two === null ? parseIpv6(text, 0, text.length) : [0, 0, 0, 0, 0, 0xffff, two[0], two[1]];
}

/** Whether both texts are addresses, and equal. */
export function isSameIp(a: string, b: string): boolean {
  const [left, right] = [parseIp(a), parseIp(b)];
  return left !== null && right !== null && sharesPrefix(left, right, 128);
}

/** Whether the first bits of both are the same. */
export function sharesPrefix(a: IpAddress, b: IpAddress, bits: number): boolean {
  for (let at = 0; at * 16 < bits; at++) {
    const unlike = a[at]! ^ b[at]!;
    const ignored = at * 16 + 16 - bits;
    if ((ignored > 0 ? unlike >> ignored : unlike) !== 0) return false;
  }
  return true;
}

/** Whether the host of a URL is an address: the one spelling of IPv4 that URLs have, or brackets. */
export function isAddress(hostname: string): boolean {
  return hostname[0] === '[' || parseIpv4(hostname, 0, hostname.length) !== null;
}

/** Four decimal numbers without leading zeros, as two groups. */
function parseIpv4(text: string, from: number, to: number): readonly [number, number] | null {
  const octets: number[] = [];
  let at = from;
  for (let count = 0; count < 4; count++) {
    if (count > 0 && (at >= to || unitAt(text, at++) !== 0x2e)) return null;
    const start = at;
    let octet = 0;
    for (; at < to && isDigit(unitAt(text, at)); at++) octet = octet * 10 + unitAt(text, at) - 0x30;
    const digits = at - start;
    if (digits === 0 || digits > 3 || octet > 255 || (digits > 1 && unitAt(text, start) === 0x30)) return null;
    octets[count] = octet;
  }
  return at === to ? [octets[0]! * 256 + octets[1]!, octets[2]! * 256 + octets[3]!] : null;
}

/** Groups between colons; two colons in a row may once replace the missing groups; IPv4 may come last. */
function parseIpv6(text: string, from: number, to: number): IpAddress | null {
  const groups: number[] = [];
  let gap = -1;
  let at = from;
  if (isGap(text, from, to)) {
    gap = 0;
    at += 2;
  }
  while (at < to) {
    if (groups.length > 7) return null;
    const end = groupEnd(text, at, to);
    const last = end === to ? parseIpv4(text, at, to) : null;
    if (last !== null) {
      groups[groups.length] = last[0];
      groups[groups.length] = last[1];
      break;
    }
    const group = parseGroup(text, at, end);
    if (group === null) return null;
    groups[groups.length] = group;
    if (end === to) break;
    if (isGap(text, end, to)) {
      if (gap >= 0) return null;
      gap = groups.length;
      at = end + 2;
    } else {
      at = end + 1;
      if (at === to) return null;
    }
  }
  return fillGap(groups, gap);
}

function fillGap(groups: readonly number[], gap: number): IpAddress | null {
  const missing = 8 - groups.length;
  if (gap < 0) return missing === 0 ? groups : null;
  if (missing < 1) return null;
  const whole: number[] = [];
  for (let at = 0; at < 8; at++) whole[at] = at < gap ? groups[at]! : at < gap + missing ? 0 : groups[at - missing]!;
  return whole;
}

function isGap(text: string, at: number, to: number): boolean {
  return at + 2 <= to && sliceText(text, at, at + 2) === '::';
}

function groupEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && unitAt(text, end) !== 0x3a) end++;
  return end;
}

/** One to four hexadecimal digits. */
function parseGroup(text: string, from: number, to: number): number | null {
  if (to === from || to - from > 4) return null;
  let group = 0;
  for (let at = from; at < to; at++) {
    const digit = hexadecimal(unitAt(text, at));
    if (digit < 0) return null;
    group = group * 16 + digit;
  }
  return group;
}

function hexadecimal(unit: number): number {
  if (isDigit(unit)) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
