// A script as a filter of a stream of Arrow: each record batch that comes in gives one that goes out, before the next
// is read. Whoever calls it has the rest: partitions, other machines, where the records are.

import { loadScript } from '../runtime-host/api/node.ts';
import type { Script, ScriptInstance } from '../runtime-host/api/node.ts';
import { columnsOf } from './arrow/kinds.ts';
import { loadArrow } from './arrow/library.ts';
import { BatchReader } from './arrow/reader.ts';
import type { RecordBatch } from './arrow/reader.ts';
import { readRecords } from './arrow/records.ts';
import type { Records } from './arrow/records.ts';
import { RecordWriter } from './arrow/written.ts';
import { MapError, TooManyErrors } from './errors.ts';
import { BatchCall, LostPlace, mostLost } from './local/batch-call.ts';
import type { BatchResult, LimitHit } from './local/batch-call.ts';
import { seedOf, TooManyFailures } from './local/attempts.ts';
import { StackFinder } from './local/stacks.ts';
import { surroundingsOf } from './local/surroundings.ts';
import { planWork } from './plan-map.ts';
import type { WorkOptions } from './plan-map.ts';
import { mostErrors } from './plan/max-errors.ts';
import type { Stage, Work, WorkPlan } from './plan/plan.ts';
import { decodeValues, encodeValues } from './plan/value-text.ts';
import type { Batch } from './read/batches.ts';
import { lineOf } from './write/failures.ts';
import type { Failure } from './write/failures.ts';

/** A filter, and how to run it. */
export interface ArrowOptions extends WorkOptions {
  /** What messages and dead letters call the stream; `-` if left out. */
  readonly name?: string;
  /** Takes records that failed, within `maxErrors`: a line of JSON for each, as in `_errors`. */
  readonly onErrors?: (lines: string) => void;
}

/** A filter that has read the schema of its stream. */
export interface ArrowMap {
  /** For `describePlan`. */
  readonly plan: WorkPlan;
  /** The stream that it gives, in as many pieces as it has batches, and two. To be read once. */
  readonly output: AsyncIterable<Uint8Array>;
  /** What has gone through it. */
  readonly counts: ArrowCounts;
}

/** Records that have gone through a filter. */
export interface ArrowCounts {
  readonly read: number;
  readonly written: number;
  readonly failed: number;
  /** Records that a rule for nulls left out. */
  readonly skipped: number;
}

/**
 * Compiles the script and reads the schema of the stream. Rejects as `planMap` does; reading the output throws MapError
 * for a stream that is damaged, and TooManyErrors.
 */
export async function mapArrow(input: AsyncIterable<Uint8Array>, options: ArrowOptions): Promise<ArrowMap> {
  const { name = '-' } = options;
  const library = await loadArrow();
  let records: Records | null = null;
  const plan = await planWork(options, 'arrow', async () => {
    records = await readRecords(library, input, name);
    return columnsOf(records.kinds);
  });
  const { map, fold } = plan;
  if (map === null || fold !== null)
    throw new MapError(
      `${options.script} sums records up, and a stream gives a batch for each batch: give it a script that only ` +
        'maps, or files',
    );
  const writer = new RecordWriter(library.arrow, map.work.outputs);
  const filter = new Filter(plan, map, name, records!, writer, options.onErrors);
  return { plan, counts: filter.counts, output: filter.output() };
}

class Filter {
  readonly counts = { read: 0, written: 0, failed: 0, skipped: 0 };
  readonly #plan: WorkPlan;
  readonly #stage: Stage<Work>;
  readonly #name: string;
  readonly #records: Records;
  readonly #reader: BatchReader;
  readonly #writer: RecordWriter;
  readonly #onErrors: ((lines: string) => void) | undefined;
  /** The dictionaries that hold, for an instance that is new. */
  readonly #startedAt = Date.now();
  readonly #stacks: StackFinder;
  readonly #dictionaries = new Map<number, readonly (string | null)[]>();
  #instance: ScriptInstance | null = null;

