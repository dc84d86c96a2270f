// Arrow's library, which whoever maps files does without, and what takes compressed columns apart. No other file loads
// them.

import type * as Arrow from 'apache-arrow';
import type * as Lz4 from 'lz4js';
import { MapError } from '../errors.ts';
import { compression } from '../read/compressed.ts';

/** A record batch may have so many bytes, and so many once its columns are taken apart. */
export const mostBatchBytes = 2 ** 31 - 1;

export interface ArrowLibrary {
  readonly arrow: typeof Arrow;
  /** Bytes that the columns of a compressed batch may still become. */
  readonly allowance: { left: number };
}

/** Throws MapError where it is not installed. */
export async function loadArrow(): Promise<ArrowLibrary> {
  const arrow = await import('apache-arrow').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw notInstalled('Arrow is read with a package', 'apache-arrow@21.2.0');
  });
  const lz4 = await import('lz4js').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return null;
  });
  const allowance = { left: mostBatchBytes };
  const unpacking = (unpack: (bytes: Uint8Array) => Uint8Array) => ({
    decode: (bytes: Uint8Array): Uint8Array => {
      const unpacked = unpack(bytes);
      allowance.left -= unpacked.length;
      return inOwnMemory(unpacked);
    },
  });
  const { compressionRegistry, CompressionType } = arrow;
  compressionRegistry.set(
    CompressionType.ZSTD,
    unpacking((bytes) => compression().zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, allowance.left) })),
  );
  compressionRegistry.set(
    CompressionType.LZ4_FRAME,
    unpacking((bytes) => unpackLz4(lz4, bytes, allowance.left)),
  );
  return { arrow, allowance };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
}

function notInstalled(what: string, name: string): MapError {
  return new MapError(`${what} that is not installed: npm install ${name}`);
}

function unpackLz4(lz4: typeof Lz4 | null, bytes: Uint8Array, most: number): Uint8Array {
  if (lz4 === null)
    throw notInstalled('the columns are compressed by LZ4, which is read with a package', 'lz4js@0.2.0');
  // An upper bound: the last of its blocks, of up to 4 MiB, may be smaller.
  if (lz4.decompressBound(bytes) > most + 2 ** 22) throw new RangeError('its columns are too large');
  return lz4.decompress(bytes);
}

/** Views of wider numbers want bytes that begin at a multiple of eight. */
function inOwnMemory(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 && !Buffer.isBuffer(bytes) ? bytes : new Uint8Array(bytes);
}
