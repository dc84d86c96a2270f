// Partitions: neighbouring row groups of a file, up to a number of rows and bytes. They follow from the files and the
// settings alone, so that the same job has the same ones however many threads there are.

import { faultOf, fileToRead } from '../duckdb/database.ts';
import type { Database } from '../duckdb/database.ts';
import { rowsOf } from './batches.ts';
import type { InputFile, MapSettings, Partition } from '../plan/plan.ts';

interface RowGroup {
  readonly rows: number;
  readonly bytes: number;
}

export async function partitionsOf(
  database: Database,
  files: readonly Pick<InputFile, 'path'>[],
  settings: Pick<MapSettings, 'partitionRows' | 'partitionBytes'>,
): Promise<readonly Partition[]> {
  const partitions: Partition[] = [];
  for (const { path } of files)
    for (const [from, to] of cut(await rowGroupsOf(database, path), settings))
      partitions.push({ at: partitions.length, file: path, source: path, from, to });
  return partitions;
}

/** Where a partition cannot be read: the row group of it that fails by itself; empty where none does. */
export async function placeOfFault(database: Database, partition: Partition): Promise<string> {
  const groups = await rowGroupsOf(database, partition.file);
  let from = 0;
  for (const [at, { rows }] of groups.entries()) {
    const to = from + rows;
    if (to > partition.from && from < partition.to) {
      const range = rowsOf({ ...partition, from, to });
      try {
        // Takes a look at each value.
        await database.texts(`SELECT CAST(bit_xor(hash(whole)) AS VARCHAR) FROM ${range} AS whole`);
      } catch {
        return `row group ${at + 1}, records ${from + 1} to ${to}`;
      }
    }
    from = to;
  }
  return '';
}

async function rowGroupsOf(database: Database, path: string): Promise<readonly RowGroup[]> {
  try {
    const rows = await database.texts(
      'SELECT CAST(any_value(row_group_num_rows) AS VARCHAR), CAST(sum(total_compressed_size) AS VARCHAR) ' +
        `FROM parquet_metadata(${fileToRead(path)}) GROUP BY row_group_id ORDER BY row_group_id`,
    );
    return rows.map(([count, bytes]) => ({ rows: Number(count), bytes: Number(bytes) }));
  } catch (error) {
    throw faultOf(path, error);
  }
}

/** A row group that is too large by itself is cut; a file without rows has one partition, whose output has none. */
export function cut(
  groups: readonly RowGroup[],
  { partitionRows, partitionBytes }: Pick<MapSettings, 'partitionRows' | 'partitionBytes'>,
): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  let [from, to, bytes] = [0, 0, 0];
  const end = (): void => {
    if (to > from) ranges.push([from, to]);
    [from, bytes] = [to, 0];
  };
  for (const group of groups) {
    if (to - from + group.rows > partitionRows || bytes + group.bytes > partitionBytes) end();
    for (let rest = group.rows; rest > 0; rest -= partitionRows) {
      if (rest < group.rows) end();
      to += Math.min(rest, partitionRows);
    }
    bytes += group.bytes;
  }
  end();
  return ranges.length === 0 ? [[0, 0]] : ranges;
}
