// The policy for requests that ask for something by name: a variable, a property, or a permission of a plugin.

import { Granted } from '../grants.ts';
import type { Grant } from '../grants.ts';
import { findDenying } from './given-flags.ts';
import type { DenyList } from './given-flags.ts';
import type { FlagPolicy } from './policy.ts';
import { showFlag } from './shown-text.ts';

/** A kind of request with its texts, which are all safe to print on a terminal. */
export interface NamedKind {
  readonly name: string;
  /** The names that flags allow. */
  readonly allowed: readonly string[];
  readonly denied: DenyList;
  /** Whether a denied name matches the request. */
  readonly isDenied: (value: string) => boolean;
  readonly call: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly topic: { readonly id: string; readonly text: string };
  readonly ruledOut: string | null;
  /** The flag that allows the request together with the name: `--allow-env`. */
  readonly flag: string;
  /** The text for what an answer allows for the run. */
  readonly scope: string;
  readonly grant: (names: readonly string[]) => Grant;
}

export function policyByName<Request extends { readonly kind: string }>(
  allowAll: boolean,
  exceeding: string | null,
  kindOf: (request: Request) => NamedKind,
): FlagPolicy<Request> {
  return {
    exceeding,
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
