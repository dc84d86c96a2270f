// The constraints of a grant for a plugin, and how they are read. Their names are free: only the plugin knows what they
// mean.

import type { Grant } from '../../permissions/grants.ts';
import { makeGrant } from '../../permissions/grants.ts';
import { listOf, optional, readGrant } from '../../permissions/read-grant.ts';
import type { ConstraintReader, ConstraintRow, GrantProblem } from '../../permissions/read-grant.ts';
import { createObject, isArray, ownKeys } from '../../primordials/untampered.ts';

/** The constraints that a plugin's function gets; the plugin enforces them. */
export type PluginConstraints = Readonly<
  Record<string, string | number | boolean | null | readonly (string | number | boolean)[]>
>;

/** Grants a plugin's request; the constraints go to the plugin. */
export function PluginGrant(constraints: PluginConstraints): Grant {
  return makeGrant('Plugin', constraints);
}

type PluginValue = PluginConstraints[string];

const scalar: ConstraintReader<string | number | boolean> = (value) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
const pluginValue: ConstraintReader<PluginValue> = (value) => (isArray(value) ? listOf(scalar)(value) : scalar(value));

export function readPluginGrant(grant: Grant): PluginConstraints | GrantProblem {
  const { kind, constraints } = grant;
  const isReadable =
    kind === 'Plugin' && typeof constraints === 'object' && constraints !== null && !isArray(constraints);
  const table = createObject(null) as Record<string, ConstraintRow<PluginValue, null>>;
  const names = isReadable ? ownKeys(constraints) : [];
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    if (typeof name === 'string') table[name] = optional(pluginValue);
  }
  return readGrant(grant, 'Plugin', table);
}
