// Packs values for messages between a worker and its owner. Messages copy plain data and lose the rest: objects without
// prototypes, notes about json, the class of checked arguments. Packed values keep all of that.

import { noteJson, noteOf } from '../values/text.ts';
import type { JsonNote } from '../values/text.ts';
import { Composite } from '../marshalling/marshalled-values.ts';
import type { CheckedArguments, MarshalledValue } from '../marshalling/marshalled-values.ts';
import type { ScriptValue } from '../values/script-value.ts';

type Plain = null | bigint | number | boolean | string | undefined;
type Numbers = Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;

/** An array of plain values without a note stays as it is. */
export type PackedValue = Plain | Numbers | readonly Plain[] | PackedCompound;

interface PackedCompound {
  /** The keys of a struct or json object; null for an array. */
  readonly keys: readonly string[] | null;
  readonly items: readonly PackedValue[];
  readonly note: JsonNote | null;
}

export type PackedArgument =
  | Plain
  | Numbers
  | { readonly kind: Composite['kind']; readonly items: Numbers | readonly PackedArgument[] };

/** A packed value, its buffers that may be moved instead of copied, and its size in numbers or short texts. */
export interface Parcel {
  readonly value: PackedValue;
  readonly moves: readonly ArrayBuffer[];
  readonly size: number;
}

/** The units of a text besides the one that every part counts as. */
export function unitsOfText(text: string): number {
  return Math.floor(text.length / 64);
}

/** Packs a value that is not used here any more. */
export function packValue(value: ScriptValue | undefined): Parcel {
  const moves: ArrayBuffer[] = [];
  let size = 0;
  const pack = (part: ScriptValue | undefined): PackedValue => {
    size++;
    if (typeof part === 'string') size += unitsOfText(part);
    if (typeof part !== 'object' || part === null) return part;
    if (part instanceof Float64Array || part instanceof BigInt64Array) {
      size += part.length;
      moves.push(part.buffer as ArrayBuffer);
      return part as Numbers;
    }
    const note = noteOf(part) ?? null;
    const keys = Array.isArray(part) ? null : Object.keys(part);
    if (keys !== null) for (const key of keys) size += unitsOfText(key);
    const items = Object.values<ScriptValue>(part).map(pack);
    return keys === null && note === null && items.every(isPlain) ? items : { keys, items, note };
  };
  return { value: pack(value), moves, size };
}

/** The approximate bytes of a packed value, counted as by ValueWriter. */
export function bytesOf(packed: PackedValue): number {
  if (typeof packed === 'string') return bytesAPart + packed.length;
  if (isPlain(packed)) return bytesAPart;
  if (packed instanceof Float64Array || packed instanceof BigInt64Array) return bytesAPart + packed.byteLength;
  const { keys, items } = Array.isArray(packed)
    ? { keys: null, items: packed as readonly PackedValue[] }
    : (packed as PackedCompound);
  let bytes = bytesAPart;
  for (const item of items) bytes += bytesOf(item);
  if (keys !== null) for (const key of keys) bytes += bytesAPart + key.length;
  return bytes;
}
const bytesAPart = 16;

export function unpackValue(packed: PackedValue): ScriptValue | undefined {
  if (isPlain(packed)) return packed;
  if (packed instanceof Float64Array || packed instanceof BigInt64Array) return packed;
  if (Array.isArray(packed)) return packed as ScriptValue[];
  const { keys, items, note } = packed as PackedCompound;
  const parts = items.map((item) => unpackValue(item) as ScriptValue);
  const value = keys === null ? parts : objectOf(keys, parts);
  if (note !== null) noteJson(value, note);
  return value;
}

function objectOf(keys: readonly string[], parts: readonly ScriptValue[]): Record<string, ScriptValue> {
  const object = Object.create(null) as Record<string, ScriptValue>;
  keys.forEach((key, at) => {
    object[key] = parts[at]!;
  });
  return object;
}

export function packArguments(values: CheckedArguments): readonly PackedArgument[] {
  return values.map((value) => packArgument(value));
}

function packArgument(value: MarshalledValue | undefined): PackedArgument {
  if (!(value instanceof Composite)) return value;
  const { kind, items } = value;
  const packed =
    items instanceof Float64Array || items instanceof BigInt64Array
      ? (items as Numbers)
      : Array.from(items, packArgument);
  return { kind, items: packed };
}

export function unpackArguments(packed: readonly PackedArgument[]): CheckedArguments {
  return packed.map((value) => unpackArgument(value));
}

function unpackArgument(packed: PackedArgument): MarshalledValue | undefined {
  if (isPlain(packed)) return packed;
  const { kind, items } = packed as {
    readonly kind: Composite['kind'];
    readonly items: Numbers | readonly PackedArgument[];
  };
  return new Composite(
    kind,
    items instanceof Float64Array || items instanceof BigInt64Array
      ? items
      : items.map((item) => unpackArgument(item) as MarshalledValue),
  );
}

function isPlain(value: unknown): value is Plain {
  return typeof value !== 'object' || value === null;
}
