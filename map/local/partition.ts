// One partition from its file to its file: batches go through the driver, what it gives to the writer. A record that
// hits a limit ends the instance; the partition begins again without it.

import { loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptInstance, ScriptValue } from '../../runtime-host/api/node.ts';
import type { Database } from '../duckdb/database.ts';
import { slotsOf } from '../driver/slots.ts';
import type { Slot } from '../driver/slots.ts';
import { limitErrors } from '../driver/values.ts';
import { MapError, tooManyErrors, TooManyErrors } from '../errors.ts';
import type { Format, MapSettings, Partition, Work } from '../plan/plan.ts';
import { readBatches } from '../read/batches.ts';
import type { Batch } from '../read/batches.ts';
import type { Failure } from '../write/failures.ts';
import { PartitionWriter } from '../write/writer.ts';
import type { WrittenColumn } from '../write/writer.ts';
import { writtenColumns } from '../write/yielded.ts';

/** What all partitions of a run share. */
export interface RunWork {
  readonly module: WebAssembly.Module;
  readonly work: Work;
  readonly values: readonly unknown[];
  readonly settings: MapSettings;
  readonly outputFormat: Format;
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
function seedOf(seed: number, partition: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${partition}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}

export function describeFailure(file: string, { row, type, message }: Failure): string {
  return `${file}, record ${row + 1}: ${type}: ${message}`;
}

interface DriverRows {
  readonly rows: bigint;
  readonly skipped: bigint;
  readonly failedAt: BigInt64Array;
  readonly failedType: readonly string[];
  readonly failedText: readonly string[];
  readonly [column: string]: unknown;
}

class Attempt {
  readonly #run: RunWork;
  readonly #partition: Partition;
  readonly #instance: ScriptInstance;
  readonly #slots: readonly Slot[];
  /** Records that are left out, by row. */
  readonly #left: Map<number, Failure>;
  readonly #failures: Failure[] = [];

  constructor(run: RunWork, partition: Partition, script: Script, left: Map<number, Failure>) {
    this.#run = run;
    this.#partition = partition;
    this.#instance = script.instance();
    this.#slots = slotsOf(run.work);
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
      this.#instance.callSync('begin', ...(values as never[]));
      for await (const batch of readBatches(reading, other, work, this.#partition)) {
        const given = this.#call(batch);
        if (given === null) return null;
        const { rows, columns } = given;
        writer.append(rows, columns, (column, separator) => this.#rejoin(column, separator, columns));
        skipped += given.skipped;
        read += batch.rows;
        written += rows;
        onRows(batch.rows);
      }
      await writer.write(path, outputFormat);
    } finally {
      this.#instance.close();
      for (const connection of [other, reading]) connection.disconnect();
    }
    return { read, written, skipped, failures: this.#failures.toSorted((a, b) => a.row - b.row) };
  }

  #call(
    batch: Batch,
  ): { readonly rows: number; readonly skipped: number; readonly columns: readonly WrittenColumn[] } | null {
    for (const [at, values] of batch.dictionaries) this.#instance.callSync(`dictionary${at}`, values);
    const skip = [...this.#left.keys()]
      .filter((row) => row >= batch.from && row < batch.from + batch.rows)
      .sort((a, b) => a - b);
    let result;
    try {
      result = this.#instance.callSync(
        'batch',
        ...([
          batch.rows,
          BigInt64Array.from(skip, (row) => BigInt(row - batch.from)),
          ...this.#slots.map((slot) => this.#argument(slot, batch)),
        ] as never[]),
      );
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      this.#leaveOut(batch, error);
      return null;
    }
    const given = result.value as unknown as DriverRows;
    const failed = [...given.failedAt].map(Number);
    this.#failures.push(
      ...failed.map((at, index) => ({
        row: batch.from + at,
        type: given.failedType[index]!,
        message: given.failedText[index]!,
      })),
    );
    this.#checkFailures();
    const { outputs, shape } = this.#run.work;
    const skipped = Number(given.skipped);
    if (shape === 'yields') return { skipped, ...writtenColumns(outputs, result.yields, new Set(failed)) };
    return {
      rows: Number(given.rows),
      skipped,
      columns: outputs.map((_, at) => {
        const values = given[`o${at}`];
        const nulls = given[`z${at}`] as BigInt64Array;
        return typeof values === 'string'
          ? { numbers: noNumbers, text: values, nulls }
          : { numbers: values as Float64Array | BigInt64Array, text: '', nulls };
      }),
    };
  }

  #argument({ kind, input }: Slot, { columns }: Batch): unknown {
    const column = columns[input]!;
    switch (kind) {
      case 'doubles':
      case 'ints':
      case 'codes':
        return column.numbers;
      case 'valid':
        return column.valid;
      case 'misfits':
        return column.misfits;
      case 'text':
        return column.text;
      case 'marked':
        return column.marked;
    }
  }

  /** The driver has yielded which record it was in. */
  #leaveOut(batch: Batch, error: ScriptError): void {
    const at = error.yields.findLast((value: ScriptValue) => typeof value === 'bigint');
    if (!limitErrors.some((name) => name === error.name) || typeof at !== 'bigint' || at < 0n) {
      const { from, rows } = batch;
      throw new MapError(
        `${this.#partition.source}, records ${from + 1} to ${from + rows}: ${error.name}: ${error.message}`,
        { cause: error },
      );
    }
    const row = batch.from + Number(at);
    this.#left.set(row, { row, type: error.name, message: error.message });
    this.#failures.push(this.#left.get(row)!);
    this.#checkFailures();
  }

  #checkFailures(): void {
    const { maxErrors } = this.#run.settings;
    if (this.#failures.length <= maxErrors) return;
    const first = this.#failures.reduce((a, b) => (b.row < a.row ? b : a));
    throw new TooManyErrors(tooManyErrors(maxErrors, describeFailure(this.#partition.source, first)));
  }

  #rejoin(column: number, separator: string, columns: readonly WrittenColumn[]): string {
    if (this.#run.work.shape === 'yields') return columns[column]!.rejoin!(separator);
    return this.#instance.callSync('text', ...([column, separator] as never[])).value as unknown as string;
  }
}

const noNumbers = new BigInt64Array(0);
