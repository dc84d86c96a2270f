// Functions of SQL that are JavaScript: DuckDB calls them with its chunks from the thread of the query, and waits until
// the thread that defined them has answered.

import duckdb from '@duckdb/node-bindings';
import type { Connection, Vector } from '@duckdb/node-bindings';
import { Chunk, chunkRows, fillVector } from './vectors.ts';
import type { ColumnType, NumberColumn } from './vectors.ts';

/** What a function makes of the rows of a chunk: up to as many rows. */
export interface GivenRows {
  readonly rows: number;
  readonly columns: readonly NumberColumn[];
}

/** A function takes values of some types, and gives a struct. */
export interface FunctionTypes {
  readonly takes: readonly ColumnType[];
  /** Those of the fields `c0`, `c1` and so on; the last one, `has`, says whether there is a row. */
  readonly gives: readonly ColumnType[];
}

/** Makes a function that is called once for each row, in their order. A query ends with what `work` throws. */
export function defineFunction(
  connection: Connection,
  name: string,
  { takes, gives }: FunctionTypes,
  work: (chunk: Chunk) => GivenRows,
): void {
  const made = duckdb.create_scalar_function();
  duckdb.scalar_function_set_name(made, name);
  const typeOf = (type: ColumnType): ReturnType<typeof duckdb.create_logical_type> =>
    duckdb.create_logical_type(duckdb.Type[type]);
  for (const type of takes) duckdb.scalar_function_add_parameter(made, typeOf(type));
  const fields = [...gives.map((_, at) => `c${at}`), 'has'];
  duckdb.scalar_function_set_return_type(
    made,
    duckdb.create_struct_type([...gives, 'BOOLEAN' as const].map(typeOf), fields),
  );
  duckdb.scalar_function_set_volatile(made);
  // Nulls are the function's own matter.
  duckdb.scalar_function_set_special_handling(made);
  duckdb.scalar_function_set_function(made, (_, given, result) => {
    const chunk = new Chunk(given);
    try {
      fill(result, gives, chunk.rows, work(chunk));
    } finally {
      chunk.release();
    }
  });
  duckdb.register_scalar_function(connection, made);
}

/** Flags of up to as many rows as a chunk has, each true, and behind them as many that are false. */
const flags = new Uint8Array(2 * chunkRows).fill(1, 0, chunkRows);

/** Fills a vector of structs for a chunk of so many rows. */
function fill(vector: Vector, gives: readonly ColumnType[], most: number, { rows, columns }: GivenRows): void {
  // The vectors have room for no more.
  if (rows > most) throw new RangeError(`${rows} rows for ${most}`);
  if (rows > 0)
    for (const [at, column] of columns.entries())
      fillVector(duckdb.struct_vector_get_child(vector, at), column, gives[at]!, 0, rows);
  const has = duckdb.struct_vector_get_child(vector, gives.length);
  duckdb.copy_data_to_vector(has, 0, flags.buffer, chunkRows - rows, most);
}
