// Values that leave a module: their JavaScript form, and the writer that builds them from the module's stream. Values
// that enter a module are in arguments.ts.

import { elementKinds } from '../../src/abi/imports.ts';
import type { Manifest, ManifestStruct } from '../../src/abi/manifest.ts';
import type { TypeDescriptor } from '../../src/abi/values.ts';
import { noteJson } from '../values/text.ts';
import type { Numbers, Staging } from './staging.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** The type as a person writes it: `int`, `Point[]`. */
export function describeType(type: TypeDescriptor, structs: readonly ManifestStruct[]): string {
  if (typeof type === 'string') return type;
  if ('array' in type) return `${describeType(type.array, structs)}[]`;
  return structs[type.struct]!.name;
}

type Items = ScriptValue[] | Float64Array | BigInt64Array;

/** An array or struct that is not complete yet. */
interface Open {
  readonly outer: Open | null;
  readonly depth: number;
  /** The fields of the struct; null for an array. */
  readonly fields: ManifestStruct['fields'] | null;
  readonly object: Record<string, ScriptValue> | null;
  readonly items: Items;
  /**
   * Inside json, whole numbers are ints, and `exceptions` lists those that are doubles; elsewhere numbers are doubles,
   * and `exceptions` lists those that are ints.
   */
  readonly isJson: boolean;
  exceptions: Set<string | number> | null;
  /** The keys of a json object in their order, kept from the first key on that JavaScript would move to the front. */
  keys: string[] | null;
  /** The key of the next value in a json object. */
  key: string;
  at: number;
}

const noItems: Items = [];

/** The size of a value without its content, and of an object for each of its fields. */
const valueBytes = 16;
const betweenTellings = 65_536;

/** Builds a value from `write…`, `begin…` and `end`. */
export class ValueWriter {
  readonly #structs: readonly ManifestStruct[];
  #open: Open | null = null;
  #value: ScriptValue = null;
  #printsAsJson = false;
  readonly #onGrowth: (bytes: number) => void;
  /**
   * About the value that is being written: its bytes, the size at which `onGrowth` is called next, and a lower bound of
   * the length of its text.
   */
  #bytes = 0;
  #tellAt = betweenTellings;
  #leastText = 0;

  /** `onGrowth` is called from time to time with the bytes that a value will have; it may throw. */
  constructor(manifest: Pick<Manifest, 'structs'>, onGrowth: (bytes: number) => void = () => {}) {
    this.#structs = manifest.structs;
    this.#onGrowth = onGrowth;
  }

