// Runs in each thread: one DuckDB, and partitions one after the other.

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FileStore, folderFault } from '../commit/file-store.ts';
import type { CommitOutcome, Counts, Store } from '../commit/store.ts';
import { Database, DatabaseError, faultOf } from '../duckdb/database.ts';
import { MapError, TooManyErrors } from '../errors.ts';
import type { InputFile, Partition } from '../plan/plan.ts';
import { decodeValues } from '../plan/value-text.ts';
import { checkUnchanged } from '../read/inputs.ts';
import { placeOfFault } from '../read/partitions.ts';
import { writeFailures } from '../write/failures.ts';
import { mapPartition } from './partition.ts';
import type { RunWork } from './partition.ts';

/** What a thread has to know of a run. */
export interface ThreadRun extends Omit<RunWork, 'values'> {
  /** As `encodeValues` has them: between threads, values would lose their classes. */
  readonly values: string;
  /** The folder of the output. */
  readonly output: string;
  /** As they were when the plan was made. */
  readonly files: readonly InputFile[];
  /** A folder for what does not fit into memory; null for the store's own. */
  readonly temporary: string | null;
}

export interface ThreadTask {
  readonly run: ThreadRun;
  readonly partition: Partition;
  /** Rows that are done, and 1 once the work is to stop. */
  readonly shared: BigInt64Array;
}

/** How a partition ended; faults are told, since errors lose their classes between threads. */
export type PartitionReport =
  | (Counts & { readonly kind: 'done'; readonly outcome: CommitOutcome })
  | { readonly kind: 'stopped' }
  | { readonly kind: 'fault'; readonly message: string; readonly isTooMany: boolean };

class Stopped extends Error {}

/** The task of the pool. */
export async function work({ run, partition, shared }: ThreadTask): Promise<PartitionReport> {
  const store = new FileStore(run.output, run.outputFormat);
  const temporary = join(run.temporary ?? store.staging, `duckdb-${randomUUID()}`);
  try {
    const database = await Database.open({
      threads: 1,
      memoryBytes: run.settings.readerBytes,
      temporary,
      reach: { files: [partition.file], folders: [store.data] },
    });
    try {
      return await mapInto(store, run, partition, database, shared);
    } catch (error) {
      throw await inPlace(run, partition, database, error);
    } finally {
      database.close();
      rmSync(temporary, { recursive: true, force: true });
    }
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped' };
    const fault = folderFault(run.output, error);
    if (!(fault instanceof MapError)) throw error;
    return { kind: 'fault', message: fault.message, isTooMany: fault instanceof TooManyErrors };
  }
}

async function mapInto(
  store: Store,
  run: ThreadRun,
  partition: Partition,
  database: Database,
  shared: BigInt64Array,
): Promise<PartitionReport> {
  const path = store.attempt(partition.at);
  const file = run.files.find((input) => input.path === partition.file);
  try {
    const work = { ...run, values: decodeValues(run.values) };
    const { failures, ...counts } = await mapPartition(work, partition, database, path, (rows) => {
      Atomics.add(shared, 0, BigInt(rows));
      if (Atomics.load(shared, 1) !== 0n) throw new Stopped();
    });
    const errors = failures.length === 0 ? null : `${path}.errors`;
    if (errors !== null) await writeFailures(database, partition, failures, errors);
    // What was staged stays as it is.
    if (file !== undefined) checkUnchanged(file);
    const done = { ...counts, failed: failures.length };
    return { kind: 'done', ...done, outcome: await store.commit({ partition: partition.at, ...done }, path, errors) };
  } catch (error) {
    // A full disk gets its room back.
    for (const left of [path, `${path}.errors`]) rmSync(left, { force: true });
    if (file !== undefined && error instanceof DatabaseError) checkUnchanged(file);
    throw error;
  }
}

/** Names the file and the row group of what DuckDB cannot read. */
async function inPlace(run: ThreadRun, partition: Partition, database: Database, error: unknown): Promise<unknown> {
  if (!(error instanceof DatabaseError)) return error;
  const where = await placeOfFault(database, partition).catch(() => '');
  return faultOf(where === '' ? partition.source : `${partition.source}, ${where}`, error, run.output);
}
