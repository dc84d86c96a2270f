// What a partition gives, on its way to a file: numbers in one table, and in another the texts of each batch as one
// text, which DuckDB takes apart again while it writes.

import { fileToWrite, identifier } from '../duckdb/database.ts';
import type { Appender } from '../duckdb/appender.ts';
import type { Database } from '../duckdb/database.ts';
import type { ColumnType, NumberColumn } from '../duckdb/vectors.ts';
import { isWrittenAsText, separator } from '../driver/slots.ts';
import { MapError } from '../errors.ts';
import { intTypeOf } from '../plan/int-types.ts';
import type { Carrier, Format, OutputColumn } from '../plan/plan.ts';

/** One column of what a batch gave: texts are joined. */
export interface WrittenColumn {
  readonly numbers: Float64Array | BigInt64Array;
  readonly text: string;
  /** 1 for each null; empty if there is none. */
  readonly nulls: BigInt64Array;
}

const types: Readonly<Record<string, ColumnType>> = { double: 'DOUBLE', int: 'BIGINT', boolean: 'BOOLEAN' };

const copyOptions: Readonly<Record<Format, string>> = {
  parquet: 'FORMAT parquet',
  csv: 'FORMAT csv, HEADER true',
  ndjson: 'FORMAT json',
};

/** Characters that may stand between texts. */
const separators = [
  separator,
  ...Array.from({ length: 200 }, (_, at) => String.fromCharCode(at < 30 ? at + 1 : 0xe000 + at)),
];

/** A file that is written. */
export interface FileTarget {
  readonly path: string;
  readonly format: Format;
}

export class PartitionWriter {
  readonly #database: Database;
  readonly #outputs: readonly OutputColumn[];
  readonly #numbers: Appender;
  readonly #texts: Appender | null;
  #isOpen = true;

  private constructor(database: Database, outputs: readonly OutputColumn[], numbers: Appender, texts: Appender | null) {
    this.#database = database;
    this.#outputs = outputs;
    this.#numbers = numbers;
    this.#texts = texts;
  }

  static async open(database: Database, outputs: readonly OutputColumn[]): Promise<PartitionWriter> {
    const flat = outputs.map(typeOf);
    await database.run(`CREATE OR REPLACE TEMP TABLE numbers (${flat.map((type, at) => `c${at} ${type}`).join(', ')})`);
    const joined = outputs.flatMap(({ carrier }, at) => (isWrittenAsText(carrier) ? [at] : []));
    if (joined.length > 0)
      await database.run(
        `CREATE OR REPLACE TEMP TABLE texts (${joined.map((at) => `t${at} VARCHAR, s${at} VARCHAR`).join(', ')})`,
      );
    return new PartitionWriter(
      database,
      outputs,
      database.appender('numbers', flat),
      joined.length === 0
        ? null
        : database.appender(
            'texts',
            joined.flatMap(() => ['VARCHAR', 'VARCHAR'] as const),
          ),
    );
  }

  /** `rejoin` gives the texts of a column with another separator, for when one of them has the usual one in it. */
  append(rows: number, columns: readonly WrittenColumn[], rejoin: (column: number, separator: string) => string): void {
    if (rows === 0) return;
    this.#numbers.append(
      rows,
      this.#outputs.map(({ carrier }, at) => {
        const { nulls } = columns[at]!;
        if (isWrittenAsText(carrier)) return { values: flagsOf(nulls, rows), nulls: noNulls };
        return numbersOf(carrier, columns[at]!, rows);
      }),
    );
    if (this.#texts === null) return;
    const row = this.#outputs.flatMap(({ carrier, name }, at) =>
      isWrittenAsText(carrier) ? joinedOf(name, at, rows, columns[at]!.text, rejoin) : [],
    );
    this.#texts.append(
      1,
      row.map((text) => ({ texts: [text] })),
    );
  }

  /** Writes the files, which have the same rows, and forgets all that was appended. */
  async write(targets: readonly FileTarget[]): Promise<void> {
    this.close();
    const list = this.#outputs.map((output, at) => {
      const { carrier, name, written } = output;
      const quoted = identifier(name);
      if (!isWrittenAsText(carrier)) return `${writtenSql(output, `c${at}`)} AS ${quoted}`;
      const value = `CASE WHEN c${at} THEN NULL ELSE t${at} END`;
      const type = carrier === 'json' ? 'JSON' : (written ?? 'VARCHAR');
      return `${type === 'VARCHAR' ? value : `CAST(${value} AS ${type})`} AS ${quoted}`;
    });
    const joined = this.#outputs.flatMap(({ carrier }, at) => (isWrittenAsText(carrier) ? [at] : []));
    const texts = joined.map((at) => `unnest(string_split(t${at}, s${at})) AS t${at}`).join(', ');
    const from = joined.length === 0 ? 'numbers' : `numbers POSITIONAL JOIN (SELECT ${texts} FROM texts)`;
    for (const target of targets) await this.#database.run(copySql(`SELECT ${list.join(', ')} FROM ${from}`, target));
    await this.#database.run('DROP TABLE numbers; DROP TABLE IF EXISTS texts');
  }

  /** Forgets what was appended: an appender that is left open adds its rows to the next table of that name. */
  discard(): void {
    try {
      this.close();
    } catch {
      // Nobody wants what it could not keep.
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#numbers.close();
    this.#texts?.close();
  }
}

const noNulls = new BigInt64Array(0);

/** Writes the rows of a query. */
export function copySql(query: string, { path, format }: FileTarget): string {
  return `COPY (${query}) TO ${fileToWrite(path)} (${copyOptions[format]})`;
}

/** The type of a column in DuckDB; of one of texts, that of its flags for nulls. */
export function typeOf({ carrier }: OutputColumn): ColumnType {
  return types[carrier] ?? 'BOOLEAN';
}

/** What such a column is written as; `sql` is what it was taken as. */
export function writtenSql(output: OutputColumn, sql: string): string {
  return intTypeOf(output)?.sql(sql) ?? sql;
}

/** A column that is no text, as DuckDB takes it. */
export function numbersOf(carrier: Carrier, { numbers, nulls }: WrittenColumn, rows: number): NumberColumn {
  return { values: carrier === 'boolean' ? flagsOf(numbers as BigInt64Array, rows) : numbers, nulls };
}

/** Ints of 0 and 1 as bytes. */
function flagsOf(flags: BigInt64Array, rows: number): Uint8Array {
  const bytes = new Uint8Array(rows);
  if (flags.length === 0) return bytes;
  const halves = new Int32Array(flags.buffer, flags.byteOffset, rows * 2);
  for (let row = 0; row < rows; row++) bytes[row] = halves[row * 2]!;
  return bytes;
}

/** The text of a column, and a separator that none of its values has in it. */
export function joinedOf(
  name: string,
  at: number,
  rows: number,
  text: string,
  rejoin: (column: number, separator: string) => string,
): [string, string] {
  if (countOf(text, separator) === rows - 1) return [text, separator];
  for (const other of separators) {
    const joined = rejoin(at, other);
    if (countOf(joined, other) === rows - 1) return [joined, other];
  }
  throw new MapError(`${name}: its texts have every character that could stand between them`);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count++;
  return count;
}
