// The constraints of a grant for the environment, and how they are read.

import type { Grant } from '../../permissions/grants.ts';
import { makeGrant } from '../../permissions/grants.ts';
import { listOf, optional, readGrant, text } from '../../permissions/read-grant.ts';
import type { ConstraintRow, GrantProblem } from '../../permissions/read-grant.ts';

/** Restrictions of a grant for Env. */
export interface EnvConstraints {
  /** Names of variables and properties that may be read. */
  readonly allowedVarNames?: readonly string[] | null;
}

/** Constraints after reading: complete, checked and copied from the host's object. Null means no restriction. */
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
