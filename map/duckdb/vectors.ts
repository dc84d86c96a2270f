// Vectors of DuckDB as they lie in its memory: read from chunks of a result, and filled.

import duckdb from '@duckdb/node-bindings';
import type { DataChunk, Vector } from '@duckdb/node-bindings';

/** Rows of a chunk, at most. */
export const chunkRows = 2048;

/** Types of columns that are appended. */
export type ColumnType = 'DOUBLE' | 'BIGINT' | 'BOOLEAN' | 'VARCHAR';

const widths = { DOUBLE: 8, BIGINT: 8, BOOLEAN: 1 } as const;

/** Rows of a result. Its memory is DuckDB's: what is wanted of it is copied before `release`. */
export class Chunk {
  readonly rows: number;
  readonly columns: number;
  /** Vectors do not hold it: without anybody who does, its memory would be freed under them. */
  readonly #chunk: DataChunk;
  readonly #vectors: Vector[] = [];
  /** Columns of texts, as far as they lie in their rows. */
  readonly #texts: { readonly bytes: Uint8Array; readonly valid: Uint8Array | null }[] = [];
  /** Buffers over its memory. */
  readonly #lent: ArrayBuffer[] = [];

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
    return this.#lend(duckdb.vector_get_data(this.#vector(column), this.rows * width));
  }

  /** A bit for each row that has a value; null if all have one. */
  valid(column: number): Uint8Array | null {
    const bits = duckdb.vector_get_validity(this.#vector(column), Math.ceil(this.rows / 64) * 8) as Uint8Array | null;
    return bits === null || bits.length === 0 ? null : this.#lend(bits);
  }

  #lend(bytes: Uint8Array): Uint8Array {
    this.#lent.push(bytes.buffer as ArrayBuffer);
    return bytes;
  }

  /**
   * Takes back all that was handed out, which is empty from then on. For the garbage collector such buffers are dear:
   * to leave four for each chunk to it takes longer than to read what is in them.
   */
  release(): void {
    for (const buffer of this.#lent) takeBack(buffer);
    this.#lent.length = 0;
    this.#texts.length = 0;
  }

  /** A text of a column of VARCHAR: up to 12 bytes lie in the row, longer ones elsewhere. */
  text(column: number, row: number): string | null {
    const { bytes, valid } = (this.#texts[column] ??= this.#textsOf(column));
    if (valid !== null && ((valid[row >> 3]! >> (row & 7)) & 1) === 0) return null;
    const at = row * 16;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
    if (length <= 12) return textOf(bytes.subarray(at + 4, at + 4 + length));
    const found = duckdb.get_data_from_pointer(bytes.buffer as ArrayBuffer, bytes.byteOffset + at + 8, length);
    try {
      return textOf(found);
    } finally {
      takeBack(found.buffer as ArrayBuffer);
    }
  }

  #textsOf(column: number): { readonly bytes: Uint8Array; readonly valid: Uint8Array | null } {
    // Memory of another layout would be taken for addresses.
    const type = duckdb.get_type_id(duckdb.vector_get_column_type(this.#vector(column)));
    if (type !== duckdb.Type.VARCHAR) throw new TypeError(`column ${column} is no text`);
    return { bytes: this.bytes(column, 16), valid: this.valid(column) };
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Ends a buffer over memory of DuckDB; that itself stays as it is. */
function takeBack(buffer: ArrayBuffer): void {
  buffer.transfer(0);
}

/** Numbers of one column that are put into vectors. */
export interface NumberColumn {
  readonly values: Float64Array | BigInt64Array | Uint8Array;
  /** 1 for each null; empty if there is none. */
  readonly nulls: BigInt64Array;
}

/** Fills the first rows of a vector with `count` values of a column, from one on. */
export function fillVector(
  vector: Vector,
  { values, nulls }: NumberColumn,
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
