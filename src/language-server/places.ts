// Places of the protocol and of the compiler. Both count UTF-16 units; to the protocol a lone `\r` ends a line as well,
// so its lines are counted by the library of the protocol, never by ours.

import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Location, Position, Range } from 'vscode-languageserver';
import type { SourceFile, Span } from '../source.ts';
import type { Documents } from './documents.ts';
import { uriOfName } from './names.ts';

const byteOrderMark = 0xfeff;

export class Places {
  readonly #documents: Documents;
  readonly #lines = new WeakMap<SourceFile, TextDocument>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** The URI of a file: that by which the client knows it, if it is open. */
  uriOf(file: SourceFile): string {
    return this.uriOfName(file.name);
  }

  uriOfName(name: string): string {
    return this.#documents.byName(name)?.uri ?? uriOfName(name);
  }

  range(span: Span): Range {
    return { start: this.position(span.file, span.start), end: this.position(span.file, span.end) };
  }

  location(span: Span): Location {
    return { uri: this.uriOf(span.file), range: this.range(span) };
  }

  position(file: SourceFile, offset: number): Position {
    const [lines, shift] = this.#linesOf(file);
    return lines.positionAt(offset + shift);
  }

  /** Places behind the end of a line or of the text mean that end. */
  offset(file: SourceFile, position: Position): number {
    const [lines, shift] = this.#linesOf(file);
    return Math.max(0, lines.offsetAt(position) - shift);
  }

  span(file: SourceFile, range: Range): Span {
    const [one, other] = [this.offset(file, range.start), this.offset(file, range.end)];
    return { file, start: Math.min(one, other), end: Math.max(one, other) };
  }

  /** A byte order mark that the client counts is no part of the text. */
  #linesOf(file: SourceFile): readonly [TextDocument, number] {
    const open = this.#documents.byName(file.name);
    if (open?.source === file) return [open.text, open.text.getText().charCodeAt(0) === byteOrderMark ? 1 : 0];
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      lines = TextDocument.create(file.name, 'sluice', 0, file.text);
      this.#lines.set(file, lines);
    }
    return [lines, 0];
  }
}
