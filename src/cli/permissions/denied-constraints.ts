// What grants carry of the flags that deny: the host sees where a path, or the name of a host, really leads.

import { isAddress, readDomain } from '../../../runtime-host/network/domains.ts';
import type { FileConstraints, HttpConstraints } from '../../../runtime-host/api/node.ts';
import type { FileVerb, HttpVerb, PermissionFlags } from './read-flags.ts';

/** For every grant of files. */
export function deniedPlaces({ denied }: PermissionFlags, verb: FileVerb): FileConstraints {
  const places = denied[verb].items.map(({ value }) => value);
  return places.length === 0 ? {} : { deniedDirectories: places };
}

/**
 * For every grant of requests: what is denied for all methods, and addresses, which names may stand for. Other names that are denied for
 * this method alone are not: the grant holds to the end, and a redirect may go there by another method.
 */
export function deniedHosts({ denied }: PermissionFlags, verb: HttpVerb): HttpConstraints {
  const everywhere = new Set(denied.http.items.map(({ value }) => value));
  const hosts = denied[verb].items.map(({ value }) => value).filter((value) => everywhere.has(value) || isAddress(readDomain(value)!.name));
  return hosts.length === 0 ? {} : { deniedDomains: hosts };
}
