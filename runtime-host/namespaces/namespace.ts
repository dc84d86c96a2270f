// What a namespace is to the runs of a script: functions behind the gate, or functions that are free to call. The lists
// of both in generated/ are made of the folders.

import type { Awaitable, FailureType } from '../errors/failures.ts';
import type { PrivateNetwork } from '../network/private-network.ts';
import type { Grant } from '../permissions/grants.ts';
import type { GrantProblem } from '../permissions/read-grant.ts';
import type { Platform } from '../platform/platform.ts';
import type { CallScope } from './call-scope.ts';
import type { PermissionRequest } from './requests.ts';

/** What the host has settled once for all runs of a script. */
export interface Capabilities {
  readonly platform: Platform;
  /** The environment's, without a prototype. */
  readonly variables: Readonly<Record<string, string>>;
  readonly privateNetwork: PrivateNetwork;
  /** The real path of a directory that a grant allows, looked up once; null if it does not exist. */
  realRoot(directory: string): Awaitable<string | null>;
}

/** The limits of the grant for a request. Throws, or rejects with, a Failure where it is denied. */
export type Ask = <Limits extends object>(
  request: PermissionRequest,
  called: string,
  read: (grant: Grant) => Limits | GrantProblem,
) => Awaitable<Limits>;

/**
 * Takes texts, which may be anything that a module hands over as one; answers as the row says, json as text. Throws, or
 * rejects with, a Failure.
 */
export type GuardedFunction = (
  scope: CallScope,
  ...texts: string[]
) => Awaitable<string | boolean | bigint | number | readonly string[] | null | void>;

/** A namespace whose functions ask for permission. */
export interface GuardedNamespace {
  /** What the script gets where the host itself fails. */
  readonly fault: FailureType;
  /** The functions for one run. */
  readonly bind: (capabilities: Capabilities, ask: Ask) => Readonly<Record<string, GuardedFunction>>;
}

/** What a run draws on. */
export interface Sources {
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Throws the script's MemoryLimitError. */
  readonly raiseMemoryLimit: (message: string) => never;
}

/** A namespace whose functions a module imports as they are, and calls without asking. */
export interface FreeNamespace {
  /** The functions for one run. */
  readonly bind: (sources: Sources) => Readonly<Record<string, unknown>>;
}
