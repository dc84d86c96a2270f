// The capabilities of a run. If somebody else answers every call, as in a worker and in a replay, the run itself has
// none, and no gate.

import { Failure } from '../errors/failures.ts';
import type { Capabilities } from '../namespaces/namespace.ts';
import type { PluginConstraints } from '../namespaces/plugin/grant.ts';
import type { PermissionRequest } from '../namespaces/requests.ts';
import type { Gate, Log } from '../permissions/gate.ts';
import type { Grant } from '../permissions/grants.ts';
import type { GrantProblem } from '../permissions/read-grant.ts';
import type { Platform } from '../platform/platform.ts';
import { createObject } from '../primordials/untampered.ts';

export interface RunCapabilities extends Capabilities {
  readonly gate: Pick<Gate<PermissionRequest>, 'ask' | 'tell'>;
  readonly log: Log;
  readonly readPluginGrant: (grant: Grant) => PluginConstraints | GrantProblem;
}

/** A platform without anything. */
export const emptyPlatform: Platform = { files: null, http: null, system: null };

function deny(called: string): never {
  throw new Failure('SecurityError', `${called} denied: the host does not permit it`);
}

/** Denies every request. */
export const noCapabilities: RunCapabilities = {
  platform: emptyPlatform,
  variables: createObject(null) as Record<string, never>,
  privateNetwork: 'deny',
  realRoot: () => null,
  gate: { ask: (_request, called) => deny(called), tell: () => {} },
  log: () => {},
  readPluginGrant: () => deny('the grant'),
};
