// The values of single records of a batch, as the script's own function takes them.

import type { TypeDescriptor } from '../../src/abi/values.ts';
import { isText, nullMark, separator } from '../driver/slots.ts';
import type { InputColumn } from '../plan/plan.ts';
import type { Batch, BatchColumn } from './batch.ts';

/** What a column has in a record. */
export interface RecordValue {
  /** A text for json, arrays and structs. */
  readonly value: number | bigint | boolean | string | null;
  readonly isValid: boolean;
}

/** A value for each column; null where the record does not get to the script. */
export type RecordValues = readonly RecordValue[] | null;

export type Dictionaries = ReadonlyMap<number, readonly (string | null)[]>;

/** Reads records of a batch. `dictionaries` are those that hold. */
export function recordReader(
  inputs: readonly InputColumn[],
  { columns }: Batch,
  dictionaries: Dictionaries,
): (row: number) => RecordValues {
  const readers = inputs.map((input, at) => {
    const column = columns[at]!;
    return isText(input) ? textReader(input, column, dictionaries.get(at)) : numberReader(input, column);
  });
  return (row) => {
    if (columns.some(({ misfits }) => misfits.length > 0 && misfits[row] !== 0n)) return null;
    const values = readers.map((read) => read(row));
    return values.every((value) => value !== null) ? values : null;
  };
}

type Reader = (row: number) => RecordValue | null;

function textReader(
  { takesNull, nulls }: InputColumn,
  column: BatchColumn,
  dictionary: readonly (string | null)[] = [],
): Reader {
  const isCoded = column.numbers.length > 0;
  const texts = isCoded ? dictionary : column.text.split(separator);
  return (row) => {
    const found = texts[isCoded ? Number(column.numbers[row]) : row] ?? null;
    const isNull = found === null || (!isCoded && column.marked && found === nullMark);
    if (!isNull) return { value: found, isValid: true };
    if (nulls.kind === 'value') return { value: nulls.text, isValid: false };
    return takesNull ? { value: null, isValid: false } : null;
  };
}

function numberReader({ takesNull, nulls, carrier, type }: InputColumn, { numbers, valid }: BatchColumn): Reader {
  const valueOf = (number: number | bigint): RecordValue['value'] => (carrier === 'boolean' ? number !== 0n : number);
  const zero = valueOf(carrier === 'double' ? 0 : 0n);
  return (row) => {
    const isValid = valid.length === 0 || ((valid[row >> 6]! >> BigInt(row & 63)) & 1n) === 1n;
    if (isValid) return { value: valueOf(numbers[row]!), isValid };
    if (nulls.kind === 'value') return { value: literalOf(type, nulls.text), isValid };
    return takesNull ? { value: zero, isValid } : null;
  };
}

/** What `--null NAME=VALUE` says, which fits the type. */
function literalOf(type: TypeDescriptor, text: string): RecordValue['value'] {
  if (type === 'boolean') return text === 'true';
  return type === 'int' ? BigInt(text) : Number(text);
}
