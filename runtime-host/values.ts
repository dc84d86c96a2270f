// Values that leave a module: what they are in JavaScript, and the writer that puts them together from
// the stream that the module sends. Values that enter are in arguments.ts.

import { elementKinds } from '../src/abi/imports.ts';
import type { Manifest, ManifestStruct } from '../src/abi/manifest.ts';
import type { TypeDescriptor } from '../src/abi/values.ts';

/** int is bigint, double number, `double[]` Float64Array, `int[]` BigInt64Array, a struct an object without prototype. */
export type ScriptValue =
  | null
  | bigint
  | number
  | boolean
  | string
  | Float64Array
  | BigInt64Array
  | readonly ScriptValue[]
  | ScriptStruct;

export interface ScriptStruct {
  readonly [field: string]: ScriptValue;
}

/** The type as a person writes it: `int`, `Point[]`. */
export function describeType(type: TypeDescriptor, structs: readonly ManifestStruct[]): string {
  if (typeof type === 'string') return type;
  if ('array' in type) return `${describeType(type.array, structs)}[]`;
  return structs[type.struct]!.name;
}

type Items = ScriptValue[] | Float64Array | BigInt64Array;

/** An array or struct whose parts are still coming. */
interface Open {
  readonly outer: Open | null;
  readonly depth: number;
  /** Of the struct; null for an array. */
  readonly fields: ManifestStruct['fields'] | null;
  readonly object: Record<string, ScriptValue> | null;
  readonly items: Items;
  at: number;
}

const noItems: Items = [];

/** Puts a value together from `write…`, `begin…` and `end`. */
export class ValueWriter {
  readonly #structs: readonly ManifestStruct[];
  #open: Open | null = null;
  #value: ScriptValue = null;

  constructor(manifest: Manifest) {
    this.#structs = manifest.structs;
  }

  /** The value that was written; the writer is ready for the next one. */
  take(): ScriptValue {
    const value = this.#value;
    this.#value = null;
    return value;
  }

  /** Drops what is unfinished, after an error. */
  reset(): void {
    this.#open = null;
    this.#value = null;
  }

  /** How deep the arrays and structs are nested that are open now. */
  get depth(): number {
    return this.#open === null ? 0 : this.#open.depth;
  }

  write(value: ScriptValue): void {
    const open = this.#open;
    if (open === null) this.#value = value;
    else if (open.object !== null) open.object[open.fields![open.at++]!.name] = value;
    // What comes into a typed array is of its type.
    else (open.items as ScriptValue[])[open.at++] = value;
  }

  /** `kind` is one of the ABI's element kinds. */
  beginArray(count: number, kind: number): void {
    const items = kind === elementKinds.int ? new BigInt64Array(count) : kind === elementKinds.double ? new Float64Array(count) : [];
    this.#push(null, null, items);
  }

  beginStruct(index: number): void {
    const { fields } = this.#structs[index]!;
    // Without a prototype, so that a field named `__proto__` is data like any other.
    const object = Object.create(null) as Record<string, ScriptValue>;
    this.#push(fields, object, noItems);
  }

  end(): void {
    const open = this.#open!;
    this.#open = open.outer;
    this.write(open.object ?? open.items);
  }

  #push(fields: Open['fields'], object: Open['object'], items: Items): void {
    this.#open = { outer: this.#open, depth: this.depth + 1, fields, object, items, at: 0 };
  }
}
