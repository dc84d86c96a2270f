// Flags of one person that hold within those of another, such as those of a job on somebody's worker: what both allow
// is allowed, and what was cut off can be said.

import type { DenyList, GivenFlags } from './given-flags.ts';
import { together } from './given-flags.ts';

/** Flags cut to what others allow as well. */
export interface Bounded<Flags> {
  readonly flags: Flags;
  /** What of the flags goes beyond the others, as a sentence; null if nothing does. */
  readonly exceeding: string | null;
}

/** Reads flags, and cuts them by those that bound them; null bounds nothing. */
export function readBounded<Flags>(
  given: GivenFlags,
  bound: GivenFlags | null,
  read: (given: GivenFlags) => Flags,
  cut: (own: Flags, bound: Flags) => Bounded<Flags>,
): Bounded<Flags> {
  const own = read(given);
  return bound === null ? { flags: own, exceeding: null } : cut(own, read(bound));
}

export const allowAllExceeds = '--allow-all is not given';

export function notGiven(flag: string): string {
  return `${flag} is not given`;
}

/** The first of these flags' limits that was made narrower; null if all are as they were. */
export function narrowedLimit(own: object, cut: object, flags: Readonly<Record<string, string>>): string | null {
  const [before, after] = [new Map(Object.entries(own)), new Map(Object.entries(cut))];
  for (const [name, flag] of Object.entries(flags))
    if (JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name))) return `${flag} allows less`;
  return null;
}

/**
 * The denying flag of a bound that matters to what is allowed, and is not said by the flags themselves; null if there
 * is none.
 */
export function newlyDenied(
  own: DenyList,
  bound: DenyList,
  matters: (value: string) => boolean,
  isSaid: (value: string, by: string) => boolean = (value, by) => value === by,
): string | null {
  if (own.all !== null) return null;
  if (bound.all !== null) return `${bound.all} is given`;
  const denied = bound.items.find(
    ({ value }) => matters(value) && !own.items.some((item) => isSaid(value, item.value)),
  );
  return denied === undefined ? null : `${denied.flag} is given`;
}

/** The smaller of two numbers, of which either may be missing. */
export function least(a: number | null | undefined, b: number | null | undefined): number | undefined {
  return a === undefined || a === null ? (b ?? undefined) : Math.min(a, b ?? a);
}

/** What both lists have; a missing one has everything. */
export function inBoth<Item>(
  a: readonly Item[] | null | undefined,
  b: readonly Item[] | null | undefined,
): readonly Item[] | undefined {
  return a === undefined || a === null ? (b ?? undefined) : a.filter((item) => b?.includes(item) ?? true);
}

/** Of each two where one lies within the other, the inner one. */
export function innerOf<Item>(
  a: readonly Item[],
  b: readonly Item[],
  isWithin: (inner: Item, outer: Item) => boolean,
): readonly Item[] {
  return a.flatMap((one) => b.flatMap((other) => (isWithin(one, other) ? [one] : isWithin(other, one) ? [other] : [])));
}

/** Names that flags allow and deny. */
export interface NameFlags {
  readonly allowAll: boolean;
  readonly allowed: readonly string[];
  readonly denied: DenyList;
}

/** `flag` is the one that allows: `--allow-env`. */
export function cutNames(flag: string): (own: NameFlags, bound: NameFlags) => Bounded<NameFlags> {
  return (own, bound) => {
    const lost = own.allowed.find((name) => !bound.allowed.includes(name));
    const matters = (value: string): boolean => own.allowed.includes(value);
    return {
      flags: {
        allowAll: false,
        allowed: own.allowed.filter((name) => bound.allowed.includes(name)),
        denied: together(own.denied, bound.denied),
      },
      exceeding: own.allowAll
        ? allowAllExceeds
        : lost !== undefined
          ? notGiven(`${flag}=${lost}`)
          : own.allowed.length === 0
            ? null
            : newlyDenied(own.denied, bound.denied, matters),
    };
  };
}
