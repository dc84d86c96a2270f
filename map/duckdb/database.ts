// DuckDB as it is used here: one connection, one query at a time, vectors as they lie in its memory. No other file
// knows its library.

import { resolve, sep } from 'node:path';
import duckdb from '@duckdb/node-bindings';
import type { Connection, Database as Handle, DataChunk, Vector } from '@duckdb/node-bindings';
import { MapError, noSpace } from '../errors.ts';

export interface DatabaseOptions {
  readonly threads: number;
  readonly memoryBytes: number;
  /** Where it puts what does not fit into memory. */
  readonly temporary: string;
  /** What its statements can reach, besides `temporary`. */
  readonly reach: Reach | 'everything';
}

/** Files that can be read, and folders below which all can be read and written. */
export interface Reach {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Rows of a chunk, at most. */
export const chunkRows = 2048;

/** Types of columns that are appended. */
export type ColumnType = 'DOUBLE' | 'BIGINT' | 'BOOLEAN' | 'VARCHAR';

const widths = { DOUBLE: 8, BIGINT: 8, BOOLEAN: 1 } as const;

export class Database {
  readonly #handle: Handle;
  readonly #connection: Connection;

  private constructor(handle: Handle, connection: Connection) {
    this.#handle = handle;
    this.#connection = connection;
  }

  /** In memory; nothing of it is ever loaded from elsewhere. What is set here cannot be changed by a statement. */
  static async open({ threads, memoryBytes, temporary, reach }: DatabaseOptions): Promise<Database> {
    const config = duckdb.create_config();
    for (const [name, value] of [
      ['threads', String(threads)],
      ['memory_limit', `${Math.ceil(memoryBytes / 2 ** 20)}MiB`],
      ['temp_directory', temporary],
      ['autoinstall_known_extensions', 'false'],
      ['autoload_known_extensions', 'false'],
    ] as const)
      duckdb.set_config(config, name, value);
    const handle = await duckdb.open(':memory:', config);
    const database = new Database(handle, await duckdb.connect(handle));
    // Times with a zone become text the same way on every machine.
    await database.run(`SET TimeZone = 'UTC'`).catch(() => {});
    if (reach !== 'everything')
      await database.run(
        `SET allowed_paths = ${list(reach.files)}; SET allowed_directories = ${list(reach.folders)}; ` +
          'SET enable_external_access = false',
      );
    await database.run('SET lock_configuration = true');
    return database;
  }

