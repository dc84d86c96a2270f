// Messages in a stream of bytes: each message follows its length.

import { WireError } from './wire.ts';

const headerBytes = 4;

/** The header of a message of so many bytes. Throws RangeError if the length does not fit. */
export function frameHeader(length: number): Uint8Array {
  if (length >= 2 ** 32) throw new RangeError('a message of more than 4 GiB');
  const header = new Uint8Array(headerBytes);
  new DataView(header.buffer).setUint32(0, length, true);
  return header;
}

/** Reassembles messages from chunks. */
export class FrameReader {
  readonly #mostBytes: number;
  readonly #take: (message: Uint8Array) => void;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** Messages of more than `mostBytes` are refused before they are stored. */
  constructor(mostBytes: number, take: (message: Uint8Array) => void) {
    this.#mostBytes = mostBytes;
    this.#take = take;
  }

  /** Throws WireError. */
  push(chunk: Uint8Array): void {
    if (this.#length === 0) this.#chunks.length = 0;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (;;) {
      if (this.#length < headerBytes) return;
      const header = this.#gather(headerBytes);
      const length = new DataView(header.buffer, header.byteOffset).getUint32(0, true);
      if (length > this.#mostBytes) throw new WireError('a message is too long', true);
      if (this.#length < headerBytes + length) return;
      const rest = this.#gather(headerBytes + length);
      this.#chunks[0] = rest.subarray(headerBytes + length);
      this.#length -= headerBytes + length;
      this.#take(rest.subarray(headerBytes, headerBytes + length));
    }
  }

  /** Joins chunks until the first has at least so many bytes. */
  #gather(bytes: number): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= bytes) return first;
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks.splice(0, this.#chunks.length, all);
    return all;
  }
}
