// Requests over HTTP: which hosts flags allow, and how a wish is put.

import { isPublicAddress } from '../../../runtime-host/network/addresses.ts';
import { allowsHost, isAddress, readDomain, withoutLastDot } from '../../../runtime-host/network/domains.ts';
import { Granted, HttpGrant } from '../../../runtime-host/api/node.ts';
import type { Grant } from '../../../runtime-host/api/node.ts';
import { HttpRequest } from '../../../runtime-host/namespaces/http/requests.ts';
import type { HttpVerb, PermissionFlags } from './read-flags.ts';
import { deniedHosts } from './denied-constraints.ts';
import { show, showFlag, showQuoted } from './show.ts';
import type { Scope, Wish } from './wish.ts';

export const httpVerbs: Readonly<Record<HttpRequest['kind'], HttpVerb>> = { 'Http.Get': 'get', 'Http.Post': 'post', 'Http.Put': 'put', 'Http.Delete': 'delete' };

/** What the flags grant; null if none covers the request. */
export function grantHttp(flags: PermissionFlags, { kind, url }: HttpRequest): Grant | null {
  const { hostname } = new URL(url);
  const isListed = allowsHost(flags.domains[httpVerbs[kind]].map((domain) => readDomain(domain)!), hostname);
  if (isListed) return grantHost(flags, httpVerbs[kind], hostname);
  if (!flags.allowAll) return null;
  const limits = { ...flags.httpLimits, ...deniedHosts(flags, httpVerbs[kind]) };
  return Object.keys(limits).length === 0 ? Granted : HttpGrant(limits);
}

/**
 * A grant for a request that has been looked at. Its hosts are not listed: every other origin on the way is a request of
 * its own, with a method of its own, and a list in the first grant would refuse it before anybody is asked. Only
 * localhost and addresses must be listed to be reached at all, together with what may follow them.
 */
function grantHost(flags: PermissionFlags, verb: HttpVerb, hostname: string): Grant {
  const { httpLimits, domains } = flags;
  const host = withoutLastDot(hostname);
  const limits = { ...httpLimits, ...deniedHosts(flags, verb) };
  if (!isLocal(host)) return HttpGrant(limits);
  return HttpGrant({ ...limits, allowedDomains: [...new Set([host, ...Object.values(domains).flat()])] });
}

function isLocal(host: string): boolean {
  return host === 'localhost' || isAddress(host);
}

export function wishForHttp(flags: PermissionFlags, request: HttpRequest): Wish {
  const url = new URL(request.url);
  const verb = httpVerbs[request.kind];
  const host = withoutLastDot(url.hostname);
  const isPrivate = host === 'localhost' || (isAddress(host) && !isPublicAddress(host));
  return {
    call: `${request.function} ${showQuoted(request.url)}`,
    text: `send a ${verb.toUpperCase()} request to ${showQuoted(request.url)}`,
    notes: isPrivate ? [`${show(host)} is this machine, or in a private network.`] : [],
    topic: { id: 'http', text: 'every HTTP request' },
    ruledOut: ruleOut(flags, url),
    flag: showFlag(`--allow-http-${verb}=${host}`),
    grant: grantHost(flags, verb, host),
    scope: scopeOf(flags, verb, url),
  };
}

function scopeOf(flags: PermissionFlags, verb: HttpVerb, { origin, hostname }: URL): Scope {
  return {
    text: `${verb.toUpperCase()} requests to ${show(origin)}`,
    allows: (request) => (request instanceof HttpRequest && httpVerbs[request.kind] === verb && new URL(request.url).origin === origin ? grantHost(flags, verb, hostname) : null),
  };
}

function ruleOut({ httpLimits: { httpsOnly, allowedPorts } }: PermissionFlags, { protocol, port }: URL): string | null {
  if (httpsOnly === true && protocol !== 'https:') return '--https-only is given';
  const effective = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return allowedPorts === undefined || allowedPorts === null || allowedPorts.includes(effective) ? null : '--http-ports leaves it out';
}
