// Texts of a column as the driver takes them: positions in a dictionary where the column has one, and otherwise one
// text for all rows of a batch.

import { isUtf8 } from 'node:buffer';
import { nullMark, separator } from '../driver/slots.ts';
import type { BatchColumn } from '../read/batch.ts';
import type { Kind } from './kinds.ts';
import { none } from './numbers.ts';
import { bytesOf, decoded, entryOf, hasValue, jsonOf, rangeOf, textOf } from './values.ts';
import type { Column } from './values.ts';

/** Texts of `count` rows from one on. */
export interface Texts extends Pick<BatchColumn, 'numbers' | 'text' | 'marked'> {
  /** Holds from this batch on; null where the last one does. */
  readonly dictionary: readonly (string | null)[] | null;
}

/** Beyond that, the texts of a batch are looked up one by one. */
const mostEntries = 65_536;

/** Is shown each batch of a column in order. */
export class TextReader {
  readonly #kind: Kind;
  /** Whether texts are JSON: of lists and structs, and not of texts. */
  readonly #isJson: boolean;
  #dictionary: Column['dictionary'] | null = null;

  constructor(kind: Kind, isJson: boolean) {
    this.#kind = kind;
    this.#isJson = isJson;
  }

  read(column: Column, from: number, count: number): Texts {
    const kind = this.#kind;
    if (kind.kind === 'dictionary' && column.dictionary!.length <= mostEntries)
      return this.#codes(kind, column, from, count);
    const joined = kind.kind === 'text' || kind.kind === 'view' ? joinBytes(kind, column, from, count) : null;
    if (joined !== null) return joined;
    const texts = Array.from({ length: count }, (_, row) => this.#textOf(kind, column, from + row));
    const isMarked = texts.some((text) => text !== null && /[\0\u0001]/.test(text));
    return isMarked ? this.#listed(texts) : joinTexts(texts);
  }

  #textOf(kind: Kind, column: Column, row: number): string | null {
    if (kind.kind === 'null' || !hasValue(column, row)) return null;
    return this.#isJson ? jsonText(kind, column, row) : textOf(kind, column, row);
  }

  #codes(kind: Extract<Kind, { kind: 'dictionary' }>, column: Column, from: number, count: number): Texts {
    const entries = column.dictionary!;
    const codes = new BigInt64Array(count);
    const halves = new Int32Array(codes.buffer);
    for (let row = 0; row < count; row++)
      halves[row * 2] = hasValue(column, from + row) ? Number(column.values[from + row]!) : entries.length;
    const isNew = this.#dictionary !== entries;
    this.#dictionary = entries;
    return {
      numbers: codes,
      text: '',
      marked: false,
      dictionary: isNew ? [...this.#entriesOf(kind.values, entries.data), null] : null,
    };
  }

  #entriesOf(kind: Kind, data: readonly Column[]): (string | null)[] {
    return data.flatMap((column) => Array.from({ length: column.length }, (_, row) => this.#textOf(kind, column, row)));
  }

  /** A dictionary of this batch alone. */
  #listed(texts: readonly (string | null)[]): Texts {
    this.#dictionary = null;
    return {
      numbers: BigInt64Array.from(texts, (_, row) => BigInt(row)),
      text: '',
      marked: false,
      dictionary: texts,
    };
  }
}

/** Null where the JSON is one: to a script, that is no value. */
function jsonText(kind: Kind, column: Column, row: number): string | null {
  if (kind.kind === 'text' || kind.kind === 'view') return textOf(kind, column, row);
  if (kind.kind === 'dictionary') {
    const entry = entryOf(column, row);
    return hasValue(entry.column, entry.row) ? jsonText(kind.values, entry.column, entry.row) : null;
  }
  return jsonOf(kind, column, row);
}

function joinTexts(texts: readonly (string | null)[]): Texts {
  return {
    numbers: none,
    text: texts.map((text) => text ?? nullMark).join(separator),
    marked: texts.includes(null),
    dictionary: null,
  };
}

/** Shorter ones are copied byte by byte, which takes less than a view of them. */
const shortBytes = 32;

/** Null where a text has one of the marks in it. */
function joinBytes(kind: Kind, column: Column, from: number, count: number): Texts | null {
  const [start, end] = kind.kind === 'text' ? [rangeOf(column, from)[0], rangeOf(column, from + count - 1)[1]] : [0, 0];
  const bytes = column.values as unknown as Uint8Array;
  let joined = Buffer.allocUnsafe(end - start + 2 * count);
  let marked = false;
  let to = 0;
  for (let row = from; row < from + count; row++) {
    if (row > from) joined[to++] = 0;
    if (!hasValue(column, row)) {
      marked = true;
      joined[to++] = 1;
      continue;
    }
    if (kind.kind === 'view') {
      const value = bytesOf(kind, column, row);
      if (value.includes(0) || value.includes(1)) return null;
      if (to + value.length + 2 * count > joined.length)
        joined = Buffer.concat([joined.subarray(0, to)], 2 * (to + value.length + 2 * count));
      joined.set(value, to);
      to += value.length;
      continue;
    }
    const [first, last] = rangeOf(column, row);
    if (last - first > shortBytes) {
      joined.set(bytes.subarray(first, last), to);
      to += last - first;
    } else for (let at = first; at < last; at++) joined[to++] = bytes[at]!;
  }
  if (kind.kind === 'text') {
    const range = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    if (range.includes(0) || range.includes(1)) return null;
  }
  const text = joined.subarray(0, to);
  if (!isUtf8(text)) throw new RangeError('a text is no UTF-8');
  return { numbers: none, text: decoded(text), marked, dictionary: null };
}
