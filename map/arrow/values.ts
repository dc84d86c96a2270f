// Single values of a column: their texts, and their JSON, both as DuckDB writes them, so that a stream and a file of
// the same rows give the same.

import type { Kind } from './kinds.ts';

/** The parts of Arrow's `Data` that are in use. As it comes from a stream it begins at its first row. */
export interface Column {
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array;
  readonly values: ArrayLike<number | bigint> & ArrayBufferView;
  readonly valueOffsets: Int32Array | BigInt64Array;
  readonly variadicBuffers: readonly Uint8Array[];
  readonly children: readonly Column[];
  readonly dictionary?: { readonly data: readonly Column[]; readonly length: number } | undefined;
}

export function hasValue({ nullCount, nullBitmap }: Column, row: number): boolean {
  return nullCount === 0 || nullBitmap.length === 0 || ((nullBitmap[row >> 3]! >> (row & 7)) & 1) === 1;
}

/** The chunk of a dictionary that has an entry, and its place in there. */
export function entryOf(
  { values, dictionary }: Column,
  row: number,
): { readonly column: Column; readonly row: number } {
  let at = Number(values[row]!);
  for (const column of dictionary!.data) {
    if (at < column.length) return { column, row: at };
    at -= column.length;
  }
  throw new RangeError('the dictionary has no such entry');
}

/** Where a text, or a list, begins and ends. */
export function rangeOf({ valueOffsets }: Column, row: number): readonly [number, number] {
  return [Number(valueOffsets[row]!), Number(valueOffsets[row + 1]!)];
}

/** The bytes of a text. */
export function bytesOf(kind: Kind, column: Column, row: number): Uint8Array {
  const bytes = column.values as unknown as Uint8Array;
  const layout = kind.kind === 'binary' ? kind.layout : kind.kind;
  if (typeof layout === 'number') return bytes.subarray(row * layout, (row + 1) * layout);
  if (layout === 'text') return bytes.subarray(...rangeOf(column, row));
  const view = new DataView(bytes.buffer, bytes.byteOffset + row * 16, 16);
  const length = view.getInt32(0, true);
  if (length <= 12) return bytes.subarray(row * 16 + 4, row * 16 + 4 + length);
  const at = view.getInt32(12, true);
  return column.variadicBuffers[view.getInt32(8, true)]!.subarray(at, at + length);
}

/** The text of a value that is there. Null for kinds that have none. */
export function textOf(kind: Kind, column: Column, row: number): string | null {
  switch (kind.kind) {
    case 'text':
    case 'view':
      return decoded(bytesOf(kind, column, row));
    case 'uuid':
      return Buffer.from((column.values as unknown as Uint8Array).subarray(row * 16, row * 16 + 16))
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    case 'decimal':
      return decimalText(decimalOf(column, row, kind.bits), kind.scale);
    case 'date':
      return dateText(daysOf(kind, column, row));
    case 'time':
      return timeText(BigInt(column.values[row]!) * (1_000_000_000n / perSecond[kind.unit]));
    case 'timestamp': {
      const nanoseconds = BigInt(column.values[row]!) * (1_000_000_000n / perSecond[kind.unit]);
      const days = floorDiv(nanoseconds, dayNanoseconds);
      return `${dateText(days)} ${timeText(nanoseconds - days * dayNanoseconds)}${kind.isZoned ? '+00' : ''}`;
    }
    case 'dictionary': {
      const entry = entryOf(column, row);
      return hasValue(entry.column, entry.row) ? textOf(kind.values, entry.column, entry.row) : null;
    }
    case 'null':
    case 'boolean':
    case 'int':
    case 'float':
    case 'binary':
    case 'list':
    case 'array':
    case 'struct':
    case 'map':
    case 'other':
      return null;
  }
}

