// The requests of scripts to their host: a class for each kind, so that a host may test the class or switch on `kind`.
// All are frozen; their texts are checked primitive strings.

import type { PermissionAnswer } from '../permissions/grants.ts';
import type { Decision } from '../permissions/gate.ts';
import { PermissionRequest } from './generated/requests.ts';

export { PermissionRequest };
export type { Decision };

/** Decides about one request. The host calls it once for each call of the script and does not cache its answers. */
export type PermissionHandler = (request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer>;

/** The outcome of a request, for an audit log. */
export interface PermissionDecision extends Decision {
  /** The request that the handler got. */
  readonly request: PermissionRequest;
}
