// Streams of Arrow for tests: made from values by Arrow's own library, mapped, and read again.

import * as Arrow from 'apache-arrow';
import { mapArrow } from 'sluice-map';
import type { ArrowCounts, ArrowOptions } from 'sluice-map';
import type { MapFolder } from './harness.ts';

export interface Mapped {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows of each batch. */
  readonly batches: readonly number[];
  readonly types: Readonly<Record<string, string>>;
  readonly errors: readonly Readonly<Record<string, unknown>>[];
  readonly counts: ArrowCounts;
}

/** A record batch for each group of columns; all have the types of the first. */
export function streamOf(...batches: readonly Readonly<Record<string, Arrow.Vector>>[]): Uint8Array {
  const writer = new Arrow.RecordBatchStreamWriter();
  for (const columns of batches) for (const batch of new Arrow.Table(columns).batches) writer.write(batch);
  writer.finish();
  return writer.toUint8Array(true);
}

/** The bytes of the schema, which a stream begins with. */
export function headOf(stream: Uint8Array): number {
  return 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true);
}

/** In pieces of any size. */
export async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** The whole stream that comes out. */
export async function bytesOf(output: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of output) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Not quite JSON, but what DuckDB writes and reads. */
export const withoutNan = (line: string): string => line.replaceAll(/:(NaN|-?Infinity)/g, ':null');

let scripts = 0;

export async function mapStream(
  folder: MapFolder,
  script: string,
  input: Uint8Array | AsyncIterable<Uint8Array>,
  options: Partial<ArrowOptions> = {},
): Promise<Mapped> {
  const errors: Record<string, unknown>[] = [];
  const filter = await mapArrow(input instanceof Uint8Array ? inPieces(input) : input, {
    script: folder.write(`arrow-${scripts++}.slu`, script),
    onErrors: (lines) =>
      errors.push(
        ...lines
          .trim()
          .split('\n')
          .map((line) => JSON.parse(withoutNan(line)) as Record<string, unknown>),
      ),
    ...options,
  });
  const table = Arrow.tableFromIPC(await bytesOf(filter.output));
  return {
    rows: table.toArray().map((row: { toJSON(): Record<string, unknown> }) => row.toJSON()),
    batches: table.batches.map(({ numRows }) => numRows),
    types: Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)])),
    errors,
    counts: filter.counts,
  };
}