/** The JSON text of a value, `null` where there is none. */
export function jsonOf(kind: Kind, column: Column, row: number): string {
  if (kind.kind === 'null' || !hasValue(column, row)) return 'null';
  switch (kind.kind) {
    case 'boolean':
      return String(bitOf(column, row));
    case 'int':
      return String(column.values[row]!);
    case 'float':
      return doubleText(floatsOf(column, kind.bits)[row]!);
    case 'decimal':
      return decimalJson(decimalText(decimalOf(column, row, kind.bits), kind.scale), kind.precision);
    case 'list':
    case 'array': {
      const [from, to] = kind.kind === 'list' ? rangeOf(column, row) : [row * kind.length, (row + 1) * kind.length];
      const elements = Array.from({ length: to - from }, (_, at) =>
        jsonOf(kind.element, column.children[0]!, from + at),
      );
      return `[${elements.join(',')}]`;
    }
    case 'struct':
      return `{${kind.fields.map((field, at) => `${quote(field.name)}:${jsonOf(field.kind, column.children[at]!, row)}`).join(',')}}`;
    case 'map': {
      const [from, to] = rangeOf(column, row);
      const [keys, values] = column.children[0]!.children as readonly [Column, Column];
      const entries = Array.from({ length: to - from }, (_, at) => {
        const key = jsonOf(kind.key, keys, from + at);
        return `${key.startsWith('"') ? key : quote(key)}:${jsonOf(kind.value, values, from + at)}`;
      });
      return `{${entries.join(',')}}`;
    }
    case 'dictionary': {
      const entry = entryOf(column, row);
      return jsonOf(kind.values, entry.column, entry.row);
    }
    case 'binary':
      return quote(binaryText(bytesOf(kind, column, row)));
    case 'other':
      return quote(`a value of ${kind.name}`);
    case 'text':
    case 'view':
    case 'uuid':
    case 'date':
    case 'time':
    case 'timestamp':
      return quote(textOf(kind, column, row)!);
  }
}

/** Arrow for JavaScript hands out floats of 16 bits as ints. */
export function floatsOf({ values }: Column, bits: number): ArrayLike<number> {
  return bits === 16
    ? new Float16Array(values.buffer, values.byteOffset, values.byteLength / 2)
    : (values as unknown as Float64Array);
}

export function bitOf({ values }: Column, row: number): boolean {
  return ((Number(values[row >> 3]!) >> (row & 7)) & 1) === 1;
}

export function daysOf({ unit }: Extract<Kind, { kind: 'date' }>, { values }: Column, row: number): bigint {
  const value = BigInt(values[row]!);
  return unit === 'days' ? value : floorDiv(value, 86_400_000n);
}

/** Values of a unit in a second. */
export const perSecond = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n } as const;
const dayNanoseconds = 86_400_000_000_000n;

export function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** The digits of a decimal, without its point. */
export function decimalOf({ values }: Column, row: number, bits: number): bigint {
  const words = values as unknown as Uint32Array;
  const count = bits / 32;
  let digits = 0n;
  for (let at = count - 1; at >= 0; at--) digits = (digits << 32n) | BigInt(words[row * count + at]!);
  return BigInt.asIntN(bits, digits);
}

export function decimalText(digits: bigint, scale: number): string {
  if (scale <= 0) return String(digits * 10n ** BigInt(-scale));
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** Those that a double holds are written as one. */
function decimalJson(text: string, precision: number): string {
  return precision <= 15 ? doubleText(Number(text)) : text;
}

function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value).replace('e+', 'e');
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** In the proleptic Gregorian calendar, by its cycles of 400 years. */
function dateText(days: bigint): string {
  const cycles = floorDiv(days, 146_097n);
  const date = new Date(Number(days - cycles * 146_097n) * 86_400_000);
  const year = BigInt(date.getUTCFullYear()) + cycles * 400n;
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()].map((part) => String(part).padStart(2, '0'));
  const shown = String(year > 0n ? year : 1n - year).padStart(4, '0');
  return `${shown}-${month}-${day}${year > 0n ? '' : ' (BC)'}`;
}

function timeText(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / 1_000_000_000n);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const rest = nanoseconds % 1_000_000_000n;
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}${fraction}`;
}

/** Printable ASCII as it is, other bytes as `\xFF`. */
function binaryText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes)
    text +=
      byte >= 32 && byte < 127 && !`"'\\`.includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return text;
}

export function decoded(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
