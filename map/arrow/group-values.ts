// The values of columns of groups, from their texts: a summary has them in the types of the stream.

import type * as Arrow from 'apache-arrow';
import type { GroupColumn } from '../plan/plan.ts';
import type { Kind, NamedKind } from './kinds.ts';
import { perSecond } from './values.ts';

/** A column of groups in a summary. */
export interface GroupField {
  readonly kind: Kind;
  readonly field: Arrow.Field;
}

/** The type of the input, without dictionaries, views and 64-bit offsets. */
export function groupFieldsOf(
  { DataType, Field, Utf8 }: typeof Arrow,
  schema: Arrow.Schema,
  kinds: readonly NamedKind[],
  by: readonly GroupColumn[],
): readonly GroupField[] {
  return by.map(({ column }) => {
    const at = kinds.findIndex(({ name }) => name === column);
    const { type, metadata } = schema.fields[at] as Arrow.Field<Arrow.DataType>;
    const named = kinds[at]!.kind;
    const kind = named.kind === 'dictionary' ? named.values : named;
    const plain = DataType.isDictionary(type) ? (type.dictionary as Arrow.DataType) : type;
    return { kind, field: new Field(column, isOfTexts(kind) ? new Utf8() : plain, true, metadata) };
  });
}

/** Kinds of which the text is the value; a column of nulls has none. */
export function isOfTexts({ kind }: Kind): boolean {
  return kind === 'text' || kind === 'view' || kind === 'null';
}

type Values = Uint8Array | Float64Array | BigInt64Array;

/** The buffer of values of a column of Arrow, of a kind that is not of texts. Zero where there is none. */
export function groupValues({ kind, field }: GroupField, texts: readonly (string | null)[]): Values {
  if (kind.kind === 'boolean') return bitsOf(texts);
  if (kind.kind === 'uuid')
    return Buffer.from(texts.map((text) => (text ?? noUuid).replaceAll('-', '')).join(''), 'hex');
  const { ArrayType } = field.type as unknown as { readonly ArrayType: new (length: number) => Uint32Array };
  if (kind.kind === 'decimal') {
    const words = kind.bits / 32;
    const array = new ArrayType(texts.length * words);
    for (const [row, text] of texts.entries()) {
      let digits = text === null ? 0n : digitsOf(text, kind.scale);
      for (let at = 0; at < words; at++, digits >>= 32n) array[row * words + at] = Number(digits & 0xffff_ffffn);
    }
    return array as unknown as Values;
  }
  const array = new ArrayType(texts.length) as unknown as {
    [row: number]: number | bigint;
    readonly buffer: ArrayBuffer;
  };
  if (kind.kind === 'float') {
    const floats = kind.bits === 16 ? new Float16Array(array.buffer) : array;
    for (const [row, text] of texts.entries()) floats[row] = Number(text ?? 0);
  } else {
    const isWide = typeof array[0] === 'bigint';
    for (const [row, text] of texts.entries()) {
      const value = text === null ? 0n : wholeOf(kind, text);
      array[row] = isWide ? value : Number(value);
    }
  }
  return array as unknown as Values;
}

const noUuid = '0'.repeat(32);

function bitsOf(texts: readonly (string | null)[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(texts.length / 8));
  for (const [row, text] of texts.entries()) if (text === 'true') bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

/** A value of a kind that lies in its column as an int. */
function wholeOf(kind: Kind, text: string): bigint {
  if (kind.kind === 'date') return daysOfText(text) * (kind.unit === 'days' ? 1n : 86_400_000n);
  if (kind.kind === 'time') return nanosecondsOf(text) / (1_000_000_000n / perSecond[kind.unit]);
  if (kind.kind !== 'timestamp') return BigInt(text);
  // The mark of years before the first stands between the date and the time.
  const [, date, time] = /^(\S+(?: \(BC\))?) ([\d:.]+)/.exec(text)!;
  const nanoseconds = daysOfText(date!) * 86_400_000_000_000n + nanosecondsOf(time!);
  return nanoseconds / (1_000_000_000n / perSecond[kind.unit]);
}

/** The digits of a decimal: zeros in front of the point are some of them where the scale is negative. */
function digitsOf(text: string, scale: number): bigint {
  const digits = BigInt(text.replace('.', ''));
  return scale < 0 ? digits / 10n ** BigInt(-scale) : digits;
}

/** Days from 1970 on, in the proleptic Gregorian calendar, by its cycles of 400 years. */
function daysOfText(text: string): bigint {
  const [, year, month, day, before] = /^(\d+)-(\d\d)-(\d\d)( \(BC\))?$/.exec(text)!;
  const full = before === undefined ? BigInt(year!) : 1n - BigInt(year!);
  // Years 0 to 99 mean others to the engine.
  const within = ((full % 400n) + 400n) % 400n;
  const cycles = (full - within) / 400n;
  const days = Date.UTC(Number(within) + 2000, Number(month) - 1, Number(day)) / 86_400_000;
  return BigInt(days) + (cycles - 5n) * 146_097n;
}

function nanosecondsOf(text: string): bigint {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  const [hours, minutes, seconds] = whole.split(':').map(BigInt) as [bigint, bigint, bigint];
  return ((hours * 60n + minutes) * 60n + seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}
