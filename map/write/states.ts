// States in files: a line of JSON for each group, with its key and its state. The types are known, so that each value
// has one way to be written: ints beyond 2^53 are texts, and so are NaN and infinities; -0 keeps its sign.

import { closeSync, createReadStream, openSync, writeFileSync } from 'node:fs';
import type { ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { formatJson, JsonDouble } from '../../runtime-host/api/node.ts';
import { MapError } from '../errors.ts';
import type { GroupKey } from '../read/groups.ts';

/** A group of a partition, or of several. */
export interface GroupState {
  readonly key: GroupKey;
  /** As the host gives and takes it. */
  readonly state: unknown;
}

/** Groups that are written or read at once. */
export const groupBatch = 2048;

/** How values of a type are written and read. */
export interface StateCodec {
  readonly encode: (value: unknown) => string;
  readonly decode: (value: unknown) => unknown;
}

export function codecOf(type: TypeDescriptor, structs: readonly ManifestStruct[]): StateCodec {
  const ofStructs = new Map<number, StateCodec>();
  const find = (one: TypeDescriptor): StateCodec => {
    if (typeof one === 'string') return ofScalars[one];
    if ('array' in one) return arrayCodec(one.array, find(one.array));
    let found = ofStructs.get(one.struct);
    if (found === undefined) {
      // A struct may have fields of its own type.
      const fields: [string, StateCodec][] = [];
      found = structCodec(fields);
      ofStructs.set(one.struct, found);
      fields.push(
        ...structs[one.struct]!.fields.map(({ name, type: ofField }) => [name, find(ofField)] as [string, StateCodec]),
      );
    }
    return found;
  };
  return find(type);
}

const same = (value: unknown): unknown => value;

function encodeDouble(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function encodeInt(value: bigint | number): string {
  return Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`;
}

const ofScalars: Readonly<Record<Extract<TypeDescriptor, string>, StateCodec>> = {
  double: { encode: (value) => encodeDouble(value as number), decode: Number },
  int: {
    encode: (value) => encodeInt(value as bigint),
    decode: (value) => (typeof value === 'string' ? BigInt(value) : value),
  },
  boolean: { encode: String, decode: same },
  string: { encode: (value) => JSON.stringify(value), decode: same },
  json: { encode: encodeJson, decode: decodeJson },
};

function arrayCodec(element: TypeDescriptor, { encode, decode }: StateCodec): StateCodec {
  const make: (values: readonly unknown[]) => unknown =
    element === 'double'
      ? (values) => Float64Array.from(values, decode as (value: unknown) => number)
      : element === 'int'
        ? (values) => BigInt64Array.from(values, (value) => BigInt(value as string | number))
        : (values) => values.map((value) => decode(value));
  return {
    encode: (value) =>
      value === null ? 'null' : `[${Array.from(value as Iterable<unknown>, (part) => encode(part)).join(',')}]`,
    decode: (value) => (value === null ? null : make(value as readonly unknown[])),
  };
}

function structCodec(fields: readonly (readonly [string, StateCodec])[]): StateCodec {
  return {
    encode: (value) =>
      value === null
        ? 'null'
        : `{${fields
            .map(([name, codec]) => `"${name}":${codec.encode((value as Readonly<Record<string, unknown>>)[name])}`)
            .join(',')}}`,
    decode: (value) =>
      value === null
        ? null
        : Object.fromEntries(
            fields.map(([name, codec]) => [name, codec.decode((value as Readonly<Record<string, unknown>>)[name])]),
          ),
  };
}

type Path = readonly (string | number)[];

/** The JSON text, which tells ints from doubles, and what it cannot say: where NaN and infinities are. */
function encodeJson(value: unknown): string {
  const others: [Path, string][] = [];
  const look = (part: unknown, path: Path): void => {
    if (typeof part === 'number' && !Number.isFinite(part)) others.push([path, String(part)]);
    else if (Array.isArray(part)) for (const [at, item] of part.entries()) look(item, [...path, at]);
    else if (typeof part === 'object' && part !== null)
      for (const [name, item] of Object.entries(part)) look(item, [...path, name]);
  };
  look(value, []);
  const text = formatJson(value);
  return JSON.stringify(others.length === 0 ? text : [text, others]);
}

function decodeJson(value: unknown): unknown {
  const [text, others] = (typeof value === 'string' ? [value, []] : value) as [string, [Path, string][]];
  let root = parseJson(text);
  for (const [path, number] of others) {
    if (path.length === 0) root = Number(number);
    else {
      let part = root as Record<string | number, unknown>;
      for (const name of path.slice(0, -1)) part = part[name] as Record<string | number, unknown>;
      part[path.at(-1)!] = Number(number);
    }
  }
  return root;
}

/** Numbers without a point are ints, all others doubles. */
function parseJson(text: string): unknown {
  return JSON.parse(text, ((_: string, value: unknown, { source }: { readonly source: string }) => {
    if (typeof value !== 'number') return value;
    return /^-?\d+$/.test(source) ? BigInt(source) : new JsonDouble(value);
  }) as (key: string, value: unknown) => unknown);
}

/** Writes groups as they come. */
export class StateWriter {
  readonly #file: number;
  readonly #codec: StateCodec;

  constructor(path: string, codec: StateCodec) {
    this.#file = openSync(path, 'w');
    this.#codec = codec;
  }

  append(groups: readonly GroupState[]): void {
    const lines = groups.map(
      ({ key, state }) => `{"key":${JSON.stringify(key)},"state":${this.#codec.encode(state)}}\n`,
    );
    // Readers of lines take these two characters for the end of one.
    writeFileSync(this.#file, lines.join('').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Groups of a file, some at a time. Throws MapError for one that is damaged. */
export async function* readStates(path: string, codec: StateCodec): AsyncGenerator<readonly GroupState[]> {
  let groups: GroupState[] = [];
  // Most runs have no states.
  const { createInterface } = await import('node:readline');
  const file = createReadStream(path);
  try {
    for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
      const { key, state } = parseLine(path, line);
      groups.push({ key, state: codec.decode(state) });
      if (groups.length < groupBatch) continue;
      yield groups;
      groups = [];
    }
  } finally {
    file.destroy();
  }
  if (groups.length > 0) yield groups;
}

function parseLine(path: string, line: string): GroupState {
  try {
    return JSON.parse(line) as GroupState;
  } catch (error) {
    throw new MapError(`${path} is damaged: remove the folder`, { cause: error });
  }
}
