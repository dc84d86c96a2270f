// Columns of numbers of a batch, from DuckDB's vectors: copied where several chunks are one batch, and otherwise as
// they lie in its memory.

import type { Chunk, ColumnType } from '../duckdb/vectors.ts';
import { isText } from '../driver/slots.ts';
import type { InputColumn } from '../plan/plan.ts';
import type { BatchColumn } from './batch.ts';

const none = new BigInt64Array(0);

interface Source {
  readonly input: number;
  readonly part: 'numbers' | 'misfits';
  readonly isDouble: boolean;
}

/** What columns of numbers of a batch are, and its rows. */
export interface NumberBatch {
  readonly rows: number;
  readonly columns: readonly BatchColumn[];
}

/** Reads the columns that are numbers, and positions in dictionaries, from chunks. */
export class NumberReader {
  /** What a query gives for it, of types that `types` has. */
  readonly sql: string;
  readonly types: readonly ColumnType[];
  readonly #sources: readonly Source[];
  readonly #inputs: readonly InputColumn[];
  readonly #most: number;

  /** `coded`: SQL of positions in a dictionary, by input; `fitting`: inputs whose flags need not be read. */
  constructor(
    inputs: readonly InputColumn[],
    coded: ReadonlyMap<number, string>,
    fitting: ReadonlySet<number>,
    most: number,
  ) {
    const parts: string[] = [];
    const sources: Source[] = [];
    for (const [input, { sql, misfitSql, carrier }] of inputs.entries()) {
      const value =
        coded.get(input) ?? (isText(inputs[input]!) ? null : carrier === 'double' ? sql : `CAST(${sql} AS BIGINT)`);
      if (value !== null) {
        parts.push(value);
        sources.push({ input, part: 'numbers', isDouble: carrier === 'double' });
      }
      if (misfitSql === null || fitting.has(input)) continue;
      parts.push(`CAST(${misfitSql} AS BIGINT)`);
      sources.push({ input, part: 'misfits', isDouble: false });
    }
    this.sql = parts.length === 0 ? 'true' : parts.join(', ');
    this.types = parts.length === 0 ? ['BOOLEAN'] : sources.map(({ isDouble }) => (isDouble ? 'DOUBLE' : 'BIGINT'));
    this.#sources = sources;
    this.#inputs = inputs;
    this.#most = most;
  }

  /** A chunk as a batch, in the memory of the chunk. */
  ofChunk(chunk: Chunk): NumberBatch {
    return this.#batchOf(chunk.rows, (at) => {
      const bytes = chunk.bytes(at, 8);
      const bits = chunk.valid(at);
      return {
        values: this.#sources[at]!.isDouble ? viewOf(Float64Array, bytes) : viewOf(BigInt64Array, bytes),
        valid: bits === null ? none : viewOf(BigInt64Array, bits),
      };
    });
  }

  /** Collects chunks, which may have any number of rows, into batches. */
  async *read(chunks: AsyncIterable<Chunk>): AsyncGenerator<NumberBatch> {
    // Arrays are used again: new ones for each batch would keep the garbage collector busy.
    const targets = this.#sources.map(({ isDouble }) => new Target(isDouble, this.#most));
    let rows = 0;
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.rows;) {
        const count = Math.min(chunk.rows - from, this.#most - rows);
        for (const [at, target] of targets.entries()) target.copy(chunk, at, from, rows, count);
        rows += count;
        from += count;
        if (rows < this.#most) continue;
        yield this.#batchOf(rows, (at) => targets[at]!.first(rows));
        for (const target of targets) target.clear();
        rows = 0;
      }
    }
    if (rows > 0) yield this.#batchOf(rows, (at) => targets[at]!.first(rows));
  }

  #batchOf(rows: number, filled: (at: number) => Filled): NumberBatch {
    const columns: BatchColumn[] = this.#inputs.map(() => ({
      numbers: none,
      valid: none,
      misfits: none,
      text: '',
      marked: false,
    }));
    for (const [at, { input, part }] of this.#sources.entries()) {
      const { values, valid } = filled(at);
      columns[input] =
        part === 'numbers'
          ? { ...columns[input]!, numbers: values, valid }
          : { ...columns[input]!, misfits: hasBits(values) ? (values as BigInt64Array) : none };
    }
    return { rows, columns };
  }
}

/** Values of a column, and a bit for each that is no null; none where there are no nulls. */
interface Filled {
  readonly values: Float64Array | BigInt64Array;
  readonly valid: BigInt64Array;
}

/** Whether one of them is another than 0. */
function hasBits({ buffer, byteOffset, byteLength }: Filled['values']): boolean {
  return new Int32Array(buffer, byteOffset, byteLength / 4).some((half) => half !== 0);
}

/** Bytes of DuckDB as the numbers that they are: as a copy where they lie askew. */
function viewOf<Values>(
  View: new (buffer: ArrayBufferLike, byteOffset: number, length: number) => Values,
  bytes: Uint8Array,
): Values {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return new View(buffer, byteOffset, byteLength / 8);
}

/** A column of a batch that is being filled. */
class Target {
  readonly #values: Float64Array | BigInt64Array;
  readonly #bytes: Uint8Array;
  /** Null as long as all rows have a value. */
  #valid: Uint8Array | null = null;

  constructor(isDouble: boolean, rows: number) {
    this.#values = isDouble ? new Float64Array(rows) : new BigInt64Array(rows);
    this.#bytes = new Uint8Array(this.#values.buffer);
  }

  clear(): void {
    this.#valid = null;
  }

  /** The first rows. */
  first(rows: number): Filled {
    return {
      values: rows === this.#values.length ? this.#values : this.#values.subarray(0, rows),
      valid: this.#valid === null ? none : new BigInt64Array(this.#valid.buffer).subarray(0, Math.ceil(rows / 64)),
    };
  }

  copy(chunk: Chunk, column: number, from: number, to: number, count: number): void {
    const bytes = chunk.bytes(column, 8);
    this.#bytes.set(count === chunk.rows ? bytes : bytes.subarray(from * 8, (from + count) * 8), to * 8);
    const valid = chunk.valid(column);
    if (valid === null) return;
    this.#valid ??= new Uint8Array(this.#values.length / 8).fill(255);
    for (let row = 0; row < count; row++) {
      const source = from + row;
      const target = to + row;
      if (((valid[source >> 3]! >> (source & 7)) & 1) === 0) this.#valid[target >> 3]! &= ~(1 << (target & 7));
    }
  }
}
