// Requests over HTTP: which hosts flags allow and deny, and how a person is asked.

import { isPublicAddress } from '../../../network/addresses.ts';
import { allowsHost, deniesHost, isAddress, readDomain, withoutLastDot } from '../../../network/domains.ts';
import { Granted } from '../../../permissions/grants.ts';
import type { Grant } from '../../../permissions/grants.ts';
import {
  allowAllExceeds,
  inBoth,
  innerOf,
  least,
  narrowedLimit,
  newlyDenied,
  notGiven,
  readBounded,
} from '../../../permissions/command-line/bounds.ts';
import type { Bounded } from '../../../permissions/command-line/bounds.ts';
import { constraintsOf, findDenying, readSize, together } from '../../../permissions/command-line/given-flags.ts';
import type { DenyList, GivenFlags } from '../../../permissions/command-line/given-flags.ts';
import type { FlagPolicy, PermissionPrompt, Scope } from '../../../permissions/command-line/policy.ts';
import { show, showFlag, showQuoted } from '../../../permissions/command-line/shown-text.ts';
import { HttpGrant } from '../grant.ts';
import type { HttpConstraints } from '../grant.ts';
import type { AnyHttpRequest } from '../requests.ts';
import { readDomainName, readPorts, readTimeout } from './values.ts';

type HttpVerb = 'get' | 'post' | 'put' | 'delete';

interface HttpFlags {
  readonly allowAll: boolean;
  /** In the form of allowedDomains. */
  readonly domains: Readonly<Record<HttpVerb, readonly string[]>>;
  readonly limits: HttpConstraints;
  /** `all` holds the names that are denied for every method; the lists of the single methods contain them too. */
  readonly denied: Readonly<Record<HttpVerb | 'all', DenyList>>;
}

export function readPolicy(given: GivenFlags, bound: GivenFlags | null): FlagPolicy<AnyHttpRequest> {
  const { flags, exceeding } = readBounded(given, bound, readFlags, cutFlags);
  return {
    exceeding,
    grant: (request) => grantHttp(flags, request),
    denyingFlag: ({ kind, url }) =>
      findDenying(flags.denied[verbs[kind]], () => {
        const { hostname } = new URL(url);
        return (value) => deniesHost([readDomain(value)!], hostname);
      }),
    limiting: (request, reason) =>
      reason === 'the host is not on the public network' ? howToReach(request) : (constraintFlags.get(reason) ?? null),
    prompt: (request) => promptFor(flags, request),
  };
}

const httpsOnlyGiven = '--https-only is given';
const otherPort = '--http-ports leaves it out';

/** The reasons in messages about constraints, and the flags that such constraints come from. */
const constraintFlags: ReadonlyMap<string, string> = new Map([
  ['httpsOnly', httpsOnlyGiven],
  ['outside allowedPorts', otherPort],
  ['larger than maxResponseSize', '--http-max-bytes allows less'],
  ['outside allowedDomains', 'a redirect leads to a host that no flag allows'],
  ['inside deniedDomains', 'it leads to a host that a flag denies'],
]);

/** Private networks are reached only through a flag that names their host, whatever else allows the request. */
function howToReach({ kind, url }: AnyHttpRequest): string {
  const { hostname } = new URL(url);
  return isPrivateHost(withoutLastDot(hostname))
    ? `allow it with ${allowingFlag(verbs[kind], hostname)}`
    : 'it leads to a private network, where only localhost and addresses are reached that a flag names';
}

function isPrivateHost(host: string): boolean {
  return host === 'localhost' || (isAddress(host) && !isPublicAddress(host));
}

function allowingFlag(verb: HttpVerb, hostname: string): string {
  return showFlag(`--allow-http-${verb}=${withoutLastDot(hostname)}`);
}

function readFlags(given: GivenFlags): HttpFlags {
  const domains = (flag: string): readonly string[] => given.all(flag, readDomainName);
  const denied = (flag: string): DenyList => given.denied(flag, readDomainName);
  const anyMethod = domains('allow-http');
  const all = denied('deny-http');
  return {
    allowAll: given.allowAll,
    domains: {
      get: [...domains('allow-http-get'), ...anyMethod],
      post: [...domains('allow-http-post'), ...anyMethod],
      put: [...domains('allow-http-put'), ...anyMethod],
      delete: [...domains('allow-http-delete'), ...anyMethod],
    },
    limits: constraintsOf({
      allowedPorts: given.one('http-ports', readPorts),
      httpsOnly: given.has('https-only') ? true : undefined,
      timeoutMs: given.one('http-timeout-ms', readTimeout),
      maxResponseSize: given.one('http-max-bytes', readSize),
    }),
    denied: {
      get: together(denied('deny-http-get'), all),
      post: together(denied('deny-http-post'), all),
      put: together(denied('deny-http-put'), all),
      delete: together(denied('deny-http-delete'), all),
      all,
    },
  };
}

const methods = ['get', 'post', 'put', 'delete'] as const;

/** A redirect is checked against what both allow. */
function cutFlags(own: HttpFlags, bound: HttpFlags): Bounded<HttpFlags> {
  const ofEach = <Value>(make: (method: HttpVerb) => Value): Readonly<Record<HttpVerb, Value>> => ({
    get: make('get'),
    post: make('post'),
    put: make('put'),
    delete: make('delete'),
  });
  const flags: HttpFlags = {
    allowAll: false,
    domains: ofEach((method) => innerOf(own.domains[method], bound.domains[method], isBelow)),
    limits: constraintsOf({
      allowedPorts: inBoth(own.limits.allowedPorts, bound.limits.allowedPorts),
      httpsOnly: own.limits.httpsOnly === true || bound.limits.httpsOnly === true ? true : undefined,
      timeoutMs: least(own.limits.timeoutMs, bound.limits.timeoutMs),
      maxResponseSize: least(own.limits.maxResponseSize, bound.limits.maxResponseSize),
    }),
    denied: {
      ...ofEach((method) => together(own.denied[method], bound.denied[method])),
      all: together(own.denied.all, bound.denied.all),
    },
  };
  return { flags, exceeding: own.allowAll ? allowAllExceeds : exceedingOf(own, bound, flags) };
}

