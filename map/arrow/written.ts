// What a driver gives, as record batches of Arrow, in the bytes of a stream.

import type * as Arrow from 'apache-arrow';
import { isWrittenAsText, separator } from '../driver/slots.ts';
import { MapError } from '../errors.ts';
import { intTypeOf } from '../plan/int-types.ts';
import type { OutputColumn } from '../plan/plan.ts';
import { joinedOf } from '../write/writer.ts';
import type { WrittenColumn } from '../write/writer.ts';
import { groupValues, isOfTexts } from './group-values.ts';
import type { GroupField } from './group-values.ts';

/** Offsets of texts are ints of 32 bits. */
const mostTextBytes = 2 ** 31 - 1;

export class RecordWriter {
  readonly #arrow: typeof Arrow;
  readonly #outputs: readonly OutputColumn[];
  readonly #groups: readonly GroupField[];
  readonly #schema: Arrow.Schema;
  /** The bytes of a stream without batches, but for its end. */
  readonly head: Uint8Array;
  readonly end: Uint8Array;
  #columns: readonly Gathered[];
  #rows = 0;

  /** The first of `outputs` are those of the groups, as texts. */
  constructor(arrow: typeof Arrow, outputs: readonly OutputColumn[], groups: readonly GroupField[] = []) {
    this.#arrow = arrow;
    this.#outputs = outputs;
    this.#groups = groups;
    const { Bool, DateDay, Field, Float64, Int64, Schema, TimestampMicrosecond, Utf8 } = arrow;
    const types = {
      double: new Float64(),
      int: new Int64(),
      boolean: new Bool(),
      string: new Utf8(),
      json: new Utf8(),
    };
    const intTypes = {
      DATE: new DateDay(),
      TIMESTAMP: new TimestampMicrosecond(),
      TIMESTAMPTZ: new TimestampMicrosecond('UTC'),
    };
    const typeOf = (output: OutputColumn): Arrow.DataType => {
      const intType = intTypeOf(output);
      return intType === null ? types[output.carrier] : intTypes[intType.name];
    };
    this.#schema = new Schema(
      outputs.map((output, at) => groups[at]?.field ?? new Field(output.name, typeOf(output), true)),
    );
    this.#columns = this.#gathered();
    const empty = this.#bytesOf(null);
    this.head = empty.subarray(0, -endBytes);
    this.end = empty.subarray(-endBytes);
  }

  append(rows: number, columns: readonly WrittenColumn[], rejoin: (column: number, separator: string) => string): void {
    if (rows === 0) return;
    for (const [at, gathered] of this.#columns.entries()) gathered.append(rows, columns[at]!, rejoin, at);
    this.#rows += rows;
  }

  /** The batch of all that was appended, which may be none. */
  finish(): Uint8Array {
    const { makeData, RecordBatch, Struct } = this.#arrow;
    const length = this.#rows;
    const children = this.#columns.map((gathered, at) =>
      makeData({ type: this.#schema.fields[at]!.type as Arrow.Utf8, length, ...gathered.finish(length) } as never),
    );
    const batch = new RecordBatch(
      this.#schema,
      makeData({ type: new Struct(this.#schema.fields), length, nullCount: 0, children }),
    );
    this.#columns = this.#gathered();
    this.#rows = 0;
    return this.#bytesOf(batch).subarray(this.head.length, -endBytes);
  }

  #gathered(): readonly Gathered[] {
    return this.#outputs.map((output, at) => {
      const group = this.#groups[at];
      if (group !== undefined && !isOfTexts(group.kind)) return new GatheredGroups(output, group);
      return isWrittenAsText(output.carrier) ? new GatheredTexts(output) : new GatheredNumbers(output);
    });
  }

  /** A writer for each, since one keeps a note of each batch, and a stream may go on for ever. */
  #bytesOf(batch: Arrow.RecordBatch | null): Uint8Array {
    const writer = new this.#arrow.RecordBatchStreamWriter();
    writer.reset(undefined, this.#schema);
    if (batch !== null) writer.write(batch);
    writer.finish();
    return writer.toUint8Array(true);
  }
}

/** The mark of the end of a stream. */
const endBytes = 8;

/** The parts of Arrow's data that a column is made from. */
interface Parts {
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array | null;
  readonly data: Float64Array | BigInt64Array | Int32Array | Uint8Array;
  readonly valueOffsets?: Int32Array;
}

interface Gathered {
  append(rows: number, column: WrittenColumn, rejoin: (column: number, separator: string) => string, at: number): void;
  finish(rows: number): Parts;
}

/** Nulls of all that was appended. */
class Nulls {
  readonly #parts: { readonly from: number; readonly nulls: BigInt64Array; readonly rows: number }[] = [];
  #rows = 0;

  append(rows: number, nulls: BigInt64Array): void {
    if (nulls.length > 0) this.#parts.push({ from: this.#rows, nulls, rows });
    this.#rows += rows;
  }

  finish(): Pick<Parts, 'nullCount' | 'nullBitmap'> {
    let nullCount = 0;
    const bitmap = new Uint8Array(Math.ceil(this.#rows / 8)).fill(255);
    for (const { from, nulls, rows } of this.#parts)
      for (let row = 0; row < rows; row++) {
        if (nulls[row] === 0n) continue;
        bitmap[(from + row) >> 3]! &= ~(1 << ((from + row) & 7));
        nullCount++;
      }
    return { nullCount, nullBitmap: nullCount === 0 ? null : bitmap };
  }
}

class GatheredNumbers implements Gathered {
  readonly #carrier: OutputColumn['carrier'];
  readonly #isOfDays: boolean;
  readonly #nulls = new Nulls();
  readonly #parts: (Float64Array | BigInt64Array)[] = [];

  constructor(output: OutputColumn) {
    this.#carrier = output.carrier;
    this.#isOfDays = intTypeOf(output)?.name === 'DATE';
  }

  append(rows: number, { numbers, nulls }: WrittenColumn): void {
    this.#parts.push(numbers.subarray(0, rows));
    this.#nulls.append(rows, nulls);
  }

  finish(rows: number): Parts {
    const data = this.#carrier === 'boolean' ? this.#bits(rows) : this.#joined(rows);
    // Where there is no value, any number may stand.
    const isCut = this.#isOfDays && data instanceof BigInt64Array;
    return {
      ...this.#nulls.finish(),
      data: isCut ? Int32Array.from(data, (day) => Number(BigInt.asIntN(32, day))) : data,
    };
  }

  #joined(rows: number): Float64Array | BigInt64Array {
    const data = this.#carrier === 'double' ? new Float64Array(rows) : new BigInt64Array(rows);
    let from = 0;
    for (const part of this.#parts) {
      data.set(part as never, from);
      from += part.length;
    }
    return data;
  }

  #bits(rows: number): Uint8Array {
    const bits = new Uint8Array(Math.ceil(rows / 8));
    let row = 0;
    for (const part of this.#parts)
      for (let at = 0; at < part.length; at++, row++) if (part[at] !== 0n) bits[row >> 3]! |= 1 << (row & 7);
    return bits;
  }
}

class GatheredTexts implements Gathered {
  readonly #name: string;
  readonly #nulls = new Nulls();
  readonly #parts: { readonly bytes: Uint8Array; readonly ends: Int32Array }[] = [];

  constructor({ name }: OutputColumn) {
    this.#name = name;
  }

  append(
    rows: number,
    { text, nulls }: WrittenColumn,
    rejoin: (column: number, separator: string) => string,
    at: number,
  ): void {
    const [joined, between] = joinedOf(this.#name, at, rows, text, rejoin);
    this.#parts.push(between === separator ? cutAtZeros(joined, rows) : cut(joined.split(between)));
    this.#nulls.append(rows, nulls);
  }

  finish(rows: number): Parts {
    const length = this.#parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (length > mostTextBytes)
      throw new MapError(
        `the column ${this.#name} has ${length} bytes of text in one batch, which may have ${mostTextBytes}`,
      );
    const data = new Uint8Array(length);
    const valueOffsets = new Int32Array(rows + 1);
    let [row, from] = [0, 0];
    for (const { bytes, ends } of this.#parts) {
      data.set(bytes, from);
      for (const end of ends) valueOffsets[++row] = from + end;
      from += bytes.length;
    }
    return { ...this.#nulls.finish(), data, valueOffsets };
  }
}

/** Values of groups, which come as texts. */
class GatheredGroups implements Gathered {
  readonly #name: string;
  readonly #group: GroupField;
  readonly #nulls = new Nulls();
  #texts: (string | null)[] = [];

  constructor({ name }: OutputColumn, group: GroupField) {
    this.#name = name;
    this.#group = group;
  }

  append(
    rows: number,
    { text, nulls }: WrittenColumn,
    rejoin: (column: number, separator: string) => string,
    at: number,
  ): void {
    const [joined, between] = joinedOf(this.#name, at, rows, text, rejoin);
    const texts = joined.split(between);
    this.#texts = this.#texts.concat(
      nulls.length === 0 ? texts : texts.map((one, row) => (nulls[row] === 0n ? one : null)),
    );
    this.#nulls.append(rows, nulls);
  }

  finish(): Parts {
    return { ...this.#nulls.finish(), data: groupValues(this.#group, this.#texts) };
  }
}

/** In place: the bytes of the texts move together. */
function cutAtZeros(joined: string, rows: number): { readonly bytes: Uint8Array; readonly ends: Int32Array } {
  const bytes = Buffer.from(joined, 'utf8');
  const ends = new Int32Array(rows);
  let [row, to] = [0, 0];
  for (const byte of bytes)
    if (byte === 0) ends[row++] = to;
    else bytes[to++] = byte;
  ends[row] = to;
  return { bytes: bytes.subarray(0, to), ends };
}

function cut(texts: readonly string[]): { readonly bytes: Uint8Array; readonly ends: Int32Array } {
  const parts = texts.map((text) => Buffer.from(text, 'utf8'));
  let end = 0;
  return { bytes: Buffer.concat(parts), ends: Int32Array.from(parts, ({ length }) => (end += length)) };
}