  /** Runs a statement whose rows nobody reads. */
  async run(sql: string): Promise<void> {
    try {
      await duckdb.query(this.#connection, sql);
    } catch (error) {
      throw new DatabaseError(error);
    }
  }

  /** Chunks as they are made; a further query ends those of an earlier one. */
  async *stream(sql: string): AsyncGenerator<Chunk> {
    const told = (error: unknown): never => {
      throw new DatabaseError(error);
    };
    const statement = await duckdb.prepare(this.#connection, sql).catch(told);
    const result = await duckdb.execute_prepared_streaming(statement).catch(told);
    for (;;) {
      const chunk = await duckdb.fetch_chunk(result).catch(told);
      if (chunk === null || duckdb.data_chunk_get_size(chunk) === 0) return;
      yield new Chunk(chunk);
    }
  }

  /** Rows of texts: whoever wants few rows casts to VARCHAR. */
  async texts(sql: string): Promise<(string | null)[][]> {
    const rows: (string | null)[][] = [];
    for await (const chunk of this.stream(sql))
      for (let row = 0; row < chunk.rows; row++)
        rows.push(Array.from({ length: chunk.columns }, (_, column) => chunk.text(column, row)));
    return rows;
  }

  /** A second one on the same tables. */
  async another(): Promise<Database> {
    return new Database(this.#handle, await duckdb.connect(this.#handle));
  }

  appender(table: string, types: readonly ColumnType[]): Appender {
    return new Appender(this.#connection, table, types);
  }

  /** Ends a query that runs. */
  interrupt(): void {
    duckdb.interrupt(this.#connection);
  }

  disconnect(): void {
    duckdb.disconnect_sync(this.#connection);
  }

  close(): void {
    this.disconnect();
    duckdb.close_sync(this.#handle);
  }
}

/** Rows of a result. Its memory is DuckDB's: it is copied before the next chunk. */
export class Chunk {
  readonly rows: number;
  readonly columns: number;
  /** Vectors do not hold it: without anybody who does, its memory would be freed under them. */
  readonly #chunk: DataChunk;
  readonly #vectors: Vector[] = [];
  readonly #areTexts: boolean[] = [];

  constructor(chunk: DataChunk) {
    this.#chunk = chunk;
    this.rows = duckdb.data_chunk_get_size(chunk);
    this.columns = duckdb.data_chunk_get_column_count(chunk);
  }

  #vector(column: number): Vector {
    return (this.#vectors[column] ??= duckdb.data_chunk_get_vector(this.#chunk, column));
  }

  /** The bytes of a column of numbers. */
  bytes(column: number, width: number): Uint8Array {
    return duckdb.vector_get_data(this.#vector(column), this.rows * width);
  }

  /** A bit for each row that has a value; null if all have one. */
  valid(column: number): Uint8Array | null {
    const bits = duckdb.vector_get_validity(this.#vector(column), Math.ceil(this.rows / 64) * 8) as Uint8Array | null;
    return bits === null || bits.length === 0 ? null : bits;
  }

  /** A text of a column of VARCHAR: up to 12 bytes lie in the row, longer ones elsewhere. */
  text(column: number, row: number): string | null {
    // Memory of another layout would be taken for addresses.
    this.#areTexts[column] ??=
      duckdb.get_type_id(duckdb.vector_get_column_type(this.#vector(column))) === duckdb.Type.VARCHAR;
    if (!this.#areTexts[column]) throw new TypeError(`column ${column} is no text`);
    const valid = this.valid(column);
    if (valid !== null && ((valid[row >> 3]! >> (row & 7)) & 1) === 0) return null;
    const bytes = duckdb.vector_get_data(this.#vector(column), this.rows * 16);
    const at = row * 16;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
    const found =
      length <= 12
        ? bytes.subarray(at + 4, at + 4 + length)
        : duckdb.get_data_from_pointer(bytes.buffer as ArrayBuffer, bytes.byteOffset + at + 8, length);
    return Buffer.from(found.buffer, found.byteOffset, found.byteLength).toString('utf8');
  }
}

/** Values of one column that are appended; texts one by one. */
export type AppendedColumn =
  | { readonly values: Float64Array | BigInt64Array | Uint8Array; readonly nulls: BigInt64Array }
  | { readonly texts: readonly string[] };

/** Appends columns to a table. */
export class Appender {
  readonly #appender: ReturnType<typeof duckdb.appender_create>;
  readonly #types: readonly ColumnType[];
  /** Filled again and again: what is appended is copied. */
  readonly #chunk: DataChunk;

  constructor(connection: Connection, table: string, types: readonly ColumnType[]) {
    this.#appender = duckdb.appender_create(connection, null, table);
    this.#types = types;
    this.#chunk = duckdb.create_data_chunk(types.map((type) => duckdb.create_logical_type(duckdb.Type[type])));
  }

  append(rows: number, columns: readonly AppendedColumn[]): void {
    for (let from = 0; from < rows; from += chunkRows) {
      const count = Math.min(chunkRows, rows - from);
      const chunk = this.#chunk;
      duckdb.data_chunk_reset(chunk);
      for (const [at, column] of columns.entries()) {
        const vector = duckdb.data_chunk_get_vector(chunk, at);
        if ('texts' in column)
          for (let row = 0; row < count; row++)
            duckdb.vector_assign_string_element(vector, row, column.texts[from + row]!);
        else this.#copy(vector, column, this.#types[at]!, from, count);
      }
      duckdb.data_chunk_set_size(chunk, count);
      duckdb.append_data_chunk(this.#appender, chunk);
    }
  }

  #copy(
    vector: Vector,
    { values, nulls }: Extract<AppendedColumn, { readonly values: unknown }>,
    type: ColumnType,
    from: number,
    count: number,
  ): void {
    const width = widths[type as keyof typeof widths];
    const buffer = values.buffer as ArrayBuffer;
    duckdb.copy_data_to_vector(vector, 0, buffer, values.byteOffset + from * width, count * width);
    if (nulls.length === 0) return;
    const valid = new Uint8Array(Math.ceil(count / 64) * 8).fill(255);
    for (let row = 0; row < count; row++) if (nulls[from + row] !== 0n) valid[row >> 3]! &= ~(1 << (row & 7));
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, valid.buffer, 0, valid.length);
  }

  close(): void {
    duckdb.appender_close_sync(this.#appender);
  }
}

/** A text as a literal of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as SQL has it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A file that is read, and no pattern: brackets and stars in its name stand for themselves. */
export function fileToRead(path: string): string {
  return literal(withoutPatterns(resolve(path)));
}

/** A file that is written, where names are never patterns. */
export function fileToWrite(path: string): string {
  return literal(resolve(path));
}

function withoutPatterns(path: string): string {
  return path.replaceAll(sep === '/' ? /[*?[]/g : /[[]/g, '[$&]');
}

/** Both spellings, since the one in a statement is checked before the files that it stands for. */
function list(paths: readonly string[]): string {
  const spelt = paths.map((path) => resolve(path)).flatMap((path) => [path, withoutPatterns(path)]);
  return `[${[...new Set(spelt)].map(literal).join(', ')}]`;
}

/** What DuckDB says of a statement that failed. */
export class DatabaseError extends Error {
  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Sentences for what is common; `$1` and so on are parts of what DuckDB says. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/No magic bytes|too small to be a Parquet file/, 'it is no Parquet file, or its end is missing'],
  [
    /TProtocolException|Invalid thrift|don't know what type/,
    'it is damaged: what says where its columns lie cannot be read',
  ],
  [/Object \{.* has duplicate key "(.*)"/s, 'a record has the key $1 twice'],
  [/state machine reached an invalid state/, 'its lines end in different ways, or a quote stands in the wrong place'],
];

/** The sentence of an error of DuckDB, without the kinds that it puts in front and the advice behind. */
function sentenceOf(text: string): string {
  const line = /CSV Error on Line: (\d+)/.exec(text)?.[1];
  const reason = /^(?:Value with|Expected Number|Maximum line|Invalid unicode|Error when).*$/m.exec(text)?.[0];
  if (line !== undefined) return `line ${line}: ${reason ?? 'it is no CSV'}`;
  for (const [pattern, sentence] of sentences) {
    const found = pattern.exec(text);
    if (found !== null) return sentence.replace('$1', () => found[1] ?? '');
  }
  return text
    .replace(/^(?:[A-Z]\w*(?: [A-Z]\w*)* Error: )+/, '')
    .replace(/^Failed to read (?:Parquet )?file "[^"]*": /, '')
    .split('\n')[0]!
    .trim();
}

/** As a fault that names the file, or the folder of the output where that is what failed. */
export function faultOf(place: string, error: unknown, output?: string): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { message } = error;
  if (output !== undefined && /No space left|File too large|Disk quota/i.test(message))
    return new MapError(`cannot write to ${output}: ${noSpace}`, { cause: error });
  return new MapError(`${place}: ${sentenceOf(message)}`, { cause: error });
}
