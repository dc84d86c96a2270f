// Comments behind neighbouring lines of one depth begin in one column, as those of a table do.

import type { FormatOptions } from './options.ts';
import type { Piece } from './pieces.ts';

interface Trailing {
  readonly piece: number;
  readonly line: number;
  readonly indentation: number;
  /** Columns of the line up to the comment, without the white space between. */
  readonly code: number;
  readonly length: number;
}

/** Changes the gaps in front of such comments, other than those that stay as they were. */
export function alignComments(
  gaps: string[],
  pieces: readonly Piece[],
  isKept: (piece: number) => boolean,
  { indentSize, maxLineLength }: Required<FormatOptions>,
): void {
  let run: Trailing[] = [];
  const endRun = (): void => {
    const column = Math.max(...run.map(({ code }) => code));
    const fits = run.every(({ code, length }) => column + length <= maxLineLength || code + length > maxLineLength);
    if (fits) for (const { piece, code } of run) gaps[piece] = ' '.repeat(column - code + 1);
    run = [];
  };
  for (const trailing of findTrailing(gaps, pieces, isKept, indentSize)) {
    const last = run.at(-1);
    if (last !== undefined && (last.line + 1 !== trailing.line || last.indentation !== trailing.indentation)) endRun();
    run.push(trailing);
  }
  if (run.length > 0) endRun();
}

function findTrailing(
  gaps: readonly string[],
  pieces: readonly Piece[],
  isKept: (piece: number) => boolean,
  indentSize: number,
): Trailing[] {
  const found: Trailing[] = [];
  let [line, column, indentation] = [0, 0, 0];
  const pass = (text: string): void => {
    const end = text.lastIndexOf('\n');
    if (end < 0) column += widthOf(text, indentSize);
    else {
      line += text.split('\n').length - 1;
      column = widthOf(text.slice(end + 1), indentSize);
    }
  };
  for (const [at, { kind, text }] of pieces.entries()) {
    const gap = gaps[at]!;
    const opens = pieces[at - 1]?.text === '{' || pieces[at - 1]?.text === '}';
    if (kind === 'line-comment' && !gap.includes('\n') && at > 0 && !opens && !isKept(at))
      found.push({ piece: at, line, indentation, code: column, length: widthOf(text, indentSize) + 1 });
    pass(gap);
    if (gap.includes('\n')) indentation = column;
    pass(text);
  }
  return found;
}

/** Columns of a text: characters of East Asia and emoji take two, marks that combine with a letter none. */
function widthOf(text: string, tabSize: number): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (character === '\t') width += tabSize;
    else if (
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u.test(
        character,
      )
    )
      width += 2;
    else if (!/\p{Mark}|\u200b|\u200c|\u200d/u.test(character)) width += 1;
  }
  return width;
}