  constructor(
    plan: WorkPlan,
    stage: Stage<Work>,
    name: string,
    records: Records,
    writer: RecordWriter,
    onErrors: ArrowOptions['onErrors'],
  ) {
    this.#plan = plan;
    this.#stage = stage;
    this.#name = name;
    this.#records = records;
    this.#reader = new BatchReader(records.kinds, stage.work.inputs);
    this.#writer = writer;
    this.#onErrors = onErrors;
    const { scriptModule, settings, allowed } = plan;
    const run = { scriptModule, settings, allowed, startedAt: this.#startedAt };
    this.#stacks = new StackFinder(run, stage, 0);
  }

  async *output(): AsyncGenerator<Uint8Array, void, undefined> {
    const { settings, allowed } = this.#plan;
    try {
      const script = await loadScript(this.#stage.module, {
        ...(await surroundingsOf(allowed)),
        random: seedOf(settings.seed, 0),
        clock: this.#startedAt,
        limits: settings.limits,
      });
      let driver = await this.#begin(script);
      yield this.#writer.head;
      let number = 0;
      for await (const record of this.#records.batches) {
        number++;
        try {
          driver = await this.#map(script, driver, record);
          yield this.#writer.finish();
        } catch (error) {
          if (!(error instanceof MapError) || error instanceof TooManyErrors) throw error;
          throw new MapError(`${this.#name}, batch ${number}: ${error.message}`, { cause: error });
        }
      }
      yield this.#writer.end;
    } finally {
      this.#instance?.close();
      await this.#records.close();
    }
  }

  async #begin(script: Script): Promise<BatchCall> {
    this.#instance?.close();
    this.#instance = script.instance();
    const { work, values } = this.#stage;
    const driver = new BatchCall(this.#instance, work, this.#name);
    await driver.begin(decodeValues(encodeValues(values)));
    return driver;
  }

  /** The batch ends the stream where it has too many records that fail. */
  async #map(script: Script, first: BatchCall, record: RecordBatch): Promise<BatchCall> {
    return this.#stacks.during(async () => this.#tryMap(script, first, record));
  }

  /** The instance ends with a record that hits a limit: the batch begins again in another one, without it. */
  async #tryMap(script: Script, first: BatchCall, record: RecordBatch): Promise<BatchCall> {
    let driver = first;
    const before = this.counts.read;
    for (const batch of this.#reader.read(record, before)) {
      for (const [at, values] of batch.dictionaries) this.#dictionaries.set(at, values);
      const left = new Map<number, Failure>();
      let lost = 0;
      const call = async (records: Batch): Promise<BatchResult | LimitHit> => {
        try {
          return await driver.call(records, left.keys());
        } catch (error) {
          if (!(error instanceof LostPlace) || lost++ === mostLost) throw error;
          driver = await this.#begin(script);
          return call({ ...batch, dictionaries: this.#dictionaries });
        }
      };
      let given = await call(batch);
      while (given.kind === 'limit') {
        left.set(given.failure.row, given.failure);
        this.#check(before + record.rows, left.size, given.failure);
        driver = await this.#begin(script);
        given = await call({ ...batch, dictionaries: this.#dictionaries });
      }
      const failures = [...left.values(), ...given.failures].sort((a, b) => a.row - b.row);
      await this.#fail(failures, record, before);
      this.#writer.append(given.rows, given.columns, given.rejoin);
      this.counts.written += given.rows;
      this.counts.skipped += given.skipped;
    }
    this.counts.read += record.rows;
    return driver;
  }

  async #fail(failures: readonly Failure[], record: RecordBatch, before: number): Promise<void> {
    if (failures.length === 0) return;
    this.#check(before + record.rows, failures.length, failures[0]!);
    this.counts.failed += failures.length;
    if (this.#onErrors === undefined) return;
    const lines = (await this.#stacks.find(failures)).map((failure) =>
      lineOf(this.#name, failure, this.#reader.jsonOf(record, failure.row - before)),
    );
    this.#onErrors(`${lines.join('\n')}\n`);
  }

  /** A share is one of the records up to the end of the batch. */
  #check(records: number, further: number, first: Failure): void {
    const { maxErrors } = this.#plan.settings;
    if (this.counts.failed + further <= mostErrors(maxErrors, records)) return;
    throw new TooManyFailures(this.#name, maxErrors, first);
  }
}
