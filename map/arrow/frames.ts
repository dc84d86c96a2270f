// A stream of Arrow, cut into its messages. The library takes a stream that ends too early for a shorter one; here each
// message is complete before it is read, and what is wrong is said of the batch that it is wrong in.

import type * as Arrow from 'apache-arrow';
import { MapError } from '../errors.ts';
import { mostBatchBytes } from './library.ts';

/** Larger schemas are none. */
const mostMetadataBytes = 2 ** 28;
const fileMark = 'ARROW1\0\0';

export interface Frame {
  readonly bytes: Uint8Array;
  readonly type: 'schema' | 'dictionary' | 'batch';
  /** Of a record batch. */
  readonly rows: number;
}

/** What messages are cut from. */
export interface ByteSource {
  readonly what: 'stream' | 'file';
  /** Fewer at the end. */
  take(count: number): Promise<Uint8Array>;
  putBack(bytes: Uint8Array): void;
  /** The columns behind a message; null where they end too early. */
  body(count: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/**
 * Messages as they arrive, the schema first. A file has the same form behind its mark, so that files do as well, but
 * for those of Arrow for JavaScript, whose schema is at the end alone. Throws MapError.
 */
export async function* readFrames(
  { Message }: typeof Arrow,
  bytes: ByteSource,
  source: string,
  firstBatch = 0,
): AsyncGenerator<Frame> {
  const { what: whole } = bytes;
  const noArrow = `${source}: it is no Arrow ${whole}`;
  try {
    const head = await bytes.take(8);
    if (head.length === 0) throw new MapError(`${source}: there is no Arrow ${whole}, it is empty`);
    const isFile = Buffer.from(head).toString('latin1') === fileMark;
    if (!isFile) bytes.putBack(head);
    let batches = firstBatch;
    let hasSchema = false;
    const fail = (what: string): MapError =>
      new MapError(`${source}${hasSchema ? `, batch ${batches + 1}` : ''}: ${what}`);
    const endsEarly = (): MapError =>
      fail(hasSchema ? `the ${whole} ends within it` : `the ${whole} ends within its schema`);
    for (;;) {
      const length = await readLength(bytes, endsEarly);
      if (length === 0) {
        if (!hasSchema) throw new MapError(noArrow);
        return;
      }
      if (length < 0 || length > mostMetadataBytes)
        throw hasSchema ? fail('it does not begin as one') : new MapError(noArrow);
      const metadata = await bytes.take(length);
      if (metadata.length < length)
        throw hasSchema || isFile || looksLikeStream(head) ? endsEarly() : new MapError(noArrow);
      let bodyLength: number;
      let type: Frame['type'] | null;
      let rows = 0;
      try {
        const message = Message.decode(metadata);
        ({ bodyLength } = message);
        type = message.isSchema()
          ? 'schema'
          : message.isDictionaryBatch()
            ? 'dictionary'
            : message.isRecordBatch()
              ? 'batch'
              : null;
        if (message.isRecordBatch()) rows = message.header().length;
      } catch (error) {
        throw hasSchema ? fail('it is damaged') : new MapError(noArrow, { cause: error });
      }
      if (type === null || (type === 'schema') === hasSchema) {
        if (hasSchema) throw fail('it is neither a record batch nor a dictionary');
        throw isFile && type !== null
          ? fail('it is a file of Arrow with its schema at the end: write a stream')
          : new MapError(noArrow);
      }
      if (!(Number.isSafeInteger(rows) && rows >= 0)) throw fail('it is damaged');
      if (!(bodyLength >= 0 && bodyLength <= mostBatchBytes))
        throw fail(`it says that it has ${bodyLength} bytes; a batch may have ${mostBatchBytes}`);
      const body = await bytes.body(bodyLength);
      if (body === null) throw endsEarly();
      hasSchema = true;
      yield { bytes: framed(metadata, body), type, rows };
      if (type === 'batch') batches++;
    }
  } finally {
    await bytes.close();
  }
}

/** The length of the metadata; 0 at the end of the stream. Until 0.15, Arrow wrote it without a mark in front. */
async function readLength(bytes: ByteSource, endsEarly: () => MapError): Promise<number> {
  for (let word = 0; word < 2; word++) {
    const length = await bytes.take(4);
    // Streams may end without saying so.
    if (length.length === 0 && word === 0) return 0;
    if (length.length < 4) throw endsEarly();
    const value = new DataView(length.buffer, length.byteOffset).getInt32(0, true);
    if (value !== -1) return value;
  }
  return -1;
}

function looksLikeStream(head: Uint8Array): boolean {
  return head.length >= 4 && head.subarray(0, 4).every((byte) => byte === 255);
}

/** Both begin at a multiple of eight bytes, which columns of numbers want. */
function framed(metadata: Uint8Array, body: Uint8Array): Uint8Array {
  const start = Math.ceil((8 + metadata.length) / 8) * 8;
  const bytes = new Uint8Array(start + body.length);
  const head = new DataView(bytes.buffer);
  head.setInt32(0, -1, true);
  head.setInt32(4, start - 8, true);
  bytes.set(metadata, 8);
  bytes.set(body, start);
  return bytes;
}

/** Takes so many bytes as are asked for, whatever pieces they arrive in. */
export class StreamBytes implements ByteSource {
  readonly what = 'stream';
  readonly #input: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#input = input[Symbol.asyncIterator]();
  }

  /** Fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    if (this.#rest.length >= count) return this.#cut(count);
    const pieces = [this.#rest];
    let length = this.#rest.length;
    while (length < count) {
      const next = await this.#input.next();
      if (next.done === true) break;
      pieces.push(next.value);
      length += next.value.length;
    }
    this.#rest = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    return this.#cut(Math.min(count, this.#rest.length));
  }

  async body(count: number): Promise<Uint8Array | null> {
    const bytes = await this.take(count);
    return bytes.length < count ? null : bytes;
  }

  putBack(bytes: Uint8Array): void {
    this.#rest = Buffer.concat([bytes, this.#rest]);
  }

  /** Whoever writes the stream need not go on. */
  async close(): Promise<void> {
    await this.#input.return?.();
  }

  #cut(count: number): Uint8Array {
    const bytes = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return bytes;
  }
}
