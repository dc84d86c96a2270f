// Lines of CSV that are no records: they are left out from the beginning, and are dead letters as others are.

import { identifier } from '../duckdb/database.ts';
import type { Database } from '../duckdb/database.ts';
import type { MapSettings, Partition } from '../plan/plan.ts';
import { raggedName } from '../plan/staged.ts';
import { rowsOf } from '../read/batches.ts';
import type { Failure } from '../write/failures.ts';

/** Those of a partition, in order. Without `maxErrors` the first has ended the run. */
export async function raggedLines(
  database: Database,
  partition: Partition,
  { maxErrors }: MapSettings,
): Promise<readonly Failure[]> {
  if (maxErrors === 0 || partition.file === partition.source) return [];
  const ragged = identifier(raggedName);
  const found = await database.texts(
    `SELECT CAST(file_row_number AS VARCHAR), ${ragged} FROM ${rowsOf(partition)} WHERE ${ragged} IS NOT NULL`,
  );
  return found
    .map(([row, message]) => ({ row: Number(row), type: 'ParseError', message: message! }))
    .sort((a, b) => a.row - b.row);
}
