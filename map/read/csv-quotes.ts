// The first broken quote of a CSV: one that is never closed, or with more behind the one that closes it. DuckDB names
// the record, and not at all where it fails before it has looked at records.

import { createReadStream } from 'node:fs';
import { shown } from '../plan/misfits.ts';
import { decompressorOf } from './compressed.ts';
import { csvDelimiter, endOfMark } from './csv.ts';

const [lineFeed, carriageReturn, quote, space] = [0x0a, 0x0d, 0x22, 0x20] as const;

/** More than are shown. */
const mostTold = 400;

/** Its sentence, with the line in which it is opened; null where there is none, or what is compressed is damaged. */
export async function findBrokenQuote(path: string): Promise<string | null> {
  const search = new QuoteSearch(csvDelimiter(path).charCodeAt(0));
  const file = createReadStream(path, { highWaterMark: 2 ** 20 });
  const decompressor = decompressorOf(path);
  try {
    for await (const piece of (decompressor === null ? file : file.pipe(decompressor)) as AsyncIterable<Buffer>)
      if (search.isThroughWith(piece)) break;
  } catch {
    return null;
  } finally {
    file.destroy();
  }
  return search.sentence;
}

/** `behind`: after a closing quote, where spaces may stand; `broken`: up to the end of a line with more than those. */
type State = 'begin' | 'bare' | 'quoted' | 'behind' | 'broken';

class QuoteSearch {
  readonly #delimiter: number;
  #state: State = 'begin';
  #line = 1;
  #opened = 0;
  #closed = 0;
  /** What stands behind the quote that opens, up to the end of its line; and behind the one that closes. */
  #inside: number[] = [];
  #behind: number[] = [];
  #isFirstLine = true;
  #last = 0;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  /** Whether it is found. */
  isThroughWith(bytes: Uint8Array): boolean {
    for (let at = this.#last === 0 ? endOfMark(bytes) : 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#last === carriageReturn && byte !== lineFeed) this.#line++;
      if (this.#state === 'broken' && (byte === lineFeed || byte === carriageReturn)) return true;
      this.#take(byte);
      if (byte === lineFeed) this.#line++;
      this.#last = byte;
    }
    return false;
  }

  #take(byte: number): void {
    const isEnd = byte === this.#delimiter || byte === lineFeed || byte === carriageReturn;
    switch (this.#state) {
      case 'begin':
        // One space may stand in front of a quote.
        if (byte === quote) this.#open();
        else if (!isEnd && (byte !== space || this.#last === space)) this.#state = 'bare';
        return;
      case 'bare':
        if (isEnd) this.#state = 'begin';
        return;
      case 'quoted':
        if (byte === lineFeed || byte === carriageReturn) this.#isFirstLine = false;
        if (byte === quote) {
          this.#state = 'behind';
          this.#closed = this.#line;
        } else this.#keep(byte);
        return;
      case 'behind':
        if (byte === quote && this.#last === quote) {
          // Two quotes are one of the text.
          this.#state = 'quoted';
          this.#keep(byte);
        } else if (byte === quote) this.#open();
        else if (isEnd) this.#state = 'begin';
        else if (byte !== space) {
          this.#state = 'broken';
          this.#behind.push(byte);
        }
        return;
      case 'broken':
        if (this.#behind.length < mostTold) this.#behind.push(byte);
    }
  }

  #open(): void {
    this.#state = 'quoted';
    this.#opened = this.#line;
    this.#inside = [];
    this.#isFirstLine = true;
  }

  #keep(byte: number): void {
    if (this.#isFirstLine && this.#inside.length < mostTold) this.#inside.push(byte);
  }

  get sentence(): string | null {
    if (this.#state !== 'quoted' && this.#state !== 'broken') return null;
    const textOf = (bytes: readonly number[]): string => shown(new TextDecoder().decode(Uint8Array.from(bytes)), true);
    const which = this.#inside.length === 0 ? 'It' : `The quote in front of ${textOf(this.#inside)}`;
    // As DuckDB says it, of both.
    const begin = `line ${this.#opened}: Value with unterminated quote found. ${which}`;
    if (this.#state === 'quoted') return `${begin} is never closed`;
    const where = this.#closed === this.#opened ? '' : ` in line ${this.#closed}`;
    return `${begin} is closed${where}, and ${textOf(this.#behind)} stands behind that`;
  }
}
