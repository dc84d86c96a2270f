// Formatting: a text in, the same text with other white space out, or the edits that lead there. What is wrong in the
// text stays as it is, and the rest is formatted.

import { parse } from '../1-parse/parse.ts';
import type { SyntaxFile } from '../1-parse/syntax-tree.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import { createSourceFile } from '../source.ts';
import { alignComments } from './comment-columns.ts';
import { printExpression } from './expressions.ts';
import { printFile } from './items.ts';
import { layOut } from './layout.ts';
import { defaultOptions } from './options.ts';
import type { FormatOptions } from './options.ts';
import { piecesOf } from './pieces.ts';
import type { Piece } from './pieces.ts';
import { Printer } from './printer.ts';
import type { Kept } from './printer.ts';
import { coveringRange } from './ranges.ts';
import { printStatement } from './statements.ts';

export type { FormatOptions } from './options.ts';

/** A range of UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Another text in the place of a range; two edits of a list do not touch, and stand in the order of the text. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** A formatted text, and how it came about. */
export interface FormatResult {
  readonly text: string;
  /** What leads from the text that was given to this one. */
  readonly edits: readonly TextEdit[];
  /** What stays as it was written: it is ignored by a comment, or did not parse. */
  readonly kept: readonly TextRange[];
  /** Why nothing was formatted, which is a mistake of the formatter; null if there is none. */
  readonly fault: string | null;
}

/** Never throws for any text. */
export function format(text: string, options: FormatOptions = {}): FormatResult {
  return formatFile(parse(createSourceFile('', text), new DiagnosticSink()), text, options);
}

/** Formats the statements, or other lines of the kind, that a range lies in. */
export function formatRange(text: string, range: TextRange, options: FormatOptions = {}): FormatResult {
  return formatFileRange(parse(createSourceFile('', text), new DiagnosticSink()), text, range, options);
}

/** The same as formatRange, for a text that has been parsed. */
export function formatFileRange(
  file: SyntaxFile,
  text: string,
  { start, end }: TextRange,
  options: FormatOptions = {},
): FormatResult {
  const mark = markOf(text);
  const covering = coveringRange(file, { start: start - mark, end: end - mark });
  return formatPart(file, text, { start: covering.start + mark, end: covering.end + mark }, options);
}

/** The same as format, for a text that has been parsed. */
export function formatFile(file: SyntaxFile, text: string, options: FormatOptions = {}): FormatResult {
  return formatPart(file, text, { start: 0, end: text.length }, options);
}

/** Changes what is in the range, and the gap in front of it. */
function formatPart(file: SyntaxFile, text: string, part: TextRange, options: FormatOptions): FormatResult {
  try {
    const layOutFile = file.unreadNames === null ? formatParsed : formatBroken;
    const { changes, kept } = layOutFile(file, text, { ...defaultOptions, ...options });
    const edits = changes
      .filter(({ start, end }) => end >= part.start && end <= part.end && (start < part.end || end === text.length))
      .map((change) => smallestEdit(text, change));
    return { text: applyEdits(text, edits), edits, kept, fault: null };
  } catch (fault) {
    return { text, edits: [], kept: [{ start: 0, end: text.length }], fault: String(fault) };
  }
}

