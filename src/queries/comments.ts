// Comments that document: those that end on the line above a declaration, or stand behind it on its own line.

import type { Comment, SyntaxFile } from '../1-parse/syntax-tree.ts';
import type { Declaration } from './file-index.ts';
import { lastStartingUpTo } from './file-index.ts';

/** The text of the comments that document a declaration, as Markdown; null if there are none. */
export function documentationOf(file: SyntaxFile, { kind, name, whole }: Declaration): string | null {
  if (kind === 'parameter' || kind === 'foreach' || kind === 'catch') return null;
  return (
    commentsAbove(file, whole.span.start) ??
    (kind === 'function' || kind === 'main' ? null : behind(file, name.span.start))
  );
}

function commentsAbove({ comments, source: { text } }: SyntaxFile, offset: number): string | null {
  const above: Comment[] = [];
  let before = offset;
  for (let at = lastStartingUpTo(comments, offset, ({ span }) => span.start); at >= 0; at--) {
    const comment = comments[at]!;
    const { start, end } = comment.span;
    if (end > before || !/^[ \t\r]*\n[ \t]*$/.test(text.slice(end, before))) break;
    // A comment behind the code of its line says something about that.
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    if (text.slice(lineStart, start).trim() !== '') break;
    // The first line of a file may name an interpreter.
    if (comment.text.startsWith('#!')) break;
    above.unshift(comment);
    if (comment.text.startsWith('/*')) break;
    before = lineStart;
    // The line break in front of the comment belongs to the gap.
    before = start;
  }
  return above.length === 0 ? null : asText(above);
}

function behind({ comments, source: { text } }: SyntaxFile, nameStart: number): string | null {
  const newline = text.indexOf('\n', nameStart);
  const lineEnd = newline < 0 ? text.length : newline;
  const comment = comments[lastStartingUpTo(comments, lineEnd, ({ span }) => span.start)];
  if (comment === undefined || comment.span.start < nameStart || !comment.text.startsWith('//')) return null;
  // What stands between must end the declaration: another one on the line would own the comment.
  return /^[^;]*[;,]?[ \t]*$/.test(text.slice(nameStart, comment.span.start)) ? asText([comment]) : null;
}

function asText(comments: readonly Comment[]): string | null {
  const lines = comments.flatMap(({ text }) =>
    text.startsWith('//')
      ? [text.replace(/^\/\/+!? ?/, '').trimEnd()]
      : text
          .slice(2, -2)
          .split('\n')
          .map((line) => line.replace(/^\s*\*+ ?/, '').trimEnd()),
  );
  const shown = lines.join('\n').trim();
  return shown === '' ? null : shown;
}
