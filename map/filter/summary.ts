// A filter that sums up: one row for each group comes out once the stream has ended. Batches are summed up in pieces,
// each with states of its own that are merged into those of all before: what a step that threw has done to a state
// cannot be undone, so that a piece begins again without the record, and a stream cannot be read twice.

import { groupFieldsOf } from '../arrow/group-values.ts';
import type { ArrowLibrary } from '../arrow/library.ts';
import { ArrowGroups } from '../arrow/partition.ts';
import { BatchReader } from '../arrow/reader.ts';
import type { RecordBatch } from '../arrow/reader.ts';
import { RecordWriter } from '../arrow/written.ts';
import { scriptOf, stageOf } from '../local/attempts.ts';
import type { RunStage } from '../local/attempts.ts';
import { foldRows, summaryColumns } from '../local/fold.ts';
import { GroupStates } from '../local/groups.ts';
import { textInRecord } from '../local/misfits.ts';
import type { GroupedBatch } from '../local/records.ts';
import { pieceRows } from '../plan/plan.ts';
import type { Fold, InputColumn, Stage, WorkPlan } from '../plan/plan.ts';
import type { Stream } from './stream.ts';

/** A piece that has so many bytes of columns is one without `pieceRows`, too. */
const pieceBytes = 64 * 2 ** 20;

/** A batch of the stream. */
interface Read {
  readonly record: RecordBatch;
  /** Of the stream: its first row, and which batch it is, from 1. */
  readonly first: number;
  readonly number: number;
}

export class SummaryFilter {
  readonly #plan: WorkPlan;
  readonly #stage: RunStage<Fold>;
  readonly #stream: Stream;
  readonly #writer: RecordWriter;
  readonly #startedAt = Date.now();

  constructor(arrow: ArrowLibrary['arrow'], plan: WorkPlan, stage: Stage<Fold>, stream: Stream) {
    this.#plan = plan;
    this.#stage = stageOf(stage);
    this.#stream = stream;
    const { schema, kinds } = stream.records;
    const { work } = stage;
    this.#writer = new RecordWriter(arrow, summaryColumns(work), groupFieldsOf(arrow, schema, kinds, work.by));
  }

  async *output(): AsyncGenerator<Uint8Array, void, undefined> {
    const { counts, records } = this.#stream;
    const { settings, allowed } = this.#plan;
    const run = { settings, allowed, startedAt: this.#startedAt };
    let totals: GroupStates | null = null;
    try {
      totals = await GroupStates.begin(await scriptOf(run, this.#stage, 'merge'), this.#stage);
      yield this.#writer.head;
      let at = 0;
      for await (const piece of this.#pieces()) await this.#add(piece, at++, totals);
      for await (const { rows, columns, rejoin } of totals.finish()) {
        this.#writer.append(rows, columns, rejoin);
        counts.written += rows;
        yield this.#writer.finish();
      }
      yield this.#writer.end;
    } finally {
      totals?.close();
      await records.close();
    }
  }

  async *#pieces(): AsyncGenerator<readonly Read[]> {
    let piece: Read[] = [];
    let [first, number, rows, bytes] = [0, 0, 0, 0];
    for await (const record of this.#stream.records.batches) {
      piece.push({ record, first, number: ++number });
      first += record.rows;
      rows += record.rows;
      bytes += record.bytes.reduce((sum, each) => sum + each, 0);
      if (rows < pieceRows && bytes < pieceBytes) continue;
      yield piece;
      piece = [];
      [rows, bytes] = [0, 0];
    }
    if (piece.length > 0) yield piece;
  }

  /** Sums a piece up, and merges its states in. */
  async #add(piece: readonly Read[], at: number, totals: GroupStates): Promise<void> {
    const { name, counts, records } = this.#stream;
    const last = piece.at(-1)!;
    // A share of errors is one of the records up to the end of the piece.
    const run = { ...this.#plan, startedAt: this.#startedAt, records: last.first + last.record.rows };
    const reader = new BatchReader(records.kinds, []);
    const jsonOf = (row: number): string => {
      const { record, first } = piece.findLast((one) => one.first <= row)!;
      return reader.jsonOf(record, row - first);
    };
    const source = {
      source: name,
      at,
      what: 'piece of the stream',
      records: () => this.#recordsOf(piece),
      texts: async ({ column }: InputColumn, rows: readonly number[]) =>
        rows.map((row) => textInRecord(jsonOf(row), column)),
    };
    const { read, skipped, failures, states } = await foldRows(run, this.#stage, source, counts.failed, () => {});
    try {
      for (const groups of states.give()) await totals.take(groups);
    } finally {
      states.close();
    }
    counts.read += read;
    counts.skipped += skipped;
    this.#stream.tellFailed(failures, jsonOf);
  }

  async *#recordsOf(piece: readonly Read[]): AsyncGenerator<GroupedBatch> {
    const { kinds } = this.#stream.records;
    const { inputs, by } = this.#stage.work;
    const reader = new BatchReader(kinds, inputs);
    const keys = new ArrowGroups(by);
    for (const { record, first, number } of piece)
      try {
        for (const batch of reader.read(record, first)) {
          const { from, rows } = batch;
          const groups = by.length === 0 ? noGroups : keys.numbersOf(kinds, record, from - first, rows);
          yield { batch, groups, newGroups: keys.takeNew() };
        }
      } catch (error) {
        throw this.#stream.faultIn(number, error);
      }
  }
}

const noGroups = new BigInt64Array(0);
