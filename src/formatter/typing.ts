// What is formatted while somebody types: the statement that a `;` or `}` ends, and the line that a line end leaves.
// Nothing at the cursor or behind it moves.

import type { SyntaxFile, SyntaxToken } from '../1-parse/syntax-tree.ts';
import { formatFileRange } from './format.ts';
import type { FormatOptions, TextEdit } from './format.ts';

/** What is formatted when it is typed. */
export const typedCharacters = ['}', ';', '\n'] as const;

/** The edits for a character that stands in front of an offset of the file's own text, or `\n` somewhere there. */
export function editsForTyped(
  file: SyntaxFile,
  typed: string,
  offset: number,
  options: FormatOptions = {},
): readonly TextEdit[] {
  const { text } = file.source;
  const lineEnd = typed === '\n' ? text.lastIndexOf('\n', offset - 1) : offset;
  if (lineEnd < 0) return [];
  const token = lastTokenBefore(file.tokens, lineEnd);
  if (token === null) return [];
  const lineStart = text.lastIndexOf('\n', lineEnd - 1) + 1;
  if (typed === '\n' ? token.start < lineStart : token.end !== offset || !isPunctuation(file, token, typed)) return [];
  const { edits } = formatFileRange(file, text, token, options);
  return edits.filter(({ start }) => start < token.end && (typed !== '\n' || start >= lineStart));
}

/** Null where a token or comment goes on behind the offset. */
function lastTokenBefore(tokens: readonly SyntaxToken[], offset: number): SyntaxToken | null {
  const token = tokens.findLast(({ start }) => start < offset);
  return token === undefined || token.end > offset ? null : token;
}

/** The end of an expression in a template ends no statement. */
function isPunctuation({ source }: SyntaxFile, { kind, start, end }: SyntaxToken, typed: string): boolean {
  return kind === 'punctuation' && source.text.slice(start, end) === typed;
}
