// Record batches as the library reads them, one by one, as plain columns.

import type * as Arrow from 'apache-arrow';
import { MapError } from '../errors.ts';
import { readFrames, StreamBytes } from './frames.ts';
import type { Frame } from './frames.ts';
import { kindsOf } from './kinds.ts';
import type { NamedKind } from './kinds.ts';
import { mostBatchBytes } from './library.ts';
import type { ArrowLibrary } from './library.ts';
import type { RecordBatch } from './reader.ts';
import type { Column } from './values.ts';

export interface Records {
  readonly schema: Arrow.Schema;
  readonly kinds: readonly NamedKind[];
  readonly batches: AsyncGenerator<RecordBatch>;
  /** For whoever reads no batch: reading them to their end, or leaving them, does it as well. */
  readonly close: () => Promise<void>;
}

/**
 * Reads the schema, and the record batches as they are asked for. `earlier` is how many batches stand in front of
 * these. Throws MapError, which names the batch.
 */
export async function readRecords(
  { arrow, allowance }: ArrowLibrary,
  input: AsyncIterable<Uint8Array>,
  source: string,
  earlier = 0,
): Promise<Records> {
  const frames = readFrames(arrow, new StreamBytes(input), source, earlier);
  const reader = await arrow.AsyncRecordBatchStreamReader.from(bytesOf(frames));
  try {
    await reader.open({ autoDestroy: false });
    return {
      schema: reader.schema,
      kinds: kindsOf(arrow, reader.schema),
      batches: batchesOf(reader, frames, allowance, source, earlier),
      close: async () => {
        await frames.return(undefined);
      },
    };
  } catch (error) {
    await frames.return(undefined);
    throw error instanceof MapError
      ? error
      : new MapError(`${source}: its schema cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The library asks for a further piece when it takes the last byte of one, and would hold a batch back until the next
 * arrives: it gets an empty one.
 */
async function* bytesOf(frames: AsyncIterable<Frame>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of frames) {
    yield bytes;
    yield new Uint8Array(0);
  }
}

async function* batchesOf(
  reader: Arrow.AsyncRecordBatchStreamReader,
  frames: AsyncGenerator<Frame>,
  allowance: ArrowLibrary['allowance'],
  source: string,
  earlier: number,
): AsyncGenerator<RecordBatch> {
  const dictionaries = new WeakMap<object, NonNullable<Column['dictionary']>>();
  const plain = ({
    length,
    nullCount,
    nullBitmap,
    values,
    valueOffsets,
    variadicBuffers,
    children,
    dictionary,
  }: Arrow.Data): Column => ({
    length,
    nullCount,
    nullBitmap,
    values: values as Column['values'],
    valueOffsets: valueOffsets as Column['valueOffsets'],
    variadicBuffers,
    children: children.map(plain),
    dictionary: dictionary === undefined ? undefined : entriesOf(dictionary),
  });
  const entriesOf = (vector: Arrow.Vector): NonNullable<Column['dictionary']> => {
    let entries = dictionaries.get(vector);
    if (entries === undefined)
      dictionaries.set(vector, (entries = { data: vector.data.map(plain), length: vector.length }));
    return entries;
  };
  try {
    for (let number = earlier + 1; ; number++) {
      allowance.left = mostBatchBytes;
      try {
        const next = await reader.next();
        if (next.done === true) return;
        const { numRows, data } = next.value;
        const columns = data.children.map(plain);
        yield { rows: numRows, columns, bytes: data.children.map(({ byteLength }) => byteLength) };
      } catch (error) {
        if (error instanceof MapError) throw error;
        throw new MapError(`${source}, batch ${number}: it cannot be read: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
  } finally {
    await frames.return(undefined);
  }
}
