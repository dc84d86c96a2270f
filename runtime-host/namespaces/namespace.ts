// The shape of a namespace for the runs of a script: its functions either ask for permission or need none. The lists of
// both kinds in generated/ are made from the folders.

import type { Awaitable, FailureType } from '../errors/failures.ts';
import type { PrivateNetwork } from '../network/private-network.ts';
import type { Grant } from '../permissions/grants.ts';
import type { GrantProblem } from '../permissions/read-grant.ts';
import type { Platform } from '../platform/platform.ts';
import type { CallScope } from './call-scope.ts';
import type { PermissionRequest } from './requests.ts';

/** What the host sets up once for all runs of a script. */
export interface Capabilities {
  readonly platform: Platform;
  /** The environment's variables, without a prototype. */
  readonly variables: Readonly<Record<string, string>>;
  readonly privateNetwork: PrivateNetwork;
  /** The real path of a directory that a grant allows, resolved once; null if the directory does not exist. */
  realRoot(directory: string): Awaitable<string | null>;
}

/** The limits of the grant for a request. Throws, or rejects with, a Failure if the request is denied. */
export type Ask = <Limits extends object>(
  request: PermissionRequest,
  called: string,
  read: (grant: Grant) => Limits | GrantProblem,
) => Awaitable<Limits>;

/**
 * Takes the script's texts, which a module may replace by any values; answers with a value of the row's type, json as
 * text. Throws, or rejects with, a Failure.
 */
export type GuardedFunction = (
  scope: CallScope,
  ...texts: string[]
) => Awaitable<string | boolean | bigint | number | readonly string[] | null | void>;

/** A namespace whose functions ask for permission. */
export interface GuardedNamespace {
  /** The error for the script if the host itself fails. */
  readonly fault: FailureType;
  /** The functions for one run. */
  readonly bind: (capabilities: Capabilities, ask: Ask) => Readonly<Record<string, GuardedFunction>>;
}

/** What a run needs for its free functions. */
export interface Sources {
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Throws the script's MemoryLimitError. */
  readonly raiseMemoryLimit: (message: string) => never;
}

/** A namespace whose functions need no permission: a module imports them directly. */
export interface FreeNamespace {
  /** The functions for one run. */
  readonly bind: (sources: Sources) => Readonly<Record<string, unknown>>;
}
