// Record batches of Arrow as the batches that the driver takes: up to 8,192 rows each, numbers copied or widened.

import { MapError } from '../errors.ts';
import { isText } from '../driver/slots.ts';
import { batchRows } from '../plan/plan.ts';
import type { InputColumn } from '../plan/plan.ts';
import { mostTextBytes } from '../read/batches.ts';
import type { Batch, BatchColumn } from '../read/batch.ts';
import { isWhole } from './checks.ts';
import type { NamedKind } from './kinds.ts';
import { none, numbersOf, validOf } from './numbers.ts';
import { TextReader } from './texts.ts';
import { jsonOf } from './values.ts';
import type { Column } from './values.ts';

/** A record batch: its columns as the schema has them. */
export interface RecordBatch {
  readonly rows: number;
  readonly columns: readonly Column[];
  /** Of all columns, as they lie in memory. */
  readonly bytes: readonly number[];
}

interface Source {
  readonly input: InputColumn;
  readonly at: number;
  readonly kind: NamedKind['kind'];
  /** Null for numbers. */
  readonly texts: TextReader | null;
}

export class BatchReader {
  readonly #kinds: readonly NamedKind[];
  readonly #sources: readonly Source[];
  readonly #areWhole = new WeakMap<RecordBatch, readonly boolean[]>();

  constructor(kinds: readonly NamedKind[], inputs: readonly InputColumn[]) {
    this.#kinds = kinds;
    this.#sources = inputs.map((input) => {
      const at = kinds.findIndex(({ name }) => name === input.column);
      const { kind } = kinds[at]!;
      return { input, at, kind, texts: isText(input) ? new TextReader(kind, input.carrier === 'json') : null };
    });
  }

  /**
   * `first` is the row of the stream that the record batch begins with; `start` and `end` are those of its rows that
   * are read, if not all are. Throws MapError for one that is damaged.
   */
  *read(record: RecordBatch, first: number, start = 0, end = record.rows): Generator<Batch> {
    for (const { at, kind, input } of this.#sources)
      if (!isWhole(kind, record.columns[at], record.rows))
        throw new MapError(`the values of ${input.column} do not lie where it says`);
    const most = this.#rowsOf(record);
    for (let from = start; from < end; from += most) {
      const rows = Math.min(most, end - from);
      const dictionaries = new Map<number, readonly (string | null)[]>();
      const columns = this.#sources.map((source, index): BatchColumn => {
        const column = record.columns[source.at]!;
        if (source.texts === null) {
          const { numbers, misfits } = numbersOf(source.kind, source.input.carrier, column, from, rows);
          return { numbers, misfits, valid: validOf(source.kind, column, from, rows), text: '', marked: false };
        }
        const { dictionary, ...texts } = readTexts(source, source.texts, column, from, rows);
        if (dictionary !== null) dictionaries.set(index, dictionary);
        return { ...texts, valid: none, misfits: none };
      });
      yield { from: first + from, rows, columns, dictionaries };
    }
  }

  /** Batches of long texts have fewer rows. */
  #rowsOf({ rows, bytes }: RecordBatch): number {
    const texts = this.#sources.filter((source) => source.texts !== null && source.kind.kind !== 'dictionary');
    const longest = Math.max(1, ...texts.map(({ at }) => bytes[at]! / rows));
    return Math.max(64, Math.min(batchRows, 2 ** Math.floor(Math.log2(mostTextBytes / longest))));
  }

  /** A record with all its columns, as JSON; those that are damaged, which the script does not read, are null. */
  jsonOf(record: RecordBatch, row: number): string {
    const { columns, rows } = record;
    const areWhole = this.#areWhole.get(record) ?? this.#kinds.map(({ kind }, at) => isWhole(kind, columns[at], rows));
    this.#areWhole.set(record, areWhole);
    const fields = this.#kinds.map(
      ({ name, kind }, at) =>
        `${JSON.stringify(name)}:${areWhole[at] === true ? jsonOf(kind, columns[at]!, row) : 'null'}`,
    );
    return `{${fields.join(',')}}`;
  }
}

function readTexts({ input }: Source, texts: TextReader, column: Column, from: number, rows: number) {
  try {
    return texts.read(column, from, rows);
  } catch (error) {
    if (error instanceof RangeError)
      throw new MapError(`the column ${input.column}: ${error.message}`, { cause: error });
    throw error;
  }
}
