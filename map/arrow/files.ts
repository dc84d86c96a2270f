// Files of Arrow: where their record batches lie, and the rows of some of them as a stream. A file is a stream between
// two marks, with places of its batches behind it; those are not needed, since the messages are walked through.

import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { MapError } from '../errors.ts';
import type { Partition } from '../plan/plan.ts';
import { arrowEnding } from '../read/find-files.ts';
import { readFrames } from './frames.ts';
import type { ByteSource } from './frames.ts';
import type { ArrowLibrary } from './library.ts';
import { readRecords } from './records.ts';
import type { Records } from './records.ts';

/** Bytes of a file, of which one may be the last but for the end. */
interface Range {
  readonly at: number;
  readonly bytes: number;
}

/** A record batch as it lies in its file. */
export interface PlacedBatch extends Range {
  readonly rows: number;
}

/** Where the messages of a file lie, each kind in order. */
export interface ArrowIndex {
  readonly schema: Range;
  readonly dictionaries: readonly Range[];
  readonly batches: readonly PlacedBatch[];
}

const fileEnd = 'ARROW1';
const firstVersion = 'FEA1';

/** By the name that people know: links may lead to any other, and what was staged or mapped is Parquet. */
export function isOfArrow({ source }: Pick<Partition, 'source'>): boolean {
  return arrowEnding.test(source);
}

/** Reads no columns. Throws MapError for a file that is none, or cut off. */
export async function indexOf({ arrow }: ArrowLibrary, path: string): Promise<ArrowIndex> {
  const file = await open(path);
  try {
    const bytes = new FileBytes(file, (await file.stat()).size);
    const head = Buffer.from(await bytes.take(8)).toString('latin1');
    if (head.startsWith(firstVersion))
      throw new MapError(`${path}: it is Feather of version 1, which is not Arrow: write version 2`);
    bytes.position = 0;
    let schema: Range | null = null;
    const dictionaries: Range[] = [];
    const batches: PlacedBatch[] = [];
    const isMarked = head.startsWith(fileEnd);
    let at = isMarked ? 8 : 0;
    for await (const { type, rows } of readFrames(arrow, bytes, path)) {
      const range = { at, bytes: bytes.position - at };
      at = bytes.position;
      if (type === 'schema') schema = range;
      else if (type === 'dictionary') dictionaries.push(range);
      else batches.push({ ...range, rows });
    }
    bytes.position = Math.max(0, bytes.size - fileEnd.length);
    const end = Buffer.from(await bytes.take(fileEnd.length)).toString('latin1');
    if (isMarked && end !== fileEnd) throw new MapError(`${path}: its end is missing: the file is cut off`);
    return { schema: schema!, dictionaries, batches };
  } finally {
    await file.close();
  }
}

/** The schema, and the record batches from one up to, not including, another. Throws MapError. */
export async function readFileRecords(
  library: ArrowLibrary,
  path: string,
  { schema, dictionaries, batches }: ArrowIndex,
  from: number,
  to: number,
): Promise<Records> {
  const wanted = batches.slice(from, to);
  const last = wanted.at(-1)?.at ?? 0;
  const ranges = [schema, ...dictionaries.filter(({ at }) => at < last), ...wanted].sort((a, b) => a.at - b.at);
  return readRecords(library, bytesOf(path, ranges), path, from);
}

async function* bytesOf(path: string, ranges: readonly Range[]): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (const { at, bytes } of ranges) {
      const buffer = new Uint8Array(bytes);
      const { bytesRead } = await file.read(buffer, 0, bytes, at);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Passes over columns. */
class FileBytes implements ByteSource {
  readonly what = 'file';
  readonly size: number;
  readonly #file: FileHandle;
  position = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  async take(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.min(count, this.size - this.position));
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, this.position);
    this.position += bytesRead;
    return bytes.subarray(0, bytesRead);
  }

  putBack(bytes: Uint8Array): void {
    this.position -= bytes.length;
  }

  async body(count: number): Promise<Uint8Array | null> {
    if (this.position + count > this.size) return null;
    this.position += count;
    return new Uint8Array(0);
  }

  /** Whoever has opened the file closes it. */
  async close(): Promise<void> {}
}
