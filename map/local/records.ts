// Where the records of a partition come from: Parquet by DuckDB, and files of Arrow.

import { closeSync, openSync, writeSync } from 'node:fs';
import { isOfArrow } from '../arrow/files.ts';
import { ArrowGroups, readArrowBatches, readArrowRecords } from '../arrow/partition.ts';
import type { Database } from '../duckdb/database.ts';
import type { GroupColumn, Partition, Taken } from '../plan/plan.ts';
import { readBatches, readingOf } from '../read/batches.ts';
import type { Batch } from '../read/batch.ts';
import type { Reading } from '../read/batches.ts';
import { PartitionGroups } from '../read/groups.ts';
import type { GroupKey } from '../read/groups.ts';
import { lineOf, writeFailures } from '../write/failures.ts';
import type { Failure } from '../write/failures.ts';

/** A batch, and the groups of its rows where there are columns of groups. */
export interface GroupedBatch {
  readonly batch: Batch;
  readonly groups: BigInt64Array;
  /** Groups that no batch before had, in the order of their numbers. */
  readonly newGroups: readonly GroupKey[];
}

/** The batches of a partition, in order: each is valid until the next is asked for. `known` is how it is read. */
export async function* recordsOf(
  database: Database,
  work: Pick<Taken, 'inputs'>,
  partition: Partition,
  by: readonly GroupColumn[] = [],
  known: Reading | null = null,
): AsyncGenerator<GroupedBatch> {
  if (isOfArrow(partition)) {
    const keys = new ArrowGroups(by);
    let groups: BigInt64Array = noGroups;
    const batches = readArrowBatches(work.inputs, partition, (kinds, record, { from, rows }, first) => {
      if (by.length > 0) groups = keys.numbersOf(kinds, record, from - first, rows);
    });
    for await (const batch of batches) yield { batch, groups, newGroups: keys.takeNew() };
    return;
  }
  const connections = await Promise.all([database.another(), database.another(), database.another()]);
  const [reading, other, grouping] = connections;
  try {
    const keys = by.length === 0 ? null : await PartitionGroups.read(grouping, by, partition);
    let newGroups = keys?.keys ?? [];
    const how = known ?? (await readingOf(reading, work, partition));
    for await (const batch of readBatches(reading, other, work, partition, how)) {
      yield { batch, groups: keys === null ? noGroups : await keys.next(batch.rows), newGroups };
      newGroups = [];
    }
  } finally {
    for (const connection of connections) connection.disconnect();
  }
}

const noGroups = new BigInt64Array(0);

/** Reads the records that failed again, and adds them to a file with what went wrong. */
export async function writeFailed(
  database: Database,
  partition: Partition,
  failures: readonly Failure[],
  path: string,
): Promise<void> {
  if (!isOfArrow(partition)) return writeFailures(database, partition, failures, path);
  const file = openSync(path, 'a');
  let next = 0;
  try {
    const rows = failures.map(({ row }) => row);
    for await (const record of readArrowRecords(partition, rows))
      writeSync(file, `${lineOf(partition.source, failures[next++]!, record)}\n`);
  } finally {
    closeSync(file);
  }
}
