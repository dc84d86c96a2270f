// How a CSV is written, from its first line. DuckDB is told, since a guess of its own takes a broken quote for a file
// that has none.

import { closeSync, openSync, readSync } from 'node:fs';
import { gunzipSync, zstdDecompressSync, constants } from 'node:zlib';
import { literal } from '../duckdb/database.ts';

const candidates = [',', ';', '\t', '|'];
const headBytes = 65_536;

/** The options of `read_csv`, as SQL. */
export function csvOptions(path: string): string {
  return `delim = ${literal(delimiterOf(firstLine(path)))}, quote = '"', escape = '"', header = true`;
}

/** The names in the first line. */
export function csvNames(path: string): readonly string[] {
  const line = firstLine(path);
  const delimiter = delimiterOf(line);
  const names = [''];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) names.push('');
    else names[names.length - 1] += character;
  }
  return names;
}

/** What stands most often between the names; a comma where there is one name. */
function delimiterOf(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  return candidates.reduce((best, other) => (bare.split(other).length > bare.split(best).length ? other : best));
}

function firstLine(path: string): string {
  const head = new Uint8Array(headBytes);
  const file = openSync(path, 'r');
  let count: number;
  try {
    count = readSync(file, head);
  } finally {
    closeSync(file);
  }
  const bytes = head.subarray(0, count);
  return new TextDecoder().decode(inflated(path, bytes)).split(/\r?\n/, 1)[0]!;
}

/** The beginning of what is compressed. */
function inflated(path: string, bytes: Uint8Array): Uint8Array {
  try {
    if (path.toLowerCase().endsWith('.gz')) return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    if (path.toLowerCase().endsWith('.zst')) return zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush });
  } catch {
    // DuckDB says what is wrong with it.
  }
  return bytes;
}
