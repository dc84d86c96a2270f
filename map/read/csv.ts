// How a CSV is written, from its first line. DuckDB is told, since a guess of its own takes a broken quote for a file
// that has none.

import { closeSync, openSync, readSync } from 'node:fs';
import { literal } from '../duckdb/database.ts';
import { MapError } from '../errors.ts';
import { compression } from './compressed.ts';

const candidates = [',', ';', '\t', '|'];
/** More than a block of what is compressed. */
const headBytes = 2 ** 18;

/** The options of `read_csv`, as SQL. */
export function csvOptions(path: string): string {
  return `delim = ${literal(csvDelimiter(path))}, quote = '"', escape = '"', header = true`;
}

/** What stands between fields. */
export function csvDelimiter(path: string): string {
  return delimiterOf(firstLine(path));
}

/** The names in the first line. */
export function csvNames(path: string): readonly string[] {
  const line = firstLine(path);
  const delimiter = delimiterOf(line);
  const names = [''];
  const quotes = new Quotes([delimiter]);
  for (const character of line) {
    const isOfText = quotes.isOfText(character);
    if (isOfText) names[names.length - 1] += character;
    else if (character === delimiter) names.push('');
  }
  return names;
}

/** Which quotes are text, character by character: one in the middle of a name without quotes is. */
class Quotes {
  readonly #delimiters: readonly string[];
  #state: 'begin' | 'bare' | 'quoted' | 'closed' = 'begin';

  constructor(delimiters: readonly string[]) {
    this.#delimiters = delimiters;
  }

  get isQuoted(): boolean {
    return this.#state === 'quoted';
  }

  /** False for quotes around names, and for what stands between those. */
  isOfText(character: string): boolean {
    const before = this.#state;
    if (before === 'quoted') {
      if (character === '"') this.#state = 'closed';
      return character !== '"';
    }
    const isDelimiter = this.#delimiters.includes(character);
    if (character === '"' && before !== 'bare') this.#state = 'quoted';
    else if (isDelimiter) this.#state = 'begin';
    else if (before !== 'begin' || character !== ' ') this.#state = 'bare';
    return character === '"' ? before !== 'begin' : !isDelimiter;
  }
}

/** What stands most often between the names; a comma where there is one name. */
function delimiterOf(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '');
  return candidates.reduce((best, other) => (bare.split(other).length > bare.split(best).length ? other : best));
}

/** Throws MapError where there is none, or one that is no UTF-8. */
function firstLine(path: string): string {
  const head = new Uint8Array(headBytes);
  const file = openSync(path, 'r');
  let count: number;
  try {
    count = readSync(file, head);
  } finally {
    closeSync(file);
  }
  const bytes = inflated(path, head.subarray(0, count));
  const names = 'the first line of a CSV has the names of its columns';
  if (count === 0) throw new MapError(`${path} is empty: ${names}`);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new MapError(`${path} is UTF-16, and UTF-8 is read`);
  const end = endOfLine(bytes);
  // What is damaged has none, and others say so.
  if (bytes.length === 0) return '';
  if (end === bytes.length && count === headBytes)
    throw new MapError(
      `${path}: line 1: it has more than ${headBytes.toLocaleString('en-US')} bytes, or a quote in it is never closed`,
    );
  let line: string;
  try {
    line = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    throw new MapError(`${path}: line 1: it is no UTF-8`);
  }
  // DuckDB takes the next line for names, and then for a record too.
  if (line.trim() === '') throw new MapError(`${path}: line 1 is empty: ${names}`);
  if (line.includes('\0'))
    throw new MapError(`${path}: line 1 has a NUL character: that may be UTF-16, and UTF-8 is read`);
  return line;
}

/** Where a byte order mark ends, if there is one. */
export function endOfMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Names in quotes may have lines of their own. */
function endOfLine(bytes: Uint8Array): number {
  const quotes = new Quotes(candidates);
  for (let at = endOfMark(bytes); at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (!quotes.isQuoted && (byte === 0x0a || byte === 0x0d)) return at;
    quotes.isOfText(String.fromCharCode(byte));
  }
  return bytes.length;
}

/** The beginning of what is compressed; empty where it is damaged. */
function inflated(path: string, bytes: Uint8Array): Uint8Array {
  const ending = /\.(?:gz|zst)$/i.exec(path)?.[0].toLowerCase();
  if (ending === undefined) return bytes;
  const { gunzipSync, zstdDecompressSync, constants } = compression();
  try {
    return ending === '.gz'
      ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
      : zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush });
  } catch {
    return new Uint8Array(0);
  }
}
