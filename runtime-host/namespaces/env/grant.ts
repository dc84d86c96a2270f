// What a host may say of its environment in a grant, and how it is read.

import type { Grant } from '../../permissions/grants.ts';
import { makeGrant } from '../../permissions/grants.ts';
import { listOf, optional, readGrant, text } from '../../permissions/read-grant.ts';
import type { ConstraintRow, GrantProblem } from '../../permissions/read-grant.ts';

/** What a grant for Env may be held to. */
export interface EnvConstraints {
  /** Names of variables and properties that may be read. */
  readonly allowedVarNames?: readonly string[] | null;
}

/** Constraints as they were read: complete, checked, and the host's no more. Null means no restriction. */
export interface EnvLimits {
  readonly allowedVarNames: readonly string[] | null;
}

/** Grants an Env request within constraints. */
export function EnvGrant(constraints: EnvConstraints): Grant {
  return makeGrant('Env', constraints);
}

const table = { allowedVarNames: optional(listOf(text)) } satisfies Record<
  keyof EnvConstraints,
  ConstraintRow<unknown, unknown>
>;

export function readEnvGrant(grant: Grant): EnvLimits | GrantProblem {
  return readGrant(grant, 'Env', table);
}
