// Runs in each thread: one DuckDB, and partitions one after the other.

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Database, faultOf } from '../duckdb/database.ts';
import { FileStore } from '../commit/file-store.ts';
import type { Counts, Store } from '../commit/store.ts';
import { MapError, TooManyErrors } from '../errors.ts';
import type { Partition } from '../plan/plan.ts';
import { writeFailures } from '../write/failures.ts';
import { mapPartition } from './partition.ts';
import type { RunWork } from './partition.ts';

/** What a thread has to know of a run. */
export interface ThreadRun extends RunWork {
  /** The folder of the output. */
  readonly output: string;
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
  | (Counts & { readonly kind: 'done' })
  | { readonly kind: 'stopped' }
  | { readonly kind: 'fault'; readonly message: string; readonly isTooMany: boolean };

class Stopped extends Error {}

/** The task of the pool. */
export async function work({ run, partition, shared }: ThreadTask): Promise<PartitionReport> {
  const store = new FileStore(run.output, run.outputFormat);
  const temporary = join(run.temporary ?? store.staging, `duckdb-${randomUUID()}`);
  try {
    const database = await Database.open({ threads: 1, memoryBytes: run.settings.readerBytes, temporary });
    try {
      return await mapInto(store, run, partition, database, shared);
    } finally {
      database.close();
      rmSync(temporary, { recursive: true, force: true });
    }
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped' };
    if (!(error instanceof MapError) && !isOfDatabase(error)) throw error;
    const fault = error instanceof MapError ? error : faultOf(partition.source, error);
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
  const { failures, ...counts } = await mapPartition(run, partition, database, path, (rows) => {
    Atomics.add(shared, 0, BigInt(rows));
    if (Atomics.load(shared, 1) !== 0n) throw new Stopped();
  });
  const errors = failures.length === 0 ? null : `${path}.errors`;
  if (errors !== null) await writeFailures(database, partition, failures, errors);
  await store.commit({ partition: partition.at, ...counts, failed: failures.length }, path, errors);
  return { kind: 'done', ...counts, failed: failures.length };
}

/** Errors of DuckDB are plain ones whose message begins with their kind. */
function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && /^[A-Z][\w ]* Error: /.test(error.message);
}
