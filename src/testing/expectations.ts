// The `// →` comments of a file. A comment is about the code of its line, and about the statement that ends there; one
// that stands alone on its line is about the nearest code above, so that a line may have several.

import type { Comment, SyntaxFile } from '../1-parse/syntax-tree.ts';
import { lineIndexAt } from '../source.ts';
import type { Span } from '../source.ts';
import { readEvents, readMarker } from './notation.ts';
import type { Event } from './notation.ts';
import { isCompound, visitStatements } from './statements.ts';

export interface Expectation {
  /** The lines that it is about, counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly events: readonly Event[];
  /** The comments that it is written in, at least one. */
  readonly comments: readonly Comment[];
  /** The code that it is about, or the comment where that has no code. */
  readonly span: Span;
  /** Whether a `return` is among its code. */
  readonly returns: boolean;
}

/** In the order of their lines. */
export function readExpectations(file: SyntaxFile): readonly Expectation[] {
  const groups = new Map<number, Comment[]>();
  const codeLines = linesOfCode(file);
  for (const comment of file.comments) {
    if (readMarker(comment.text) === null) continue;
    const line = lineIndexAt(file.source, comment.span.start) + 1;
    const about = codeLines.findLast((candidate) => candidate <= line) ?? line;
    groups.set(about, [...(groups.get(about) ?? []), comment]);
  }
  const statements = groups.size === 0 ? null : statementsByEnd(file);
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([lastLine, comments]) => {
      const ending = statements?.get(lastLine);
      const firstLine = ending?.firstLine ?? lastLine;
      return {
        firstLine,
        lastLine,
        events: comments.flatMap(({ text }) => readEvents(readMarker(text)!)),
        comments,
        span: spanOfLines(file, firstLine, lastLine, comments[0]!),
        returns: ending?.returns ?? false,
      };
    });
}

/** Whether the file says of any line what it hands out. */
export function hasExpectations(file: SyntaxFile): boolean {
  return file.comments.some(({ text }) => readMarker(text) !== null);
}

/** The lines on which code ends, in order, each once. */
function linesOfCode({ source, tokens }: SyntaxFile): readonly number[] {
  const lines: number[] = [];
  for (const { kind, end } of tokens) {
    if (kind === 'line-comment' || kind === 'block-comment') continue;
    const line = lineIndexAt(source, end - 1) + 1;
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

interface Ending {
  readonly firstLine: number;
  readonly returns: boolean;
}

/** By the line on which statements end: where the first of them begins that holds no others. */
function statementsByEnd({ source, items }: SyntaxFile): ReadonlyMap<number, Ending> {
  const found = new Map<number, Ending>();
  const lineOf = (offset: number): number => lineIndexAt(source, offset) + 1;
  for (const item of items)
    visitStatements(item, (statement) => {
      if (isCompound(statement)) return;
      const line = lineOf(Math.max(statement.span.start, statement.span.end - 1));
      const known = found.get(line);
      found.set(line, {
        firstLine: Math.min(known?.firstLine ?? line, lineOf(statement.span.start)),
        returns: (known?.returns ?? false) || statement.kind === 'return',
      });
    });
  return found;
}

/** From the first ink of the first line to where the code of the last one ends. */
function spanOfLines({ source, tokens }: SyntaxFile, first: number, last: number, comment: Comment): Span {
  const [from, to] = [source.lineStarts[first - 1]!, source.lineStarts[last] ?? source.text.length];
  const code = tokens.filter(
    ({ kind, start, end }) => kind !== 'line-comment' && kind !== 'block-comment' && end > from && start < to,
  );
  if (code.length === 0) return comment.span;
  return { file: source, start: Math.max(from, code[0]!.start), end: Math.min(to, code.at(-1)!.end) };
}
