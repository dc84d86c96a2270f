// One partition from its file to its file: batches go through the driver, what it gives to the writer. A record that
// hits a limit ends the instance; the partition begins again without it.

import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptInstance } from '../../runtime-host/api/node.ts';
import type { Database } from '../duckdb/database.ts';
import { MapError, tooManyErrors, TooManyErrors } from '../errors.ts';
import type { Allowed } from '../plan/permissions.ts';
import type { Format, MapSettings, Partition, Work } from '../plan/plan.ts';
import { readBatches } from '../read/batches.ts';
import type { Failure } from '../write/failures.ts';
import { PartitionWriter } from '../write/writer.ts';
import { BatchCall } from './batch-call.ts';
import { surroundingsOf } from './surroundings.ts';

/** What all partitions of a run share. */
export interface RunWork {
  readonly module: WebAssembly.Module;
  readonly work: Work;
  readonly values: readonly unknown[];
  readonly settings: MapSettings;
  readonly outputFormat: Format;
  readonly allowed: Allowed;
  /** Unix milliseconds, for Date.now. */
  readonly startedAt: number;
}

export interface PartitionResult {
  readonly read: number;
  readonly written: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** How often a partition begins again, each time without one more record. */
const mostRestarts = 10;

/** Maps the partition into the file. `onRows` hears of rows that are done. */
export async function mapPartition(
  run: RunWork,
  partition: Partition,
  database: Database,
  path: string,
  onRows: (rows: number) => void,
): Promise<PartitionResult> {
  const script = await loadScript(run.module, {
    ...(await surroundingsOf(run.allowed)),
    random: seedOf(run.settings.seed, partition.at),
    clock: run.startedAt,
    limits: { timeMs: run.settings.limits.timeMs, memoryBytes: run.settings.limits.memoryBytes },
  });
  const left = new Map<number, Failure>();
  for (;;) {
    const attempt = new Attempt(run, partition, script, left);
    let told = 0;
    const result = await attempt.map(database, path, (rows) => {
      told += rows;
      onRows(rows);
    });
    if (result !== null) return result;
    onRows(-told);
    if (left.size > mostRestarts)
      throw new MapError(
        `${partition.source}: more than ${mostRestarts} records of one partition hit a limit, the last of them ` +
          describeFailure(partition.source, [...left.values()].at(-1)!),
      );
  }
}

/** The bytes of 32-bit FNV-1a over both numbers: other seeds for other partitions, the same on every machine. */
export function seedOf(seed: number, partition: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${partition}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}

export function describeFailure(file: string, { row, type, message }: Failure): string {
  return `${file}, record ${row + 1}: ${type}: ${message}`;
}

class Attempt {
  readonly #run: RunWork;
  readonly #partition: Partition;
  readonly #instance: ScriptInstance;
  /** Records that are left out, by row. */
  readonly #left: Map<number, Failure>;
  readonly #failures: Failure[] = [];

  constructor(run: RunWork, partition: Partition, script: Script, left: Map<number, Failure>) {
    this.#run = run;
    this.#partition = partition;
    this.#instance = script.instance();
    this.#left = left;
    this.#failures.push(...left.values());
  }

  /** Null where a record hit a limit: it is left out from then on. */
  async map(database: Database, path: string, onRows: (rows: number) => void): Promise<PartitionResult | null> {
    const { work, values, outputFormat } = this.#run;
    const other = await database.another();
    const reading = await database.another();
    const writer = await PartitionWriter.open(database, work.outputs);
    let [read, written, skipped] = [0, 0, 0];
    try {
      const driver = new BatchCall(this.#instance, work, this.#partition.source);
      await driver.begin(values);
      for await (const batch of readBatches(reading, other, work, this.#partition)) {
        const given = await driver.call(batch, this.#left.keys());
        if (given.kind === 'limit') {
          this.#left.set(given.failure.row, given.failure);
          this.#fail([given.failure]);
          return null;
        }
        this.#fail(given.failures);
        writer.append(given.rows, given.columns, given.rejoin);
        skipped += given.skipped;
        read += batch.rows;
        written += given.rows;
        onRows(batch.rows);
      }
      await writer.write(path, outputFormat);
    } finally {
      writer.discard();
      this.#instance.close();
      for (const connection of [other, reading]) connection.disconnect();
    }
    return { read, written, skipped, failures: this.#failures.toSorted((a, b) => a.row - b.row) };
  }

  #fail(failures: readonly Failure[]): void {
    this.#failures.push(...failures);
    const { maxErrors } = this.#run.settings;
    if (this.#failures.length <= maxErrors) return;
    const first = this.#failures.reduce((a, b) => (b.row < a.row ? b : a));
    throw new TooManyErrors(tooManyErrors(maxErrors, describeFailure(this.#partition.source, first)));
  }
}
