// A filter that maps, batch by batch.

import type { Script, ScriptInstance } from '../../runtime-host/api/node.ts';
import type { ArrowLibrary } from '../arrow/library.ts';
import { BatchReader } from '../arrow/reader.ts';
import type { RecordBatch } from '../arrow/reader.ts';
import { RecordWriter } from '../arrow/written.ts';
import { scriptOf, stageOf, TooManyFailures } from '../local/attempts.ts';
import type { RunStage } from '../local/attempts.ts';
import { BatchCall, LostPlace, mostLost } from '../local/batch-call.ts';
import type { BatchResult, LimitHit } from '../local/batch-call.ts';
import { textInRecord } from '../local/misfits.ts';
import { StackFinder } from '../local/stacks.ts';
import { mostErrors } from '../plan/max-errors.ts';
import type { Stage, Work, WorkPlan } from '../plan/plan.ts';
import type { Batch } from '../read/batch.ts';
import type { Failure } from '../write/failures.ts';
import type { Stream } from './stream.ts';

/** A batch comes out for each that goes in, before the next is read. */
export class BatchFilter {
  readonly #plan: WorkPlan;
  readonly #stage: RunStage<Work>;
  readonly #stream: Stream;
  readonly #reader: BatchReader;
  readonly #writer: RecordWriter;
  readonly #startedAt = Date.now();
  readonly #stacks: StackFinder;
  /** The dictionaries that hold, for an instance that is new. */
  readonly #dictionaries = new Map<number, readonly (string | null)[]>();
  #instance: ScriptInstance | null = null;
  /** The JSON of a record, by its row in the stream, of the batch that is mapped. */
  #jsonOf: (row: number) => string = () => '{}';

  constructor(arrow: ArrowLibrary['arrow'], plan: WorkPlan, stage: Stage<Work>, stream: Stream) {
    this.#plan = plan;
    this.#stage = stageOf(stage);
    this.#stream = stream;
    this.#reader = new BatchReader(stream.records.kinds, stage.work.inputs);
    this.#writer = new RecordWriter(arrow, stage.work.outputs);
    const { scriptModule, settings, allowed } = plan;
    const run = { scriptModule, settings, allowed, startedAt: this.#startedAt };
    this.#stacks = new StackFinder(run, this.#stage, 0, async ({ column }, rows) =>
      rows.map((row) => textInRecord(this.#jsonOf(row), column)),
    );
  }

  async *output(): AsyncGenerator<Uint8Array, void, undefined> {
    const { records } = this.#stream;
    try {
      const { settings, allowed } = this.#plan;
      const script = await scriptOf({ settings, allowed, startedAt: this.#startedAt }, this.#stage, 0);
      let driver = await this.#begin(script);
      yield this.#writer.head;
      let number = 0;
      for await (const record of records.batches) {
        number++;
        try {
          driver = await this.#map(script, driver, record);
          yield this.#writer.finish();
        } catch (error) {
          throw this.#stream.faultIn(number, error);
        }
      }
      yield this.#writer.end;
    } finally {
      this.#instance?.close();
      await records.close();
    }
  }

  async #begin(script: Script): Promise<BatchCall> {
    this.#instance?.close();
    this.#instance = script.instance();
    const { work, values } = this.#stage;
    const driver = new BatchCall(this.#instance, work, this.#stream.name);
    await driver.begin(values);
    return driver;
  }

  /** The batch ends the stream where it has too many records that fail. */
  async #map(script: Script, first: BatchCall, record: RecordBatch): Promise<BatchCall> {
    return this.#stacks.during(async () => this.#tryMap(script, first, record));
  }

  /** The instance ends with a record that hits a limit: the batch begins again in another one, without it. */
  async #tryMap(script: Script, first: BatchCall, record: RecordBatch): Promise<BatchCall> {
    let driver = first;
    const { counts } = this.#stream;
    const before = counts.read;
    this.#jsonOf = (row) => this.#reader.jsonOf(record, row - before);
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
      await this.#fail(failures, before + record.rows);
      this.#writer.append(given.rows, given.columns, given.rejoin);
      counts.written += given.rows;
      counts.skipped += given.skipped;
    }
    counts.read += record.rows;
    return driver;
  }

  async #fail(failures: readonly Failure[], records: number): Promise<void> {
    if (failures.length === 0) return;
    this.#check(records, failures.length, failures[0]!);
    this.#stream.tellFailed(await this.#stacks.find(failures), this.#jsonOf);
  }

  /** A share is one of the records up to the end of the batch. */
  #check(records: number, further: number, first: Failure): void {
    const { name, counts } = this.#stream;
    const { maxErrors } = this.#plan.settings;
    if (counts.failed + further <= mostErrors(maxErrors, records)) return;
    throw new TooManyFailures(name, maxErrors, first);
  }
}
