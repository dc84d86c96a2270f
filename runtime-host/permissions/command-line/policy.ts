// What the flags of a namespace mean for its requests, how a request is shown to a person, and what an answer to it
// would cover. Each namespace has a policy; the command decides by it.

import type { Grant } from '../grants.ts';

/** The given flags of the command line, for the requests of one namespace. */
export interface FlagPolicy<Request> {
  /** What of the flags goes beyond those that bound them, as a sentence; null if nothing does. */
  readonly exceeding: string | null;
  /** The grant of the flags; null if none covers the request. */
  grant(request: Request): Grant | null;
  /** The flag that denies it, whatever other flags there are; null if none does. */
  denyingFlag(request: Request): string | null;
  /** The flags that caused the host to deny a request for this reason after it was granted; null if no flag did. */
  limiting(request: Request, reason: string): string | null;
  /** The question to a person, and the line that is written if there is nobody to ask. */
  prompt(request: Request): PermissionPrompt<Request>;
}

/** The texts of a request; all are safe to print on a terminal. */
export interface PermissionPrompt<Request> {
  /** `File.read "data/a.csv"` */
  readonly call: string;
  /** What it wants to do: `read the file "data/a.csv" (/home/me/data/a.csv)`. */
  readonly text: string;
  /** Sentences that a person should read before answering. */
  readonly notes: readonly string[];
  /** Requests that are denied together; `text` describes them: `every HTTP request`. */
  readonly topic: { readonly id: string; readonly text: string };
  /** Why no answer can allow it; null if an answer can. */
  readonly ruledOut: string | null;
  /** The flag that would allow it; null if there is none. */
  readonly flag: string | null;
  /** Allows this one call. */
  readonly grant: Grant;
  /** What one answer can allow for the whole run; null if that would be too much. */
  readonly scope: Scope<Request> | null;
}

export interface Scope<Request> {
  /** `reading and listing everything below /home/me/data` */
  readonly text: string;
  /** Null for a request that it does not cover. */
  allows(request: Request): Grant | null;
}