/** Whether all that the first entry names the second one names too. */
function isBelow(inner: string, outer: string): boolean {
  const [{ name, isWildcard }, rule] = [readDomain(inner)!, readDomain(outer)!];
  if (isWildcard && !rule.isWildcard) return false;
  return (isWildcard && name === rule.name) || allowsHost([rule], name);
}

function exceedingOf(own: HttpFlags, bound: HttpFlags, cut: HttpFlags): string | null {
  for (const method of methods) {
    const allowed = own.domains[method];
    const lost = allowed.find((domain) => !cut.domains[method].includes(domain));
    if (lost !== undefined) return notGiven(showFlag(`--allow-http-${method}=${lost}`));
    if (allowed.length === 0) continue;
    // Names may lead to an address.
    const matters = (value: string): boolean =>
      isAddress(readDomain(value)!.name) || allowed.some((domain) => isBelow(value, domain) || isBelow(domain, value));
    const denying = newlyDenied(own.denied[method], bound.denied[method], matters, isBelow);
    if (denying !== null) return denying;
  }
  if (methods.every((method) => own.domains[method].length === 0)) return null;
  return narrowedLimit(own.limits, cut.limits, limitFlags);
}

const limitFlags: Readonly<Record<string, string>> = {
  allowedPorts: '--http-ports',
  httpsOnly: '--https-only',
  timeoutMs: '--http-timeout-ms',
  maxResponseSize: '--http-max-bytes',
};

const verbs: Readonly<Record<AnyHttpRequest['kind'], HttpVerb>> = {
  'Http.Get': 'get',
  'Http.Post': 'post',
  'Http.Put': 'put',
  'Http.Delete': 'delete',
};

/** The grant of the flags; null if none covers the request. */
function grantHttp(flags: HttpFlags, { kind, url }: AnyHttpRequest): Grant | null {
  const { hostname } = new URL(url);
  const isListed = allowsHost(
    flags.domains[verbs[kind]].map((domain) => readDomain(domain)!),
    hostname,
  );
  if (isListed) return grantHost(flags, verbs[kind], hostname);
  if (!flags.allowAll) return null;
  const limits = { ...flags.limits, ...deniedHosts(flags, verbs[kind]) };
  return Object.keys(limits).length === 0 ? Granted : HttpGrant(limits);
}

/**
 * A grant for a checked request. Its allowedDomains does not list the host: every redirect to another origin is a
 * request of its own, with its own method, and a list in the first grant would refuse it before anybody is asked. Only
 * localhost and addresses must be listed, since they are not reachable otherwise; then the hosts of possible redirects
 * are listed too.
 */
function grantHost(flags: HttpFlags, verb: HttpVerb, hostname: string): Grant {
  const { limits: ofFlags, domains } = flags;
  const host = withoutLastDot(hostname);
  const limits = { ...ofFlags, ...deniedHosts(flags, verb) };
  if (!isLocal(host)) return HttpGrant(limits);
  return HttpGrant({ ...limits, allowedDomains: [...new Set([host, ...Object.values(domains).flat()])] });
}

/**
 * The denying flags as constraints of every grant, since only the host sees which address a name leads to. The
 * constraints are the hosts that are denied for all methods, and denied addresses, which names may lead to. Other names
 * that are denied for this method alone are left out: the grant holds for the whole call, and a redirect may reach such
 * a name with another method.
 */
function deniedHosts({ denied }: HttpFlags, verb: HttpVerb): HttpConstraints {
  const everywhere = new Set(denied.all.items.map(({ value }) => value));
  const hosts = denied[verb].items
    .map(({ value }) => value)
    .filter((value) => everywhere.has(value) || isAddress(readDomain(value)!.name));
  return hosts.length === 0 ? {} : { deniedDomains: hosts };
}

function isLocal(host: string): boolean {
  return host === 'localhost' || isAddress(host);
}

function promptFor(flags: HttpFlags, request: AnyHttpRequest): PermissionPrompt<AnyHttpRequest> {
  const url = new URL(request.url);
  const verb = verbs[request.kind];
  const host = withoutLastDot(url.hostname);
  return {
    call: `${request.function} ${showQuoted(request.url)}`,
    text: `send a ${verb.toUpperCase()} request to ${showQuoted(request.url)}`,
    notes: isPrivateHost(host) ? [`${show(host)} is this machine, or in a private network.`] : [],
    topic: { id: 'http', text: 'every HTTP request' },
    ruledOut: ruleOut(flags, url),
    flag: allowingFlag(verb, url.hostname),
    grant: grantHost(flags, verb, host),
    scope: scopeOf(flags, verb, url),
  };
}

function scopeOf(flags: HttpFlags, verb: HttpVerb, { origin, hostname }: URL): Scope<AnyHttpRequest> {
  return {
    text: `${verb.toUpperCase()} requests to ${show(origin)}`,
    allows: (request) =>
      verbs[request.kind] === verb && new URL(request.url).origin === origin ? grantHost(flags, verb, hostname) : null,
  };
}

function ruleOut({ limits: { httpsOnly, allowedPorts } }: HttpFlags, { protocol, port }: URL): string | null {
  if (httpsOnly === true && protocol !== 'https:') return httpsOnlyGiven;
  const effective = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return allowedPorts === undefined || allowedPorts === null || allowedPorts.includes(effective) ? null : otherPort;
}
