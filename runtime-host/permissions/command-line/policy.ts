// What the flags of a namespace mean for its requests, and what a request comes down to on the command line: how it is
// told to a person, and what an answer to it would cover. Each namespace has a policy, the command decides by it.

import type { Grant } from '../grants.ts';

/** What was given on the command line, for the requests of one namespace. */
export interface FlagPolicy<Request> {
  /** What the flags grant; null if none covers the request. */
  grant(request: Request): Grant | null;
  /** The flag that denies it, whatever else is given; null if none does. */
  denyingFlag(request: Request): string | null;
  /**
   * What stands against a request that was granted and that the host then denied for this reason, as the flags have
   * it; null where they have nothing to do with it.
   */
  limiting(request: Request, reason: string): string | null;
  /** The question that is put to a person, and the line that is written where there is none. */
  prompt(request: Request): PermissionPrompt<Request>;
}

/** All texts are harmless for a terminal. */
export interface PermissionPrompt<Request> {
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
  readonly scope: Scope<Request> | null;
}

export interface Scope<Request> {
  /** `reading and listing everything below /home/me/data` */
  readonly text: string;
  /** Null for a request that it does not cover. */
  allows(request: Request): Grant | null;
}
