// Reads the constraints of a grant once. They must be own data properties with known names and values of the right
// types; otherwise the grant is invalid and the request is denied. A table says what each constraint must be.

import type { Grant } from './grants.ts';
import {
  createObject,
  freeze,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isSafeInteger,
  ownData,
  ownKeys,
} from '../primordials/untampered.ts';

/** The checked value; undefined for an invalid one. */
export type ConstraintReader<Value> = (value: unknown) => Value | undefined;

/** A constraint, and the value for its absence. */
export interface ConstraintRow<Value, None extends Value | null> {
  readonly read: ConstraintReader<Value>;
  readonly none: None;
}

type Rows = Readonly<Record<string, ConstraintRow<unknown, unknown>>>;
type LimitsOf<Table extends Rows> = {
  readonly [Name in keyof Table]: Table[Name] extends ConstraintRow<infer Value, infer None> ? Value | None : never;
};

/** A constraint without which there is no restriction. */
export function optional<Value>(read: ConstraintReader<Value>): ConstraintRow<Value, null> {
  return { read, none: null };
}

const longestList = 10_000;

export const count: ConstraintReader<number> = (value) =>
  isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
export const flag: ConstraintRow<boolean, false> = {
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  none: false,
};
export const text: ConstraintReader<string> = (value) =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A dense array of such values, read through its own data properties. */
export function listOf<Value>(read: ConstraintReader<Value>): ConstraintReader<readonly Value[]> {
  return (value) => {
    if (!isArray(value)) return undefined;
    // Read once: a proxy may answer differently the next time.
    const { length } = value;
    if (!isSafeInteger(length) || length < 0 || length > longestList) return undefined;
    const list: Value[] = [];
    for (let at = 0; at < length; at++) {
      const item = read(ownData(value, at));
      if (item === undefined) return undefined;
      list[at] = item;
    }
    return freeze(list);
  };
}

/** What is wrong with a grant, for the host's log. */
export class GrantProblem {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The limits of a grant for requests of this kind. */
export function readGrant<Table extends Rows>(
  { kind, constraints }: Grant,
  wanted: string,
  table: Table,
): LimitsOf<Table> | GrantProblem {
  const limits = createObject(null) as Record<string, unknown>;
  const known = ownKeys(table) as string[];
  for (let at = 0; at < known.length; at++) limits[known[at]!] = table[known[at]!]!.none;
  if (kind === 'any') return freeze(limits) as LimitsOf<Table>;
  if (kind !== wanted) return new GrantProblem(`a ${kind}Grant does not answer a ${wanted} request`);
  if (typeof constraints !== 'object' || constraints === null || isArray(constraints))
    return new GrantProblem(`${kind}Grant takes an object of constraints`);
  const names = ownKeys(constraints);
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const row = typeof name === 'string' && hasOwn(table, name) ? table[name]! : undefined;
    if (row === undefined) return new GrantProblem(`${kind}Grant has no constraint ${String(name)}`);
    const descriptor = getOwnPropertyDescriptor(constraints, name);
    if (descriptor === undefined || !hasOwn(descriptor, 'value'))
      return new GrantProblem(`the constraint ${String(name)} is no plain property`);
    const given: unknown = descriptor.value;
    if (given === null || given === undefined) continue;
    const value = row.read(given);
    if (value === undefined) return new GrantProblem(`the constraint ${String(name)} has a value that it cannot have`);
    limits[name as string] = value;
  }
  return freeze(limits) as LimitsOf<Table>;
}
