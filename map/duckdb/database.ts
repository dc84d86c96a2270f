// DuckDB as it is used here: one connection, one query at a time. No other folder knows its library.

import { resolve, sep } from 'node:path';
import duckdb from '@duckdb/node-bindings';
import type { Connection, Database as Handle } from '@duckdb/node-bindings';
import { MapError, noSpace } from '../errors.ts';
import { Appender } from './appender.ts';
import { defineFunction } from './functions.ts';
import type { FunctionTypes, GivenRows } from './functions.ts';
import { Chunk } from './vectors.ts';
import type { ColumnType } from './vectors.ts';

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

interface CalledFunction {
  readonly name: string;
  /** Null while no statement runs that calls it. */
  work: ((chunk: Chunk) => GivenRows) | null;
}

export class Database {
  readonly #handle: Handle;
  readonly #connection: Connection;
  readonly #functions = new Map<string, CalledFunction>();

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

  /** Chunks as they are made, each until the next one is asked for; a further query ends those of an earlier one. */
  async *stream(sql: string): AsyncGenerator<Chunk> {
    const told = (error: unknown): never => {
      throw new DatabaseError(error);
    };
    const statement = await duckdb.prepare(this.#connection, sql).catch(told);
    const result = await duckdb.execute_prepared_streaming(statement).catch(told);
    for (;;) {
      const fetched = await duckdb.fetch_chunk(result).catch(told);
      if (fetched === null || duckdb.data_chunk_get_size(fetched) === 0) break;
      const chunk = new Chunk(fetched);
      try {
        yield chunk;
      } finally {
        chunk.release();
      }
    }
    // A stream that fails on its way ends as one that is through, and its result has no type from then on.
    if (duckdb.result_return_type(result) === duckdb.ResultType.INVALID) throw await this.#faultOf(sql);
  }

  /** What is wrong with a query that failed without a word: it is run once more, to be told. */
  async #faultOf(sql: string): Promise<DatabaseError> {
    try {
      await this.run(`SELECT bit_xor(hash(whole)) FROM (${sql}) AS whole`);
    } catch (error) {
      return error as DatabaseError;
    }
    return new DatabaseError('it could not be read to its end');
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

  /** Runs a statement that calls a function, as `defineFunction` makes it. Rejects with what `work` throws. */
  async runWith(types: FunctionTypes, work: (chunk: Chunk) => GivenRows, sql: (name: string) => string): Promise<void> {
    const called = this.#functionOf(types);
    let thrown: { readonly error: unknown } | null = null;
    called.work = (chunk) => {
      try {
        return work(chunk);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    try {
      await this.run(sql(called.name));
    } catch (error) {
      throw thrown === null ? error : (thrown as { readonly error: unknown }).error;
    } finally {
      called.work = null;
    }
  }

  /** Functions are never taken back, so that those of the same types are one. */
  #functionOf(types: FunctionTypes): CalledFunction {
    const key = JSON.stringify(types);
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const made: CalledFunction = { name: `function${this.#functions.size}`, work: null };
    defineFunction(this.#connection, made.name, types, (chunk) => made.work!(chunk));
    this.#functions.set(key, made);
    return made;
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

/** What is said of a CSV whose lines DuckDB takes apart no further: it does not say where. */
export const unclearLines = 'its lines end in different ways, or a quote stands in the wrong place';

/** Sentences for what is common; `$1` and so on are parts of what DuckDB says. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/No magic bytes|too small to be a Parquet file/, 'it is no Parquet file, or its end is missing'],
  [
    /TProtocolException|Invalid thrift|don't know what type/,
    'it is damaged: what says where its columns lie cannot be read',
  ],
  [/Object \{.* has duplicate key "(.*)"/s, 'a record has the key $1 twice'],
  [
    /Out of Memory Error: .*\/([\d.]+ \w+) used\)/,
    'it takes more memory than the $1 that there are: it has too many columns, or too much in one record',
  ],
  [/state machine reached an invalid state/, unclearLines],
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
