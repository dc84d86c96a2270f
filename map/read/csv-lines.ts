// The lines of a CSV, as they are counted and told apart here: where one is broken, DuckDB says which record it is, or
// nothing at all, and it drops what has other numbers of fields than the first line.

import { createReadStream } from 'node:fs';
import { decompressorOf } from './compressed.ts';
import { csvDelimiter, endOfMark } from './csv.ts';

/** What a record ends with. */
type End = '\n' | '\r\n' | '\r' | '';

/** A record: several lines of text where a field in quotes has them. */
export interface CsvLine {
  /** Its first line of text in the file, from 1. */
  readonly number: number;
  /** Without its end. */
  readonly bytes: Uint8Array;
  readonly end: End;
  /** Fields without empty ones that are too many, which DuckDB takes for none. */
  readonly fields: number;
  /** Where in `bytes` the last field ends that has a column. */
  readonly fitting: number;
}

/** Where a file has a longer one, a quote is broken. */
const mostLineBytes = 2 ** 22;

const [lineFeed, carriageReturn, quote, space] = [0x0a, 0x0d, 0x22, 0x20] as const;

/** The lines of a file with so many columns, some at a time, up to one that is too long. */
export async function* readCsvLines(
  path: string,
  columns: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly CsvLine[]> {
  const delimiter = csvDelimiter(path).charCodeAt(0);
  const file = createReadStream(path, { highWaterMark: 2 ** 20 });
  const decompressor = decompressorOf(path);
  let rest: Uint8Array = new Uint8Array(0);
  let number = 1;
  const linesOf = (bytes: Uint8Array, isLast: boolean): readonly CsvLine[] => {
    const lines: CsvLine[] = [];
    let from = number === 1 ? endOfMark(bytes) : 0;
    for (;;) {
      const found = lineAt(bytes, from, delimiter, columns, isLast);
      if (found === null) break;
      lines.push({ ...found, number });
      number += found.textLines;
      from += found.bytes.length + found.end.length;
    }
    rest = bytes.subarray(from);
    return lines;
  };
  try {
    for await (const piece of (decompressor === null ? file : file.pipe(decompressor)) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      yield linesOf(rest.length === 0 ? piece : Buffer.concat([rest, piece]), false);
      if (rest.length > mostLineBytes) return;
    }
    yield linesOf(rest, true);
  } finally {
    file.destroy();
  }
}

/** Null where it goes on in the next piece, and where there is none. */
function lineAt(
  bytes: Uint8Array,
  from: number,
  delimiter: number,
  columns: number,
  isLast: boolean,
): (Omit<CsvLine, 'number'> & { readonly textLines: number }) | null {
  let at = from;
  let textLines = 1;
  let fields = 0;
  let filled = 0;
  let fitting = 0;
  for (;;) {
    const begin = at;
    // DuckDB passes over one space in front of a quote, and takes two for text.
    if (bytes[at] === space) at++;
    const isQuoted = bytes[at] === quote;
    if (isQuoted) {
      for (at++; at < bytes.length; at++) {
        if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) textLines++;
        if (bytes[at] !== quote) continue;
        if (bytes[at + 1] !== quote) break;
        at++;
      }
      at++;
    } else at = begin;
    while (at < bytes.length && !isEndOfField(bytes[at]!, delimiter)) at++;
    fields++;
    if (at - begin > (isQuoted ? 2 : 0)) filled = fields;
    if (fields === columns) fitting = at - from;
    if (at >= bytes.length || bytes[at] !== delimiter) break;
    at++;
  }
  // A line may be the last without an end; of a quote or a carriage return, what is behind it may be still to come.
  const isCut = at >= bytes.length - 1 && (at >= bytes.length || bytes[at] === carriageReturn);
  if (isCut && (!isLast || from >= bytes.length)) return null;
  const end = at >= bytes.length ? '' : bytes[at] === lineFeed ? '\n' : bytes[at + 1] === lineFeed ? '\r\n' : '\r';
  return {
    bytes: bytes.subarray(from, Math.min(at, bytes.length)),
    end,
    fields: Math.max(Math.min(fields, columns), filled),
    fitting: Math.min(fitting, bytes.length - from),
    textLines,
  };
}

function isEndOfField(byte: number, delimiter: number): boolean {
  return byte === delimiter || byte === lineFeed || byte === carriageReturn;
}

/** Whether all its fields, and no others, have columns: an empty line is none to DuckDB, unless there is one column. */
export function isEven({ bytes, fields }: CsvLine, columns: number): boolean {
  return fields === columns || bytes.length === 0;
}

const endNames: Readonly<Record<End, string>> = { '\n': '\\n', '\r\n': '\\r\\n', '\r': '\\r', '': 'nothing' };

/** Lines end as the first does. Gives the sentence of the first that does not. */
export class LineEnds {
  #first: End | null = null;

  faultOf(line: CsvLine): string | null {
    this.#first ??= line.end;
    if (line.end === this.#first || line.end === '') return null;
    return `line ${line.number} ends with ${endNames[line.end]}, and the first line with ${endNames[this.#first]}`;
  }
}

/**
 * What the lines say of a CSV that DuckDB does not read: which one ends in another way, or which line of the file its
 * record is, as fields may have lines of their own. Null where they say nothing.
 */
export async function findCsvFault(path: string, columns: number, record: number | null): Promise<CsvFault | null> {
  const ends = new LineEnds();
  let count = 0;
  for await (const lines of readCsvLines(path, columns))
    for (const line of lines) {
      count += 1;
      if (count === record) return { line: line.number, sentence: null };
      const sentence = ends.faultOf(line);
      if (record === null && sentence !== null) return { line: line.number, sentence };
    }
  return null;
}

export interface CsvFault {
  readonly line: number;
  /** Null where DuckDB has told what is wrong. */
  readonly sentence: string | null;
}