  /**
   * The approximate bytes of a value, either the one that was written last or one that needs no writing, and a lower
   * bound of the length of its text.
   */
  sizeOf(value: ScriptValue): { readonly bytes: number; readonly leastText: number } {
    if (typeof value === 'string') return { bytes: valueBytes + value.length, leastText: value.length };
    return typeof value === 'object' && value !== null
      ? { bytes: this.#bytes, leastText: this.#leastText }
      : { bytes: valueBytes, leastText: 1 };
  }

  /**
   * Whether the written value is a number of a json which prints differently from a double: an int, or a number that is
   * not finite.
   */
  get printsAsJson(): boolean {
    return this.#printsAsJson;
  }

  /** The written value; the writer is then ready for the next one. */
  take(): ScriptValue {
    const value = this.#value;
    this.#value = null;
    return value;
  }

  /** Drops an unfinished value after an error. */
  reset(): void {
    this.#open = null;
    this.#value = null;
    this.#begin();
  }

  /** How many arrays and structs are open now. */
  get depth(): number {
    return this.#open === null ? 0 : this.#open.depth;
  }

  write(value: ScriptValue): void {
    const open = this.#open;
    if (typeof value === 'string' && open !== null) this.#count(value.length, value.length);
    this.#put(open, value);
  }

  #put(open: Open | null, value: ScriptValue): void {
    if (open === null) {
      this.#value = value;
      this.#printsAsJson = false;
    } else if (open.object !== null) open.object[this.#nameOf(open)] = value;
    // An element of a typed array has the array's type.
    else (open.items as ScriptValue[])[open.at++] = value;
  }

  /** An int of a json: a number if that is exact. */
  writeJsonInt(value: bigint): void {
    const number = Number(value);
    const open = this.#open;
    if (!Number.isSafeInteger(number)) {
      this.write(value);
      return;
    }
    if (open !== null && !open.isJson) this.#except(open);
    this.write(number);
    this.#printsAsJson = open === null;
  }

  /** A double of a json; a whole number is noted as an exception, so that it is not read as an int. */
  writeJsonDouble(value: number): void {
    const open = this.#open;
    if (open?.isJson === true && Number.isInteger(value)) this.#except(open);
    this.write(value);
    this.#printsAsJson = open === null && !Number.isFinite(value);
  }

  writeKey(key: string): void {
    const open = this.#open!;
    this.#count(key.length, key.length);
    open.key = key;
    if (open.keys !== null) open.keys.push(key);
    else if (startsWithDigit(key)) open.keys = [...Object.keys(open.object!), key];
  }

  /** `kind` is one of the ABI's element kinds. */
  beginArray(count: number, kind: number): void {
    this.#enter(count * (kind === elementKinds.int || kind === elementKinds.double ? 8 : valueBytes), count);
    const items =
      kind === elementKinds.int
        ? new BigInt64Array(count)
        : kind === elementKinds.double
          ? new Float64Array(count)
          : [];
    this.#push(null, null, items, kind === elementKinds.json);
  }

  beginObject(): void {
    this.#enter(valueBytes, 2);
    this.#push(null, Object.create(null) as Record<string, ScriptValue>, noItems, true);
  }

  beginStruct(index: number): void {
    const { fields } = this.#structs[index]!;
    this.#enter(valueBytes * fields.length, 2);
    // Without a prototype, so that a field named `__proto__` is data like any other.
    const object = Object.create(null) as Record<string, ScriptValue>;
    this.#push(fields, object, noItems, false);
  }

  /** Takes `count` numbers of the open array from the staging memory. */
  writeStaged(staging: Staging, count: number): void {
    const open = this.#open!;
    staging.take(open.items as Numbers, open.at, count);
    open.at += count;
  }

  end(): void {
    const open = this.#open!;
    this.#open = open.outer;
    const value = open.object ?? open.items;
    if (open.isJson || open.exceptions !== null)
      noteJson(value, { isJson: open.isJson, exceptions: open.exceptions, keys: open.keys });
    this.#put(open.outer, value);
  }

  /** The name of the next field. */
  #nameOf(open: Open): string {
    return open.fields === null ? open.key : open.fields[open.at++]!.name;
  }

  #except(open: Open): void {
    open.exceptions ??= new Set();
    open.exceptions.add(open.object === null ? open.at : open.fields === null ? open.key : open.fields[open.at]!.name);
  }

  /** Called for each array or object, nested or not. */
  #enter(bytes: number, text: number): void {
    if (this.#open === null) this.#begin();
    this.#count(bytes, text);
  }

  #count(bytes: number, text: number): void {
    this.#bytes += valueBytes + bytes;
    this.#leastText += text;
    if (this.#bytes < this.#tellAt) return;
    this.#tellAt = this.#bytes + betweenTellings;
    this.#onGrowth(this.#bytes);
  }

  #begin(): void {
    this.#bytes = 0;
    this.#tellAt = betweenTellings;
    this.#leastText = 0;
  }

  #push(fields: Open['fields'], object: Open['object'], items: Items, isJson: boolean): void {
    this.#open = {
      outer: this.#open,
      depth: this.depth + 1,
      fields,
      object,
      items,
      isJson,
      exceptions: null,
      keys: null,
      key: '',
      at: 0,
    };
  }
}

/** True for all keys that JavaScript orders as numbers, and for some others. */
function startsWithDigit(key: string): boolean {
  const unit = key.charCodeAt(0);
  return unit >= 48 && unit <= 57;
}
