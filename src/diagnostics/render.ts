// A diagnostic for a person: what is wrong, where, the source lines with the place marked, and what to do. Pure text;
// colours come in through a Style, and the caller knows the terminal.

import { lineIndexAt, positionAt } from '../source.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Diagnostic, Label } from './diagnostic.ts';
import { escapeControls, showText } from './display.ts';

/** How each part of a diagnostic is styled. */
export interface Style {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  /** Secondary labels. */
  readonly label: (text: string) => string;
  /** Line numbers and borders. */
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

const asItIs = (text: string): string => text;
export const plainStyle: Style = { error: asItIs, warning: asItIs, label: asItIs, faint: asItIs, strong: asItIs };

/** The code frame of one diagnostic; no newline at the end. */
export function renderDiagnostic(diagnostic: Diagnostic, style: Style = plainStyle): string {
  const accent = diagnostic.severity === 'error' ? style.error : style.warning;
  const lines = [
    `${accent(`${diagnostic.type} ${diagnostic.code}`)}${style.strong(`: ${clip(diagnostic.message)}`)}`,
    ...renderPlaces(diagnostic, accent, style),
  ];
  if (diagnostic.help !== null) lines.push(`${style.strong('help:')} ${clip(diagnostic.help)}`);
  return lines.join('\n');
}

/** Lines that say where a place is, and show its source lines with it marked; those of its labels too. */
export function renderPlaces(
  { span, labels = [] }: { readonly span: Span; readonly labels?: readonly Label[] },
  accent: (text: string) => string,
  style: Style,
): readonly string[] {
  const marks: Mark[] = [
    { span, text: '', sign: '^', paint: accent },
    ...labels.map((label): Mark => ({ span: label.span, text: clip(label.text), sign: '-', paint: style.label })),
  ];
  const files = [...new Set(marks.map((mark) => mark.span.file))];
  const rows = files.map((file) =>
    rowsOf(
      file,
      marks.filter((mark) => mark.span.file === file),
    ),
  );
  const width = String(Math.max(...rows.flat().map((row) => row.line))).length;
  return files.flatMap((file, at) => {
    const first = marks.find((mark) => mark.span.file === file)!;
    const { line, column } = positionAt(file, first.span.start);
    return [
      `${' '.repeat(width)}${style.faint('-->')} ${escapeControls(file.name)}:${line}:${column}`,
      ...renderRows(rows[at]!, width, style),
    ];
  });
}

/** `2 errors, 1 warning`; empty if there are none. */
export function summarize(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const count = (n: number, what: string): string[] => (n === 0 ? [] : [`${n} ${what}${n === 1 ? '' : 's'}`]);
  return [...count(errors, 'error'), ...count(diagnostics.length - errors, 'warning')].join(', ');
}

/** A span to mark, and the text for it. */
interface Mark {
  readonly span: Span;
  readonly text: string;
  readonly sign: '^' | '-';
  readonly paint: (text: string) => string;
}

/** A piece of a source line with one mark below it; null for a line that only stands for the lines in between. */
interface Row {
  /** From 1. */
  readonly line: number;
  /** The part of the line that is shown, as offsets in the file. */
  readonly start: number;
  readonly end: number;
  /** The marked part. */
  readonly from: number;
  readonly to: number;
  readonly mark: Mark;
  readonly text: string;
}

/** Longer lines are cut around the mark. */
const maxShown = 120;
const shownBefore = 40;

/** The rows of one file, in the order of its lines: one for each mark, two for a mark over several lines. */
function rowsOf(file: SourceFile, marks: readonly Mark[]): readonly Row[] {
  const rows = marks.flatMap((mark): Row[] => {
    const first = lineIndexAt(file, mark.span.start);
    const last = lineIndexAt(file, Math.max(mark.span.start, mark.span.end - 1));
    if (first === last) return [rowOf(file, first, mark.span.start, mark.span.end, mark, mark.text)];
    const end = lineEnd(file, first);
    const begin = firstInk(file, last);
    return [
      rowOf(file, first, mark.span.start, end, mark, ''),
      rowOf(file, last, begin, mark.span.end, mark, mark.text),
    ];
  });
  return rows.toSorted(
    (a, b) => a.line - b.line || Number(a.mark.sign === '-') - Number(b.mark.sign === '-') || a.from - b.from,
  );
}

function rowOf(file: SourceFile, index: number, from: number, to: number, mark: Mark, text: string): Row {
  const lineStart = file.lineStarts[index]!;
  const end = lineEnd(file, index);
  const row = { line: index + 1, from, to: Math.min(to, Math.max(from, end)), mark, text };
  if (end - lineStart <= maxShown) return { ...row, start: lineStart, end };
  const start = wholeCharacter(file.text, Math.max(lineStart, Math.min(from - shownBefore, end - maxShown)));
  return { ...row, start, end: wholeCharacter(file.text, Math.min(end, start + maxShown)) };
}

/** Moves an offset between the halves of a surrogate pair to the start of the pair. */
function wholeCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff && offset > 0 ? offset - 1 : offset;
}

/** Offset of the line's end, before its `\n` or `\r\n`. */
function lineEnd(file: SourceFile, index: number): number {
  const next = file.lineStarts[index + 1];
  if (next === undefined) return file.text.length;
  return file.text[next - 2] === '\r' ? next - 2 : next - 1;
}

function firstInk(file: SourceFile, index: number): number {
  let at = file.lineStarts[index]!;
  while (file.text[at] === ' ' || file.text[at] === '\t') at++;
  return at;
}

function renderRows(rows: readonly Row[], width: number, style: Style): string[] {
  const border = (number: string): string => style.faint(`${number.padStart(width)} |`);
  const lines = [border('')];
  let shown: Row | null = null;
  for (const row of rows) {
    if (shown !== null && row.line > shown.line + 1) lines.push(style.faint('...'));
    const same = shown !== null && shown.line === row.line && shown.start === row.start;
    const piece = row.mark.span.file.text.slice(row.start, row.end);
    const { text, columns } = showText(piece);
    const cutBefore = row.start > row.mark.span.file.lineStarts[row.line - 1]! ? '…' : '';
    const cutAfter = row.end < lineEnd(row.mark.span.file, row.line - 1) ? '…' : '';
    if (!same) lines.push(`${border(String(row.line))} ${cutBefore}${text}${cutAfter}`.trimEnd());
    lines.push(`${border('')} ${underline(row, columns, cutBefore.length)}`);
    shown = row;
  }
  return lines;
}

/** Blanks up to the mark, the mark at least one column wide, and its text. */
function underline(row: Row, columns: readonly number[], indent: number): string {
  const columnOf = (offset: number): number => columns[Math.min(offset - row.start, columns.length - 1)]!;
  const from = columnOf(row.from);
  const width = Math.max(1, columnOf(row.to) - from);
  const marked = row.mark.paint(`${row.mark.sign.repeat(width)}${row.text === '' ? '' : ` ${row.text}`}`);
  return `${' '.repeat(indent + from)}${marked}`;
}

/** Limits the length of a line: a name in a message may be a megabyte long. */
function clip(text: string): string {
  const line = escapeControls(text.length > 4000 ? text.slice(0, 4000) : text);
  return line.length <= 600 ? line : `${line.slice(0, 300)}…${line.slice(-200)}`;
}
