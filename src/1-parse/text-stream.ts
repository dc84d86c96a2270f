// A text as the lexer reads it. Places are offsets in UTF-16 units, as everywhere else; ANTLR's own stream counts
// characters, and copies the text. Tokens ask it for their texts, so that it holds the text of all tokens at all times.

import { IntStream, Token } from 'antlr4ng';
import type { CharStream, Interval } from 'antlr4ng';

export class TextStream implements CharStream {
  readonly name = '';
  #text = '';
  #at = 0;
  #reach = 0;

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    this.#at = 0;
    this.#reach = 0;
  }

  /** Behind the last unit that was looked at; the end of the text counts as one. */
  get reach(): number {
    return this.#reach;
  }

  get index(): number {
    return this.#at;
  }

  get size(): number {
    return this.#text.length;
  }

  reset(): void {
    this.#at = 0;
  }

  consume(): void {
    this.#at += this.#text.codePointAt(this.#at)! > 0xffff ? 2 : 1;
  }

  LA(offset: number): number {
    const at = this.#at + (offset > 0 ? offset - 1 : offset);
    const point = this.#text.codePointAt(at) ?? Token.EOF;
    const end = at + (point > 0xffff ? 2 : 1);
    if (end > this.#reach) this.#reach = end;
    return point;
  }

  /** All of it is kept anyway. */
  mark(): number {
    return -1;
  }

  release(): void {}

  seek(index: number): void {
    this.#at = Math.min(index, this.#text.length);
  }

  getTextFromRange(start: number, stop: number): string {
    return this.#text.slice(start, stop + 1);
  }

  getTextFromInterval({ start, stop }: Interval): string {
    return this.getTextFromRange(start, stop);
  }

  getSourceName(): string {
    return IntStream.UNKNOWN_SOURCE_NAME;
  }
}
