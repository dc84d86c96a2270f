// Files that are compressed. DuckDB takes one that was cut off for one that ends there, so they are read through here.

import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as Zlib from 'node:zlib';
import { MapError } from '../errors.ts';

/** Loaded when it is wanted: few runs do, and it takes as long as to open DuckDB. */
export function compression(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}

const kinds: readonly (readonly [ending: string, name: string, open: () => Transform])[] = [
  ['.gz', 'gzip', () => compression().createGunzip()],
  ['.zst', 'zstd', () => compression().createZstdDecompress()],
];

/** What takes the file apart; null for a file that is not compressed. */
export function decompressorOf(path: string): Transform | null {
  return kindOf(path)?.[2]() ?? null;
}

/** Throws MapError for a file that is cut off or damaged, and the reason of the signal. */
export async function checkCompressed(path: string, signal?: AbortSignal): Promise<void> {
  const kind = kindOf(path);
  if (kind === null) return;
  const [, name, open] = kind;
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(path), open(), nothing, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z')) throw new MapError(`${path}: ${message}`, { cause: error });
    const what = code === 'Z_BUF_ERROR' ? 'its end is missing' : 'it is damaged, or it is something else';
    throw new MapError(`${path}: ${what} (${name}: ${message})`, { cause: error });
  }
}

/** Its name; null for a file that is not compressed. */
export function compressionOf(path: string): string | null {
  return kindOf(path)?.[1] ?? null;
}

function kindOf(path: string): (typeof kinds)[number] | null {
  return kinds.find(([ending]) => path.toLowerCase().endsWith(ending)) ?? null;
}
