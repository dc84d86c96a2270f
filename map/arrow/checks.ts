// Whether the values of a column lie where it says: a stream may be damaged, or written by somebody who means harm.

import type { Kind } from './kinds.ts';
import { hasValue } from './values.ts';
import type { Column } from './values.ts';

/** Whether all that is read of `rows` rows is there. */
export function isWhole(kind: Kind, column: Column | undefined, rows: number): boolean {
  if (column === undefined || column.length < rows) return false;
  if (kind.kind === 'null' || rows === 0) return true;
  if (column.nullCount !== 0 && column.nullBitmap.length > 0 && column.nullBitmap.length * 8 < rows) return false;
  const { children } = column;
  const count = column.values?.length ?? 0;
  switch (kind.kind) {
    case 'boolean':
      return count * 8 >= rows;
    case 'int':
    case 'float':
    case 'date':
    case 'time':
    case 'timestamp':
      return count >= rows;
    case 'decimal':
      return count * 32 >= rows * kind.bits;
    case 'uuid':
      return count >= rows * 16;
    case 'text':
      return areRanges(column, rows, count);
    case 'view':
      return areViews(column, rows);
    case 'binary':
      if (kind.layout === 'text') return areRanges(column, rows, count);
      return kind.layout === 'view' ? areViews(column, rows) : count >= rows * kind.layout;
    case 'list':
      return (
        areRanges(column, rows, children[0]?.length ?? 0) &&
        isWhole(kind.element, children[0], children[0]?.length ?? 0)
      );
    case 'array':
      return isWhole(kind.element, children[0], rows * kind.length);
    case 'struct':
      return kind.fields.every((field, at) => isWhole(field.kind, children[at], rows));
    case 'map': {
      const entries = children[0];
      if (entries === undefined || !areRanges(column, rows, entries.length)) return false;
      return [kind.key, kind.value].every((part, at) => isWhole(part, entries.children[at], entries.length));
    }
    case 'dictionary':
      return areEntries(kind.values, column, rows, count);
    case 'other':
      return true;
  }
}

function areRanges({ valueOffsets }: Column, rows: number, end: number): boolean {
  if (valueOffsets === undefined || valueOffsets.length < rows + 1) return false;
  let last = valueOffsets[0]!;
  if (last < 0) return false;
  for (let row = 1; row <= rows; row++) {
    const next = valueOffsets[row]!;
    if (next < last) return false;
    last = next;
  }
  return last <= end;
}

function areViews(column: Column, rows: number): boolean {
  const bytes = column.values as unknown as Uint8Array;
  if (bytes.length < rows * 16) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, rows * 16);
  for (let row = 0; row < rows; row++) {
    const length = view.getInt32(row * 16, true);
    if (!hasValue(column, row)) continue;
    if (length < 0) return false;
    if (length <= 12) continue;
    const buffer = column.variadicBuffers[view.getInt32(row * 16 + 8, true)];
    const at = view.getInt32(row * 16 + 12, true);
    if (buffer === undefined || at < 0 || at + length > buffer.length) return false;
  }
  return true;
}

function areEntries(kind: Kind, column: Column, rows: number, count: number): boolean {
  const { dictionary, values } = column;
  if (dictionary === undefined || count < rows) return false;
  for (let row = 0; row < rows; row++) {
    const entry = Number(values[row]!);
    if ((entry < 0 || entry >= dictionary.length) && hasValue(column, row)) return false;
  }
  if (wholeDictionaries.has(dictionary)) return true;
  if (!dictionary.data.every((data) => isWhole(kind, data, data.length))) return false;
  wholeDictionaries.add(dictionary);
  return true;
}

/** They hold for many batches. */
const wholeDictionaries = new WeakSet<object>();
