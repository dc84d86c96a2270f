// The given flags of the command line, as a namespace reads them. An invalid value is reported before the script
// begins.

import { quote } from '../../../src/language/quoted-text.ts';
import { readByteSize } from './byte-size.ts';

/** Ends the command with a message about the flag's value. */
export type Complain = (what: string) => never;

export type ReadValue<Value> = (value: string, complain: Complain) => Value;

export interface GivenFlags {
  /** The start of relative paths. */
  readonly baseDir: string;
  readonly allowAll: boolean;
  /** Files of the command itself, which no script may use. */
  readonly ownFiles: readonly Denied[];
  /** Whether a switch was given. */
  readonly has: (flag: string) => boolean;
  /** The values of a flag, in the order given. */
  readonly all: <Value>(flag: string, read: ReadValue<Value>) => readonly Value[];
  /** The value of a flag that is given at most once. */
  readonly one: <Value>(flag: string, read: ReadValue<Value>) => Value | undefined;
  /** What a flag denies; a value may expand to several items. */
  readonly denied: (flag: string, read: ReadValue<string | readonly string[]>) => DenyList;
}

/** One value of a denying flag: a place, a host, a name. */
export interface Denied {
  /** The flag as it was given: `--deny-env=HOME`. */
  readonly flag: string;
  readonly value: string;
}

/** What the flags deny for one kind of request. */
export interface DenyList {
  /** The flag without a value, which denies the whole kind; null if it is not given. */
  readonly all: string | null;
  readonly items: readonly Denied[];
}

export function together(...lists: readonly DenyList[]): DenyList {
  return { all: lists.find(({ all }) => all !== null)?.all ?? null, items: lists.flatMap(({ items }) => items) };
}

/**
 * The flag that denies a request; null if none does. `isAbout`, which tells whether a value matches the request, is
 * called only if there are values.
 */
export function findDenying({ all, items }: DenyList, isAbout: () => (value: string) => boolean): string | null {
  if (all !== null || items.length === 0) return all;
  const isMeant = isAbout();
  return items.find(({ value }) => isMeant(value))?.flag ?? null;
}

/** The constraints that follow from the given flags. */
export function constraintsOf<Constraints extends object>(
  constraints: Constraints,
): { [Name in keyof Constraints]?: Exclude<Constraints[Name], undefined> } {
  return Object.fromEntries(Object.entries(constraints).filter(([, value]) => value !== undefined)) as never;
}

/** `txt, csv` */
export function itemsOf(list: string): readonly string[] {
  return list.split(',').map((item) => item.trim());
}

export function readSize(value: string, complain: Complain): number {
  return (
    readByteSize(value) ?? complain(`takes a number of bytes, or a size such as 10MB or 64KiB, not ${quote(value)}`)
  );
}
