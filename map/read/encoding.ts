// Whether a file is UTF-8 in all its columns: DuckDB takes no look at those that nobody wants.

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { decompressorOf } from './compressed.ts';

const pieceBytes = 2 ** 20;

/** Rejects with the reason of the signal. What is damaged in another way counts as UTF-8: others say that. */
export async function isUtf8File(path: string, signal?: AbortSignal): Promise<boolean> {
  const check = new Check();
  const decompressor = decompressorOf(path);
  try {
    if (decompressor === null) await check.all(piecesOf(path), signal);
    else
      await pipeline(createReadStream(path), decompressor, async (pieces: AsyncIterable<Buffer>) =>
        check.all(pieces, signal),
      );
  } catch {
    signal?.throwIfAborted();
    return true;
  }
  return check.isFine;
}

/** A file in one piece of memory, again and again: with new ones, collecting garbage takes longer than looking. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const piece = Buffer.alloc(pieceBytes);
    for (;;) {
      const { bytesRead } = await file.read(piece);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

class Check {
  /** Of a character that the last piece ended in. */
  #begun: Buffer = Buffer.alloc(0);
  #isFine = true;

  async all(pieces: AsyncIterable<Buffer>, signal: AbortSignal | undefined): Promise<void> {
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      const bytes = this.#begun.length === 0 ? piece : Buffer.concat([this.#begun, piece]);
      const end = endOfCharacters(bytes);
      this.#isFine &&= isUtf8(bytes.subarray(0, end));
      this.#begun = Buffer.from(bytes.subarray(end));
    }
  }

  get isFine(): boolean {
    return this.#isFine && this.#begun.length === 0;
  }
}

/** Where the last character begins if it is cut off, and otherwise the end. */
function endOfCharacters(bytes: Uint8Array): number {
  let first = bytes.length - 1;
  while (first >= 0 && first > bytes.length - 4 && (bytes[first]! & 0xc0) === 0x80) first--;
  if (first < 0) return bytes.length;
  const lead = bytes[first]!;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return first + length > bytes.length ? first : bytes.length;
}
