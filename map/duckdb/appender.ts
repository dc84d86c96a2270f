// Appends columns to a table.

import duckdb from '@duckdb/node-bindings';
import type { Connection, DataChunk } from '@duckdb/node-bindings';
import { chunkRows, fillVector } from './vectors.ts';
import type { ColumnType, NumberColumn } from './vectors.ts';

/** Values of one column that are appended; texts one by one. */
export type AppendedColumn = NumberColumn | { readonly texts: readonly string[] };

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
        else fillVector(vector, column, this.#types[at]!, from, count);
      }
      duckdb.data_chunk_set_size(chunk, count);
      duckdb.append_data_chunk(this.#appender, chunk);
    }
  }

  close(): void {
    duckdb.appender_close_sync(this.#appender);
  }
}
