// The constraints of a grant for HTTP, and how they are read.

import { readDomain } from '../../network/domains.ts';
import type { DomainRule } from '../../network/domains.ts';
import type { Grant } from '../../permissions/grants.ts';
import { makeGrant } from '../../permissions/grants.ts';
import { count, flag, listOf, optional, readGrant } from '../../permissions/read-grant.ts';
import type { ConstraintReader, ConstraintRow, GrantProblem } from '../../permissions/read-grant.ts';
import { isSafeInteger } from '../../primordials/untampered.ts';

/** Restrictions of a grant for Http. */
export interface HttpConstraints {
  /** Largest body of a response, in bytes. */
  readonly maxResponseSize?: number | null;
  /** Milliseconds for the whole call, redirects included. */
  readonly timeoutMs?: number | null;
  /** `example.com`, or `*.example.com` for the names below it. */
  readonly allowedDomains?: readonly string[] | null;
  /** In the form of allowedDomains; they win over those, and a denied address is denied under every name. */
  readonly deniedDomains?: readonly string[] | null;
  readonly allowedPorts?: readonly number[] | null;
  readonly httpsOnly?: boolean | null;
}

/** Constraints after reading: complete, checked and copied from the host's object. Null means no restriction. */
export interface HttpLimits {
  readonly maxResponseSize: number | null;
  readonly timeoutMs: number | null;
  readonly allowedDomains: readonly DomainRule[] | null;
  readonly deniedDomains: readonly DomainRule[] | null;
  readonly allowedPorts: readonly number[] | null;
  readonly httpsOnly: boolean;
}

/** Grants an Http request within constraints. */
export function HttpGrant(constraints: HttpConstraints): Grant {
  return makeGrant('Http', constraints);
}

const domain: ConstraintReader<DomainRule> = (value) =>
  typeof value === 'string' ? (readDomain(value) ?? undefined) : undefined;
const port: ConstraintReader<number> = (value) =>
  isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 65_535 ? (value as number) : undefined;

const table = {
  maxResponseSize: optional(count),
  timeoutMs: optional(count),
  allowedDomains: optional(listOf(domain)),
  deniedDomains: optional(listOf(domain)),
  allowedPorts: optional(listOf(port)),
  httpsOnly: flag,
} satisfies Record<keyof HttpConstraints, ConstraintRow<unknown, unknown>>;

export function readHttpGrant(grant: Grant): HttpLimits | GrantProblem {
  return readGrant(grant, 'Http', table);
}
