// The policy for requests that are for something by its name: a variable, a property, what a plugin guards.

import { Granted } from '../grants.ts';
import type { Grant } from '../grants.ts';
import { findDenying } from './given-flags.ts';
import type { DenyList } from './given-flags.ts';
import type { FlagPolicy } from './policy.ts';
import { showFlag } from './shown-text.ts';

/** What a kind of request is about, and how it is told. All texts are harmless for a terminal. */
export interface NamedKind {
  readonly name: string;
  /** The names that flags allow. */
  readonly allowed: readonly string[];
  readonly denied: DenyList;
  /** Whether a name that a flag denies is that of the request. */
  readonly isDenied: (value: string) => boolean;
  readonly call: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly topic: { readonly id: string; readonly text: string };
  readonly ruledOut: string | null;
  /** Which allows it when it is given with the name: `--allow-env`. */
  readonly flag: string;
  /** What is allowed for the run. */
  readonly scope: string;
  readonly grant: (names: readonly string[]) => Grant;
}

export function policyByName<Request extends { readonly kind: string }>(
  allowAll: boolean,
  kindOf: (request: Request) => NamedKind,
): FlagPolicy<Request> {
  return {
    grant: (request) => {
      if (allowAll) return Granted;
      const { allowed, name, grant } = kindOf(request);
      return allowed.includes(name) ? grant(allowed) : null;
    },
    limiting: () => null,
    denyingFlag: (request) => {
      const { denied, isDenied } = kindOf(request);
      return findDenying(denied, () => isDenied);
    },
    prompt: (request) => {
      const { call, text, notes, topic, ruledOut, flag, name, scope, grant } = kindOf(request);
      const allows = (other: Request): Grant | null =>
        other.kind === request.kind && kindOf(other).name === name ? grant([name]) : null;
      return {
        call,
        text,
        notes,
        topic,
        ruledOut,
        flag: showFlag(`${flag}=${name}`),
        grant: grant([name]),
        scope: { text: scope, allows },
      };
    },
  };
}
