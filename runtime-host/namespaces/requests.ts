// What a script asks its host for, as typed requests: a class for each kind, so that a host may look at the class or
// switch on `kind`. All are frozen; their texts are primitive strings that were checked before.

import type { PermissionAnswer } from '../permissions/grants.ts';
import type { Decision } from '../permissions/gate.ts';
import { PermissionRequest } from './generated/requests.ts';

export { PermissionRequest };
export type { Decision };

/** The host's decision about one request. It is called once for each call of the script; its answers are not kept. */
export type PermissionHandler = (request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer>;

/** What became of a request, for an audit log. */
export interface PermissionDecision extends Decision {
  /** The one that the handler got. */
  readonly request: PermissionRequest;
}
