// The line of an NDJSON file that is no JSON: DuckDB counts lines otherwise where several are read at once.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** What is wrong with the first line that is no JSON object; null if all are. */
export async function findFaultyLine(path: string): Promise<string | null> {
  const file = createReadStream(path);
  const name = path.toLowerCase();
  const input = name.endsWith('.gz')
    ? file.pipe(createGunzip())
    : name.endsWith('.zst')
      ? file.pipe(createZstdDecompress())
      : file;
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number += 1;
      if (line.trim() === '') continue;
      try {
        const value: unknown = JSON.parse(line);
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          return `line ${number}: it is JSON, but no object`;
      } catch (error) {
        return `line ${number}: it is no JSON: ${(error as Error).message}`;
      }
    }
  } catch {
    // DuckDB says what is wrong with what is compressed.
    return null;
  } finally {
    file.destroy();
  }
  return null;
}
