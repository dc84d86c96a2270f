// What a request of a script comes down to on the command line: how it is told to a person, and what an answer to it
// would cover. files.ts, http.ts and names.ts make wishes, decide.ts and prompt.ts deal with them.

import type { Grant } from '../../../runtime-host/api/node.ts';
import type { PermissionRequest } from '../../../runtime-host/namespaces/requests.ts';

/** All texts are harmless for a terminal. */
export interface Wish {
  /** `File.read "data/a.csv"` */
  readonly call: string;
  /** What it wants to do: `read the file "data/a.csv" (/home/me/data/a.csv)`. */
  readonly text: string;
  /** Sentences that a person should know before answering. */
  readonly notes: readonly string[];
  /** Requests that are denied together; `text` says which: `every HTTP request`. */
  readonly topic: { readonly id: string; readonly text: string };
  /** Why it cannot be allowed, whatever a person says; null if it can. */
  readonly ruledOut: string | null;
  /** How the flags would allow it; null if they cannot. */
  readonly flag: string | null;
  /** Allows this one call. */
  readonly grant: Grant;
  /** What is allowed for the whole run by one answer; null if that would be too much. */
  readonly scope: Scope | null;
}

export interface Scope {
  /** `reading and listing everything below /home/me/data` */
  readonly text: string;
  /** Null for a request that it does not cover. */
  readonly allows: (request: PermissionRequest) => Grant | null;
}
