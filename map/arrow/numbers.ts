// Numbers of a column as the driver takes them: doubles, or ints of 64 bits. Narrower ints are widened as two halves in
// the bytes of the 64, since a BigInt for each value costs more than all else.

import type { Carrier } from '../plan/plan.ts';
import type { Kind } from './kinds.ts';
import { bitOf, daysOf, decimalOf, decimalText, entryOf, floatsOf, floorDiv, hasValue, perSecond } from './values.ts';
import type { Column } from './values.ts';

export interface Numbers {
  readonly numbers: Float64Array | BigInt64Array;
  /** 1 for each row whose value does not fit; empty if all do. */
  readonly misfits: BigInt64Array;
}

export const none = new BigInt64Array(0);

/** `count` values from a row on. Rows without a value may hold anything. */
export function numbersOf(kind: Kind, carrier: Carrier, column: Column, from: number, count: number): Numbers {
  if (kind.kind === 'null')
    return { numbers: carrier === 'double' ? new Float64Array(count) : new BigInt64Array(count), misfits: none };
  if (carrier === 'double') return { numbers: doublesOf(kind, column, from, count), misfits: none };
  if (carrier !== 'boolean') return intsOf(kind, column, from, count);
  const bit = (of: Column, row: number): bigint => (bitOf(of, row) ? 1n : 0n);
  return fill(column, from, count, (row) =>
    kind.kind === 'dictionary' ? viaEntry(column, row, bit) : bit(column, row),
  );
}

/** A bit for each row that has a value, in words of 64; empty if all have one. */
export function validOf(kind: Kind, column: Column, from: number, count: number): BigInt64Array {
  const words = new BigInt64Array(Math.ceil(count / 64));
  if (kind.kind === 'null') return words;
  if (kind.kind === 'dictionary') {
    let isWhole = true;
    for (let row = 0; row < count; row++) {
      if (hasEntry(column, from + row)) words[row >> 6]! |= 1n << BigInt(row & 63);
      else isWhole = false;
    }
    return isWhole ? none : words;
  }
  const { nullCount, nullBitmap } = column;
  if (nullCount === 0 || nullBitmap.length === 0) return none;
  const bytes = new Uint8Array(words.buffer);
  const shift = from & 7;
  const own = nullBitmap.subarray(from >> 3, (from + count + 7) >> 3);
  if (shift === 0) bytes.set(own);
  else for (let at = 0; at * 8 < count; at++) bytes[at] = (own[at]! >> shift) | ((own[at + 1] ?? 0) << (8 - shift));
  return words;
}

/** Whether a row has an entry of the dictionary that is no null itself. */
export function hasEntry(column: Column, row: number): boolean {
  if (!hasValue(column, row)) return false;
  const entry = entryOf(column, row);
  return hasValue(entry.column, entry.row);
}

function viaEntry<T>(column: Column, row: number, get: (column: Column, row: number) => T): T {
  const entry = entryOf(column, row);
  return get(entry.column, entry.row);
}

function doublesOf(kind: Kind, column: Column, from: number, count: number): Float64Array {
  const doubles = new Float64Array(count);
  switch (kind.kind) {
    case 'float':
      if (kind.bits === 64) return (column.values as unknown as Float64Array).subarray(from, from + count);
      copyNumbers(doubles, floatsOf(column, kind.bits), from);
      break;
    case 'int':
      if (kind.bits < 64) copyNumbers(doubles, column.values as unknown as Int32Array, from);
      else {
        const halves = halvesOf(column, from, count);
        // The upper half is exact, so that the sum is rounded once.
        for (let row = 0; row < count; row++) {
          const upper = halves[row * 2 + 1]!;
          doubles[row] = (kind.isSigned ? upper : upper >>> 0) * 4_294_967_296 + (halves[row * 2]! >>> 0);
        }
      }
      break;
    case 'decimal':
      for (let row = 0; row < count; row++)
        doubles[row] = Number(decimalText(decimalOf(column, from + row, kind.bits), kind.scale));
      break;
    case 'dictionary':
      for (let row = 0; row < count; row++)
        if (hasEntry(column, from + row))
          doubles[row] = viaEntry(column, from + row, (of, at) => doublesOf(kind.values, of, at, 1)[0]!);
      break;
    case 'null':
    case 'boolean':
    case 'uuid':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'text':
    case 'view':
    case 'binary':
    case 'list':
    case 'array':
    case 'struct':
    case 'map':
    case 'other':
      throw new TypeError(`${kind.kind} has no doubles`);
  }
  return doubles;
}

