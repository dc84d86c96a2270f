// The values of columns that make groups, as texts that DuckDB reads back.

import { MapError } from '../errors.ts';
import type { GroupColumn } from '../plan/plan.ts';
import type { GroupKey } from '../read/groups.ts';
import { isWhole } from './checks.ts';
import type { Kind, NamedKind } from './kinds.ts';
import type { RecordBatch } from './reader.ts';
import { bitOf, entryOf, floatsOf, hasValue, textOf } from './values.ts';
import type { Column } from './values.ts';

/** Reads keys of rows. Throws MapError for columns that are damaged. */
export function keyReader(
  kinds: readonly NamedKind[],
  { columns, rows }: RecordBatch,
  by: readonly GroupColumn[],
): (row: number) => GroupKey {
  const sources = by.map(({ column: name }) => {
    const at = kinds.findIndex((kind) => kind.name === name);
    const { kind } = kinds[at]!;
    if (!isWhole(kind, columns[at], rows)) throw new MapError(`the values of ${name} do not lie where it says`);
    return { kind, column: columns[at]! };
  });
  return (row) => sources.map(({ kind, column }) => keyOf(kind, column, row));
}

/** Zeros of either sign are one, and so are all NaNs. */
function keyOf(kind: Kind, column: Column, row: number): string | null {
  if (kind.kind === 'null' || !hasValue(column, row)) return null;
  switch (kind.kind) {
    case 'dictionary': {
      const entry = entryOf(column, row);
      return keyOf(kind.values, entry.column, entry.row);
    }
    case 'boolean':
      return String(bitOf(column, row));
    case 'int':
      return String(column.values[row]!);
    case 'float':
      return String(floatsOf(column, kind.bits)[row]! + 0);
    case 'text':
    case 'view':
    case 'uuid':
    case 'decimal':
    case 'date':
    case 'time':
    case 'timestamp':
      return textOf(kind, column, row);
    // Plans refuse them.
    case 'binary':
    case 'list':
    case 'array':
    case 'struct':
    case 'map':
    case 'other':
      return null;
  }
}
