// The values of the flags: what each must be, and what is said of one that is not.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { readDomain } from '../../../runtime-host/network/domains.ts';
import { knownProperties } from '../../../runtime-host/namespaces/env/functions.ts';
import { nearestName } from '../../language/nearest-name.ts';
import { UsageError } from '../exit.ts';
import { quote } from '../quote.ts';
import { readByteSize } from './byte-size.ts';
import { realName, realPlace } from './places.ts';

/** Throws UsageError: the flag, and what is wrong with its value. */
export type Complain = (what: string) => never;

/** The real path of a directory that exists; a relative one begins at `baseDir`. */
export function readDirectory(value: string, baseDir: string, complain: Complain): string {
  if (value === '') return complain('takes a directory, and is given nothing');
  const path = resolve(baseDir, value);
  try {
    if (!statSync(path).isDirectory()) return complain(`takes a directory, and ${quote(value)} is none: allow the one that it is in`);
    return realpathSync.native(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as { code?: string };
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return complain(`takes a directory, and ${quote(value)} cannot be looked at`);
    const near = nearestDirectory(path);
    return complain(`takes a directory that exists, and there is no ${quote(value)}${near === null ? '' : `: did you mean ${quote(near)}?`}`);
  }
}

/**
 * Where a path leads and where its name is, whether there is anything or not: what is made there later is denied too. One that
 * leads through links of others is denied where it leads now.
 */
export function readDeniedPlaces(value: string, baseDir: string, complain: Complain): readonly string[] {
  if (value === '') return complain('takes a path after =, or nothing at all');
  const path = resolve(baseDir, value);
  return [...new Set([realPlace(path), realName(path)])];
}

/** The name beside it that is much like it. */
function nearestDirectory(path: string): string | null {
  try {
    const entries = readdirSync(dirname(path), { withFileTypes: true });
    return nearestName(basename(path), entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  } catch {
    return null;
  }
}

export function readExtensions(value: string, complain: Complain): readonly string[] {
  return itemsOf(value).map((item) => {
    if (/^\.?[^./\\]+$/.test(item)) return item;
    return complain(`takes extensions such as txt,csv, ${item === '' ? 'and one of them is empty' : `not ${quote(item)}`}`);
  });
}

export function readPorts(value: string, complain: Complain): readonly number[] {
  return itemsOf(value).map((item) => {
    const port = Number(item);
    if (/^\d+$/.test(item) && port >= 1 && port <= 65_535) return port;
    return complain(`takes ports from 1 to 65535 such as 80,443, ${item === '' ? 'and one of them is empty' : `not ${quote(item)}`}`);
  });
}

function itemsOf(list: string): readonly string[] {
  return list.split(',').map((item) => item.trim());
}

export function readSize(value: string, complain: Complain): number {
  return readByteSize(value) ?? complain(`takes a number of bytes, or a size such as 10MB or 64KiB, not ${quote(value)}`);
}

/** What timers can count. */
const longestTimeoutMs = 2 ** 31 - 1;

export function readTimeout(value: string, complain: Complain): number {
  const milliseconds = Number(value);
  if (/^\d+$/.test(value) && milliseconds >= 1 && milliseconds <= longestTimeoutMs) return milliseconds;
  return complain(`takes milliseconds from 1 to ${longestTimeoutMs}, not ${quote(value)}`);
}

export function readDomainName(value: string, complain: Complain): string {
  if (value === '') return complain('takes the name of a host, and is given nothing');
  if (value.includes(',')) return complain('takes the name of one host: give it once for each');
  if (/^\*(\.[^.]*)?$/.test(value)) return complain(`takes the name of a host, and ${quote(value)} is nearly every one: write out more, as in *.example.com`);
  if (readDomain(value) !== null) return value;
  const bracketed = `[${value}]`;
  if (readDomain(bracketed) !== null) return complain(`takes an address of IPv6 in brackets: ${quote(bracketed)}`);
  const [, scheme = '', authority = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)(.*)$/is.exec(value) ?? [];
  const [, host = '', port = ''] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? [];
  if (readDomain(host) === null) return complain(`takes the name of a host such as example.com, not ${quote(value)}`);
  const extra = [...(scheme === '' ? [] : ['scheme']), ...(port === '' ? [] : ['port']), ...(path === '' ? [] : ['path'])];
  const ports = port === '' ? '' : `, and --http-ports=${port} for the port`;
  return complain(`takes the name of a host without ${extra.join(' or ') || 'anything behind it'}: ${quote(host)}${ports}`);
}

export function readVariable(value: string, complain: Complain, flag = '--allow-env'): string {
  if (value === '') return complain('takes the name of a variable, and is given nothing');
  if (value === '*') return complain('takes the name of one variable: give it once for each');
  const [name, ...rest] = value.split('=');
  if (rest.length > 0) return complain(`takes the name of a variable without a value${name === '' ? '' : `: ${quote(name!)}`}`);
  const names = value.split(',');
  if (names.length > 1 && names.every((each) => /^\w+$/.test(each))) return complain(`takes the name of one variable: ${names.map((each) => `${flag}=${each}`).join(' ')}`);
  return value;
}

export function readProperty(value: string, complain: Complain): string {
  if (knownProperties.has(value)) return value;
  const near = nearestName(value, knownProperties);
  return complain(`takes one of ${[...knownProperties].join(', ')}, ${value === '' ? 'and is given nothing' : `not ${quote(value)}`}${near === null ? '' : `: did you mean ${near}?`}`);
}

export function readPlugin(value: string, complain: Complain): string {
  const colon = value.indexOf(':');
  if (colon > 0 && colon < value.length - 1) return value;
  return complain(`takes CATEGORY:ACTION, such as db:query, ${value === '' ? 'and is given nothing' : `not ${quote(value)}`}`);
}
