// Whether a file is UTF-8 in all its columns: DuckDB takes no look at those that nobody wants.

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { decompressorOf } from './compressed.ts';

const pieceBytes = 2 ** 20;

/** Rejects with the reason of the signal. What is damaged in another way counts as UTF-8: others say that. */
export async function isUtf8File(path: string, signal?: AbortSignal): Promise<boolean> {
  let begun: Buffer = Buffer.alloc(0);
  let isFine = true;
  const check = new Writable({
    write(piece: Buffer, _encoding, done) {
      const bytes = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
      const end = endOfCharacters(bytes);
      isFine &&= isUtf8(bytes.subarray(0, end));
      begun = Buffer.from(bytes.subarray(end));
      done();
    },
  });
  const file = createReadStream(path, { highWaterMark: pieceBytes });
  const decompressor = decompressorOf(path);
  const options = signal === undefined ? {} : { signal };
  try {
    await (decompressor === null ? pipeline(file, check, options) : pipeline(file, decompressor, check, options));
  } catch {
    signal?.throwIfAborted();
    return true;
  }
  return isFine && begun.length === 0;
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
