// One partition from its file to its file: batches go through the driver, what it gives to the writer. A record that
// hits a limit ends the instance; the partition begins again without it.

import type { Script } from '../../runtime-host/api/node.ts';
import type { Database } from '../duckdb/database.ts';
import type { Partition, Work } from '../plan/plan.ts';
import { readingOf } from '../read/batches.ts';
import type { Batch } from '../read/batch.ts';
import type { Failure } from '../write/failures.ts';
import { PartitionWriter } from '../write/writer.ts';
import type { FileTarget } from '../write/writer.ts';
import { Failures, scriptOf, untilThrough } from './attempts.ts';
import type { RunStage, RunWork } from './attempts.ts';
import { BatchCall } from './batch-call.ts';
import type { BatchResult, LimitHit } from './batch-call.ts';
import { canBeInQuery, mapInQuery } from './in-query.ts';
import { partitionTexts } from './misfits.ts';
import { recordsOf } from './records.ts';
import { StackFinder } from './stacks.ts';

export interface PartitionResult {
  readonly read: number;
  readonly written: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** Maps the partition, but for what is `ragged`, into files of the same rows. `onRows` hears of rows that are done. */
export async function mapPartition(
  run: RunWork,
  stage: RunStage<Work>,
  partition: Partition,
  ragged: readonly Failure[],
  database: Database,
  targets: readonly FileTarget[],
  onRows: (rows: number) => void,
): Promise<PartitionResult> {
  const script = await scriptOf(run, stage, partition.at);
  const stacks = new StackFinder(run, stage, partition.at, partitionTexts(database, partition));
  const result = await stacks.during(async () =>
    untilThrough(
      partition,
      onRows,
      async (left, tell) => attempt(run, stage, partition, script, left, database, targets, tell),
      ragged,
    ),
  );
  return { ...result, failures: await stacks.find(result.failures) };
}

/** Null where a record hit a limit: it is left out from then on. */
async function attempt(
  run: RunWork,
  { work, values }: RunStage<Work>,
  partition: Partition,
  script: Script,
  left: Map<number, Failure>,
  database: Database,
  targets: readonly FileTarget[],
  onRows: (rows: number) => void,
): Promise<PartitionResult | null> {
  const failures = new Failures(partition.source, run, left);
  const instance = script.instance();
  let [read, written, skipped] = [0, 0, 0];
  const count = (batch: Batch, given: BatchResult | LimitHit): BatchResult => {
    if (given.kind === 'limit') {
      failures.add([given.failure]);
      left.set(given.failure.row, given.failure);
      throw new LimitReached();
    }
    failures.add(given.failures);
    skipped += given.skipped;
    read += batch.rows;
    written += given.rows;
    onRows(batch.rows);
    return given;
  };
  try {
    const driver = new BatchCall(instance, work, partition.source);
    await driver.begin(values);
    const reading = canBeInQuery(script, work, partition, targets) ? await readingOf(database, work, partition) : null;
    if (reading !== null && reading.joined.length === 0) {
      const call = (batch: Batch): BatchResult => count(batch, driver.callSync(batch, left.keys()));
      await mapInQuery(database, work, partition, reading, targets[0]!, call);
    } else {
      const writer = await PartitionWriter.open(database, work.outputs);
      try {
        for await (const { batch } of recordsOf(database, work, partition, [], reading)) {
          const { rows, columns, rejoin } = count(batch, await driver.call(batch, left.keys()));
          writer.append(rows, columns, rejoin);
        }
        await writer.write(targets);
      } finally {
        writer.discard();
      }
    }
  } catch (error) {
    if (error instanceof LimitReached) return null;
    throw error;
  } finally {
    instance.close();
  }
  return { read, written, skipped, failures: failures.sorted };
}

/** A record hit a limit, which ended the instance. */
class LimitReached extends Error {}