function copyNumbers(target: Float64Array, values: ArrayLike<number>, from: number): void {
  for (let row = 0; row < target.length; row++) target[row] = values[from + row]!;
}

function intsOf(kind: Kind, column: Column, from: number, count: number): Numbers {
  switch (kind.kind) {
    case 'date':
      if (kind.unit === 'days') return { numbers: widened(column, from, count, true), misfits: none };
      return fill(column, from, count, (row) => daysOf(kind, column, row));
    case 'int':
      if (kind.bits < 64) return { numbers: widened(column, from, count, kind.isSigned), misfits: none };
      return kind.isSigned ? plain(column, from, count) : unsigned(column, from, count);
    case 'timestamp':
      if (kind.unit === 'us') return plain(column, from, count);
      return fill(column, from, count, (row) => {
        const value = BigInt(column.values[row]!);
        if (kind.unit !== 'ns') return value * (perSecond.us / perSecond[kind.unit]);
        return value % 1000n === 0n ? floorDiv(value, 1000n) : null;
      });
    case 'dictionary':
      return fill(column, from, count, (row) => {
        if (!hasEntry(column, row)) return 0n;
        const { numbers, misfits } = viaEntry(column, row, (of, at) => intsOf(kind.values, of, at, 1));
        return misfits.length > 0 ? null : (numbers as BigInt64Array)[0]!;
      });
    case 'null':
    case 'boolean':
    case 'uuid':
    case 'float':
    case 'decimal':
    case 'time':
    case 'text':
    case 'view':
    case 'binary':
    case 'list':
    case 'array':
    case 'struct':
    case 'map':
    case 'other':
      throw new TypeError(`${kind.kind} has no ints`);
  }
}

function halvesOf({ values }: Column, from: number, count: number): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset + from * 8, count * 2);
}

function plain({ values }: Column, from: number, count: number): Numbers {
  return { numbers: new BigInt64Array(values.buffer, values.byteOffset + from * 8, count), misfits: none };
}

function unsigned(column: Column, from: number, count: number): Numbers {
  const { numbers } = plain(column, from, count);
  const halves = halvesOf(column, from, count);
  let misfits = none;
  for (let row = 0; row < count; row++) {
    if (halves[row * 2 + 1]! >= 0 || !hasValue(column, from + row)) continue;
    if (misfits.length === 0) misfits = new BigInt64Array(count);
    misfits[row] = 1n;
  }
  return { numbers, misfits };
}

function widened({ values }: Column, from: number, count: number, isSigned: boolean): BigInt64Array {
  const ints = new BigInt64Array(count);
  const halves = new Int32Array(ints.buffer);
  const narrow = values as unknown as Int32Array;
  for (let row = 0; row < count; row++) {
    const value = narrow[from + row]!;
    halves[row * 2] = value;
    if (isSigned && value < 0) halves[row * 2 + 1] = -1;
  }
  return ints;
}

/** Value by value; null does not fit, and neither does what is beyond 64 bits. */
function fill(column: Column, from: number, count: number, get: (row: number) => bigint | null): Numbers {
  const numbers = new BigInt64Array(count);
  let misfits = none;
  for (let row = 0; row < count; row++) {
    if (!hasValue(column, from + row)) continue;
    const value = get(from + row);
    if (value !== null && BigInt.asIntN(64, value) === value) {
      numbers[row] = value;
      continue;
    }
    if (misfits.length === 0) misfits = new BigInt64Array(count);
    misfits[row] = 1n;
  }
  return { numbers, misfits };
}
