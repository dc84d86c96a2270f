// Reads the constraints of a grant, once, and fails closed: own data properties of the known names, values of the
// right types, or the grant is none. A table says what each constraint must be.

import { readDomain } from '../network/domains.ts';
import type { DomainRule } from '../network/domains.ts';
import type { EnvConstraints, FileConstraints, Grant, HttpConstraints, PluginConstraints } from './grants.ts';
import type { EnvLimits, FileLimits, HttpLimits } from './limits.ts';
import { createObject, freeze, getOwnPropertyDescriptor, hasOwn, isArray, isSafeInteger, lowerAscii, ownData, ownKeys, sliceText, unitAt } from '../primordials/untampered.ts';

/** The value as it is used, or undefined for one that is wrong. */
type Reader<Value> = (value: unknown) => Value | undefined;

/** A constraint, and what stands for its absence. */
interface Row<Value, None extends Value | null> {
  readonly read: Reader<Value>;
  readonly none: None;
}

type Rows = Readonly<Record<string, Row<unknown, unknown>>>;
type LimitsOf<Table extends Rows> = { readonly [Name in keyof Table]: Table[Name] extends Row<infer Value, infer None> ? Value | None : never };

function optional<Value>(read: Reader<Value>): Row<Value, null> {
  return { read, none: null };
}

const longestList = 10_000;

const count: Reader<number> = (value) => (isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined);
const flag: Row<boolean, false> = { read: (value) => (typeof value === 'boolean' ? value : undefined), none: false };
const text: Reader<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** `txt`, `.TXT` */
const extension: Reader<string> = (value) => {
  if (typeof value !== 'string') return undefined;
  const name = unitAt(value, 0) === 46 ? sliceText(value, 1) : value;
  if (name === '') return undefined;
  for (let at = 0; at < name.length; at++) {
    const unit = unitAt(name, at);
    if (unit === 46 || unit === 47 || unit === 92) return undefined;
  }
  return lowerAscii(name);
};

/** A dense array of such values, read by its own data properties. */
function listOf<Value>(read: Reader<Value>): Reader<readonly Value[]> {
  return (value) => {
    if (!isArray(value) || value.length > longestList) return undefined;
    const { length } = value;
    const list: Value[] = [];
    for (let at = 0; at < length; at++) {
      const item = read(ownData(value, at));
      if (item === undefined) return undefined;
      list[at] = item;
    }
    return freeze(list);
  };
}

const fileTable = {
  maxBytes: optional(count),
  rewrittenPath: optional(text),
  allowedDirectories: optional(listOf(text)),
  deniedDirectories: optional(listOf(text)),
  allowedExtensions: optional(listOf(extension)),
  readOnly: flag,
} satisfies Record<keyof FileConstraints, Row<unknown, unknown>>;

const domain: Reader<DomainRule> = (value) => (typeof value === 'string' ? (readDomain(value) ?? undefined) : undefined);
const port: Reader<number> = (value) => (isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 65_535 ? (value as number) : undefined);

const httpTable = {
  maxResponseSize: optional(count),
  timeoutMs: optional(count),
  allowedDomains: optional(listOf(domain)),
  deniedDomains: optional(listOf(domain)),
  allowedPorts: optional(listOf(port)),
  httpsOnly: flag,
} satisfies Record<keyof HttpConstraints, Row<unknown, unknown>>;

const envTable = { allowedVarNames: optional(listOf(text)) } satisfies Record<keyof EnvConstraints, Row<unknown, unknown>>;

/** What is wrong with a grant, for the host's log. */
export class GrantProblem {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function readFileGrant(grant: Grant): FileLimits | GrantProblem {
  return readGrant(grant, 'File', fileTable);
}

export function readHttpGrant(grant: Grant): HttpLimits | GrantProblem {
  return readGrant(grant, 'Http', httpTable);
}

export function readEnvGrant(grant: Grant): EnvLimits | GrantProblem {
  return readGrant(grant, 'Env', envTable);
}

type PluginValue = PluginConstraints[string];

const scalar: Reader<string | number | boolean> = (value) => (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined);
const pluginValue: Reader<PluginValue> = (value) => (isArray(value) ? listOf(scalar)(value) : scalar(value));

/** Constraints have any name here: the plugin knows what they mean. */
export function readPluginGrant(grant: Grant): PluginConstraints | GrantProblem {
  const { kind, constraints } = grant;
  const isReadable = kind === 'Plugin' && typeof constraints === 'object' && constraints !== null && !isArray(constraints);
  const table = createObject(null) as Record<string, Row<PluginValue, null>>;
  const names = isReadable ? ownKeys(constraints) : [];
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    if (typeof name === 'string') table[name] = optional(pluginValue);
  }
  return readGrant(grant, 'Plugin', table);
}

/** The limits of a grant that was made for requests of this kind. */
function readGrant<Table extends Rows>({ kind, constraints }: Grant, wanted: Grant['kind'], table: Table): LimitsOf<Table> | GrantProblem {
  const limits = createObject(null) as Record<string, unknown>;
  const known = ownKeys(table) as string[];
  for (let at = 0; at < known.length; at++) limits[known[at]!] = table[known[at]!]!.none;
  if (kind === 'any') return freeze(limits) as LimitsOf<Table>;
  if (kind !== wanted) return new GrantProblem(`a ${kind}Grant does not answer a ${wanted} request`);
  if (typeof constraints !== 'object' || constraints === null || isArray(constraints)) return new GrantProblem(`${kind}Grant takes an object of constraints`);
  const names = ownKeys(constraints);
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const row = typeof name === 'string' && hasOwn(table, name) ? table[name]! : undefined;
    if (row === undefined) return new GrantProblem(`${kind}Grant has no constraint ${String(name)}`);
    if (!hasOwn(getOwnPropertyDescriptor(constraints, name)!, 'value')) return new GrantProblem(`the constraint ${String(name)} is no plain property`);
    const given = ownData(constraints, name);
    if (given === null || given === undefined) continue;
    const value = row.read(given);
    if (value === undefined) return new GrantProblem(`the constraint ${String(name)} has a value that it cannot have`);
    limits[name as string] = value;
  }
  return freeze(limits) as LimitsOf<Table>;
}
