// What a host may say of HTTP in a grant, and how it is read.

import { readDomain } from '../../network/domains.ts';
import type { DomainRule } from '../../network/domains.ts';
import type { Grant } from '../../permissions/grants.ts';
import { makeGrant } from '../../permissions/grants.ts';
import { count, flag, listOf, optional, readGrant } from '../../permissions/read-grant.ts';
import type { ConstraintReader, ConstraintRow, GrantProblem } from '../../permissions/read-grant.ts';
import { isSafeInteger } from '../../primordials/untampered.ts';

/** What a grant for Http may be held to. */
export interface HttpConstraints {
  /** Largest body of a response, in bytes. */
  readonly maxResponseSize?: number | null;
  /** For the whole call, redirects included, in milliseconds. */
  readonly timeoutMs?: number | null;
  /** `example.com`, or `*.example.com` for the names below. */
  readonly allowedDomains?: readonly string[] | null;
  /** As allowedDomains; these win, and an address is denied by whatever name it is reached. */
  readonly deniedDomains?: readonly string[] | null;
  readonly allowedPorts?: readonly number[] | null;
  readonly httpsOnly?: boolean | null;
}

/** Constraints as they were read: complete, checked, and the host's no more. Null means no restriction. */
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
