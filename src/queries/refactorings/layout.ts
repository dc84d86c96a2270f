// Where edits stand on their lines: the indentation of a line, text moved to another one, and whole statements removed.

import type { AnalysedFile } from '../analysis.ts';
import type { OffsetRange } from './nodes.ts';

/** One step of indentation. */
export const step = '  ';

/** The white space in front of the line that holds an offset. */
export function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** Whether nothing but white space stands in front of an offset on its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}

export function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The text of a range whose lines have another indentation; what lies in templates and comments stays as it is. */
export function reindented(
  { syntax, source: { text } }: AnalysedFile,
  range: OffsetRange,
  from: string,
  to: string,
): string {
  const fixed = syntax.tokens.filter(
    ({ kind, start, end }) =>
      (kind === 'template-text' || kind === 'block-comment') && start < range.end && end > range.start,
  );
  const isFixed = (offset: number): boolean => fixed.some(({ start, end }) => start < offset && offset <= end);
  return text
    .slice(range.start, range.end)
    .replace(/\n([ \t]*)(?=[^\s])/g, (whole: string, space: string, at: number) =>
      isFixed(range.start + at + 1) || !space.startsWith(from) ? whole : `\n${to}${space.slice(from.length)}`,
    );
}

/** A text in place of a range, with spaces where it would become part of a word beside it. */
export function keptApart(text: string, { start, end }: OffsetRange, replacement: string): string {
  const sticks = (before: string | undefined, after: string | undefined): boolean =>
    /\w/.test(before ?? '') && /\w/.test(after ?? '');
  const front = sticks(text[start - 1], replacement[0]) ? ' ' : '';
  return `${front}${replacement}${sticks(replacement.at(-1), text[end]) ? ' ' : ''}`;
}

/** The range with the rest of its lines, where nothing else stands on them. */
export function wholeLines(text: string, { start, end }: OffsetRange): OffsetRange {
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end));
  if (!beginsLine(text, start)) {
    // Between other statements on a line, the space behind it goes too.
    return { start, end: end + /^[ \t]*/.exec(text.slice(end))![0].length };
  }
  if (rest === null) return { start, end: end + /^[ \t]*/.exec(text.slice(end))![0].length };
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: end + rest[0].length };
}

/** Whether a range has a comment in it that is not in one of its parts. */
export function hasComment({ syntax }: AnalysedFile, range: OffsetRange, parts: readonly OffsetRange[]): boolean {
  return syntax.comments.some(
    ({ span: { start, end } }) =>
      start < range.end && end > range.start && !parts.some((part) => part.start <= start && end <= part.end),
  );
}