/** The length of a byte order mark, which stays. */
function markOf(text: string): number {
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

interface Formatted {
  /** Whole gaps between pieces, and whole pieces. */
  readonly changes: readonly TextEdit[];
  readonly kept: readonly TextRange[];
}

function formatParsed(file: SyntaxFile, text: string, options: Required<FormatOptions>): Formatted {
  const mark = markOf(text);
  const first = findGaps(file, text.slice(mark), options);
  const { pieces, kept } = first;
  return {
    changes: findChanges(
      text,
      mark,
      pieces,
      settle(first, options, file.unreadNames !== null),
      options.endOfLine === 'crlf',
    ),
    kept: kept
      .filter(({ isPart }) => !isPart)
      .map(({ from, to }) => ({ start: pieces[from]!.start + mark, end: pieces[to - 1]!.end + mark })),
  };
}

/**
 * As formatParsed for a file with a mistake. Its layout may decide which statement the mistake is in: what does not
 * come to rest stays as it is, and so does a template that the mistake divides.
 */
function formatBroken(file: SyntaxFile, text: string, options: Required<FormatOptions>): Formatted {
  try {
    const formatted = formatParsed(file, text, options);
    const once = applyEdits(text, formatted.changes);
    const result = parse(createSourceFile('', once), new DiagnosticSink());
    // Where a quote is missing, the white space in a line decides where its text ends.
    if (haveSameTokens(file, result) && formatParsed(result, once, options).changes.length === 0) return formatted;
  } catch {
    // Nothing of it is lost.
  }
  return { changes: [], kept: [{ start: 0, end: text.length }] };
}

/** White space in comments aside, which is laid out too. */
function haveSameTokens(one: SyntaxFile, other: SyntaxFile): boolean {
  const wordAt = ({ source, tokens }: SyntaxFile, at: number): string => {
    const { start, end } = tokens[at]!;
    return source.text.slice(start, end).replaceAll(/\s+/g, '');
  };
  return (
    one.tokens.length === other.tokens.length &&
    one.tokens.every(({ kind }, at) => kind === other.tokens[at]!.kind && wordAt(one, at) === wordAt(other, at))
  );
}

interface Gaps {
  readonly pieces: readonly Piece[];
  /** In front of each piece, and at the end. */
  readonly gaps: readonly string[];
  readonly kept: readonly Kept[];
}

function findGaps(file: SyntaxFile, text: string, options: Required<FormatOptions>): Gaps {
  const pieces = piecesOf(file, text);
  const printer = new Printer(text, pieces, options.indentSize, {
    expression: printExpression,
    statement: printStatement,
  });
  const gaps = layOut(printFile(printer, file), pieces, options);
  const kept = printer.kept.toSorted((a, b) => a.from - b.from);
  const keptPieces = new Set(kept.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
  alignComments(gaps, pieces, (piece) => keptPieces.has(piece), options);
  gaps.push(lastGap(pieces.at(-1)));
  return { pieces, gaps, kept };
}

/** So often the gaps are found again at most. */
const mostRounds = 3;

/**
 * Behind a template of several lines the layout engine measures anew: what breaks there breaks what is in front of it
 * only the next time. Of a file with a mistake, the lines may decide which statement it is in.
 */
function settle(first: Gaps, options: Required<FormatOptions>, isBroken: boolean): readonly string[] {
  let { gaps } = first;
  for (let round = 0; round < mostRounds && (isBroken || breaksBehindTemplate(first.pieces, gaps)); round++) {
    const text = first.pieces.map((piece, at) => gaps[at]! + piece.text).join('') + gaps.at(-1)!;
    const next = findGaps(parse(createSourceFile('', text), new DiagnosticSink()), text, options);
    if (next.gaps.length !== gaps.length || next.gaps.every((gap, at) => gap === gaps[at])) break;
    gaps = next.gaps;
  }
  return gaps;
}

/** Whether a line begins between a template of several lines and the end of its statement. */
function breaksBehindTemplate(pieces: readonly Piece[], gaps: readonly string[]): boolean {
  let depth = 0;
  let isBehind = false;
  for (const [at, { kind, text }] of pieces.entries()) {
    const hasBreak = gaps[at]!.includes('\n');
    if (depth > 0 && (hasBreak || text.includes('\n'))) isBehind = true;
    else if (isBehind && hasBreak) return true;
    if (kind === 'template-start') depth += 1;
    else if (kind === 'template-end') depth -= 1;
    else if (text === ';') isBehind = false;
  }
  return false;
}

/** A file ends with a line end, but in a comment or template without an end, of which it would become a part. */
function lastGap(piece: Piece | undefined): string {
  return piece === undefined || ['unknown', 'template-start', 'template-text', 'expression-end'].includes(piece.kind)
    ? ''
    : '\n';
}

/** One for each gap that changes, and for each template or comment whose lines end otherwise. */
function findChanges(
  text: string,
  mark: number,
  pieces: readonly Piece[],
  gaps: readonly string[],
  isWindows: boolean,
): TextEdit[] {
  const changes: TextEdit[] = [];
  const write = (wanted: string): string =>
    isWindows && wanted.includes('\n') ? wanted.replace(/(?<!\r)\n/g, '\r\n') : wanted;
  const want = (start: number, end: number, wanted: string): void => {
    if (text.slice(start, end) !== wanted) changes.push({ start, end, text: wanted });
  };
  let last = mark;
  for (const [at, piece] of pieces.entries()) {
    want(last, piece.start + mark, write(gaps[at]!));
    last = piece.end + mark;
    if (piece.text.includes('\n')) want(piece.start + mark, last, write(piece.text));
  }
  want(last, text.length, write(gaps.at(-1)!));
  return changes;
}

/** Without what both texts begin and end with. A line end of two characters is changed as one. */
function smallestEdit(text: string, { start, end, text: wanted }: TextEdit): TextEdit {
  const written = text.slice(start, end);
  const isTorn = (at: number): boolean => written[at - 1] === '\r' && written[at] === '\n';
  const most = Math.min(written.length, wanted.length);
  let same = 0;
  while (same < most && written[same] === wanted[same]) same += 1;
  if (isTorn(same)) same -= 1;
  let behind = 0;
  while (behind < most - same && written.at(-behind - 1) === wanted.at(-behind - 1)) behind += 1;
  if (behind > 0 && isTorn(written.length - behind)) behind -= 1;
  return {
    start: start + same,
    end: end - behind,
    text: wanted.slice(same, wanted.length - behind),
  };
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let last = 0;
  for (const edit of edits) {
    parts.push(text.slice(last, edit.start), edit.text);
    last = edit.end;
  }
  return parts.join('') + text.slice(last);
}
