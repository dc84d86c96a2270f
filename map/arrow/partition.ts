// The rows of a partition from a file of Arrow: the batches that the driver takes, the groups of their rows, and whole
// records.

import { MapError } from '../errors.ts';
import { mostGroups } from '../plan/plan.ts';
import type { GroupColumn, InputColumn, Partition } from '../plan/plan.ts';
import type { Batch } from '../read/batch.ts';
import { tooManyGroups } from '../read/groups.ts';
import type { GroupKey } from '../read/groups.ts';
import { indexOf, readFileRecords } from './files.ts';
import type { ArrowIndex } from './files.ts';
import { keyReader } from './keys.ts';
import type { NamedKind } from './kinds.ts';
import { loadArrow } from './library.ts';
import { BatchReader } from './reader.ts';
import type { RecordBatch } from './reader.ts';

/** A record batch of a file, and the rows of it that are of a partition. */
interface Part {
  readonly record: RecordBatch;
  /** The row of the file that it begins with. */
  readonly first: number;
  readonly start: number;
  readonly end: number;
}

/** The batches of the partition in order, and with each the number of its record batch. Throws MapError. */
export async function* readArrowBatches(
  inputs: readonly InputColumn[],
  partition: Partition,
  onBatch: (kinds: readonly NamedKind[], record: RecordBatch, batch: Batch, first: number) => void = () => {},
): AsyncGenerator<Batch> {
  let reader: BatchReader | null = null;
  for await (const { kinds, part, number } of readParts(partition)) {
    reader ??= new BatchReader(kinds, inputs);
    const { record, first, start, end } = part;
    try {
      for (const batch of reader.read(record, first, start, end)) {
        onBatch(kinds, record, batch, first);
        yield batch;
      }
    } catch (error) {
      if (!(error instanceof MapError) || error.message.startsWith(partition.source)) throw error;
      throw new MapError(`${partition.source}, batch ${number}: ${error.message}`, { cause: error });
    }
  }
}

/** Records as JSON, of rows of the file in order. Throws MapError. */
export async function* readArrowRecords(partition: Partition, rows: readonly number[]): AsyncGenerator<string> {
  let next = 0;
  for await (const { kinds, part } of readParts(partition)) {
    const reader = new BatchReader(kinds, []);
    for (; next < rows.length && rows[next]! < part.first + part.end; next++)
      yield reader.jsonOf(part.record, rows[next]! - part.first);
  }
}

async function* readParts({ file, from, to }: Partition): AsyncGenerator<{
  readonly kinds: readonly NamedKind[];
  readonly part: Part;
  readonly number: number;
}> {
  const library = await loadArrow();
  const index = await indexOf(library, file);
  const starts = startsOf(index);
  const firstBatch = index.batches.findIndex(({ rows }, at) => starts[at]! + rows > from);
  if (firstBatch < 0 || to <= from) return;
  const end = starts.findIndex((start) => start >= to);
  const lastBatch = end < 0 ? index.batches.length : end;
  const { kinds, batches } = await readFileRecords(library, file, index, firstBatch, lastBatch);
  let number = firstBatch;
  for await (const record of batches) {
    const first = starts[number]!;
    const part = { record, first, start: Math.max(0, from - first), end: Math.min(record.rows, to - first) };
    number++;
    if (part.end > part.start) yield { kinds, part, number };
  }
}

function startsOf({ batches }: ArrowIndex): readonly number[] {
  let rows = 0;
  return batches.map((batch) => {
    const start = rows;
    rows += batch.rows;
    return start;
  });
}

/** Numbers groups in the order in which they appear. */
export class ArrowGroups {
  readonly #by: readonly GroupColumn[];
  readonly #numbers = new Map<string, number>();
  #new: GroupKey[] = [];
  #read: ((row: number) => GroupKey) | null = null;
  #kinds: readonly NamedKind[] | null = null;
  #record: RecordBatch | null = null;

  constructor(by: readonly GroupColumn[]) {
    this.#by = by;
  }

  /** The groups of rows of a record batch. Throws MapError where there are too many. */
  numbersOf(kinds: readonly NamedKind[], record: RecordBatch, from: number, rows: number): BigInt64Array {
    if (this.#record !== record || this.#kinds !== kinds || this.#read === null) {
      this.#read = keyReader(kinds, record, this.#by);
      this.#record = record;
      this.#kinds = kinds;
    }
    const numbers = new BigInt64Array(rows);
    for (let row = 0; row < rows; row++) {
      const key = this.#read(from + row);
      const text = JSON.stringify(key);
      let number = this.#numbers.get(text);
      if (number === undefined) {
        number = this.#numbers.size;
        if (number >= mostGroups) throw tooManyGroups(this.#by);
        this.#numbers.set(text, number);
        this.#new.push(key);
      }
      numbers[row] = BigInt(number);
    }
    return numbers;
  }

  /** Groups that have appeared since this was asked last. */
  takeNew(): readonly GroupKey[] {
    const found = this.#new;
    this.#new = [];
    return found;
  }
}
