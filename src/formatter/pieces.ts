// A file as the pieces that formatting keeps, tokens and comments, and the white space between them, which is all
// that it changes.

import type { SyntaxFile, SyntaxTokenKind } from '../1-parse/syntax-tree.ts';

export interface Piece {
  /** `comment-line` is a further line of a comment whose lines all begin with a star: they move with the first. */
  readonly kind: SyntaxTokenKind | 'comment-line';
  /** Lines end with `\n` in it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Line ends between the piece before and this one. */
  readonly breaks: number;
}

/**
 * Trailing white space of comments belongs to none. `text` is that of the file as it was given, whose half characters
 * are replaced in the source.
 */
export function piecesOf(file: SyntaxFile, text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  const add = (kind: Piece['kind'], start: number, end: number): void => {
    pieces.push({
      kind,
      text: withLineFeeds(text.slice(start, end)),
      start,
      end,
      breaks: countBreaks(text, last, start),
    });
    last = end;
  };
  for (const { kind, start, end } of file.tokens) {
    if (kind === 'line-comment') add(kind, start, start + text.slice(start, end).replace(/[ \t\f\v]+$/, '').length);
    else if (kind === 'block-comment') addBlockComment(text.slice(start, end), start, add);
    else add(kind, start, end);
  }
  return pieces;
}

function addBlockComment(
  comment: string,
  start: number,
  add: (kind: Piece['kind'], start: number, end: number) => void,
): void {
  if (!/^[^\r\n]*(\r?\n[ \t]*\*[^\r\n]*)+$/.test(comment)) {
    add('block-comment', start, start + comment.length);
    return;
  }
  let at = 0;
  for (const line of comment.split('\n')) {
    const from = at + line.length - line.trimStart().length;
    add(at === 0 ? 'block-comment' : 'comment-line', start + from, start + at + line.trimEnd().length);
    at += line.length + 1;
  }
}

function countBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    // A carriage return alone ends a line comment too.
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) count += 1;
  }
  return count;
}

/** `\r\r\n` in a template is a carriage return and a line end, which `\r\n` would no longer be. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/(?<!\r)\r\n/g, '\n') : text;
}

export function isComment({ kind }: Piece): boolean {
  return kind === 'line-comment' || kind === 'block-comment' || kind === 'comment-line';
}
