// The values of the flags for HTTP: how each is read, and the message for an invalid one.

import { quote } from '../../../../src/language/quoted-text.ts';
import { readDomain } from '../../../network/domains.ts';
import { itemsOf } from '../../../permissions/command-line/given-flags.ts';
import type { Complain } from '../../../permissions/command-line/given-flags.ts';

export function readPorts(value: string, complain: Complain): readonly number[] {
  return itemsOf(value).map((item) => {
    const port = Number(item);
    if (/^\d+$/.test(item) && port >= 1 && port <= 65_535) return port;
    return complain(
      `takes ports from 1 to 65535 such as 80,443, ${item === '' ? 'and one of them is empty' : `not ${quote(item)}`}`,
    );
  });
}

/** The longest time that timers can measure. */
const longestTimeoutMs = 2 ** 31 - 1;

export function readTimeout(value: string, complain: Complain): number {
  const milliseconds = Number(value);
  if (/^\d+$/.test(value) && milliseconds >= 1 && milliseconds <= longestTimeoutMs) return milliseconds;
  return complain(`takes milliseconds from 1 to ${longestTimeoutMs}, not ${quote(value)}`);
}

export function readDomainName(value: string, complain: Complain): string {
  if (value === '') return complain('takes the name of a host, and is given nothing');
  if (value.includes(',')) return complain('takes the name of one host: give it once for each');
  if (/^\*(\.[^.]*)?$/.test(value))
    return complain(
      `takes the name of a host, and ${quote(value)} is nearly every one: write out more, as in *.example.com`,
    );
  if (readDomain(value) !== null) return value;
  const bracketed = `[${value}]`;
  if (readDomain(bracketed) !== null) return complain(`takes an address of IPv6 in brackets: ${quote(bracketed)}`);
  const [, scheme = '', authority = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)(.*)$/is.exec(value) ?? [];
  const [, host = '', port = ''] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? [];
  if (readDomain(host) === null) return complain(`takes the name of a host such as example.com, not ${quote(value)}`);
  const extra = [
    ...(scheme === '' ? [] : ['scheme']),
    ...(port === '' ? [] : ['port']),
    ...(path === '' ? [] : ['path']),
  ];
  const ports = port === '' ? '' : `, and --http-ports=${port} for the port`;
  return complain(
    `takes the name of a host without ${extra.join(' or ') || 'anything behind it'}: ${quote(host)}${ports}`,
  );
}
