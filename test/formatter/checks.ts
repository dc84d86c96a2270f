// What holds of every text that is formatted: the same tokens and comments come out, a second time changes nothing,
// and the edits lead to the text.

import { expect } from 'vitest';
import { parse } from '../../src/1-parse/parse.ts';
import type { SyntaxFile } from '../../src/1-parse/syntax-tree.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { format } from '../../src/formatter/format.ts';
import type { FormatOptions, FormatResult, TextEdit } from '../../src/formatter/format.ts';
import { createSourceFile } from '../../src/source.ts';

interface Read {
  readonly file: SyntaxFile;
  readonly isGood: boolean;
}

export function read(text: string): Read {
  const sink = new DiagnosticSink();
  const file = parse(createSourceFile('test.slu', text), sink);
  return { file, isGood: !sink.hasErrors };
}

/** Tokens and comments in turn. White space at the ends of lines of a comment is nobody's. */
export function wordsOf({ source, tokens }: SyntaxFile): readonly string[] {
  return tokens.map(({ kind, start, end }) => {
    const text = source.text.slice(start, end);
    if (kind === 'line-comment') return text.trimEnd();
    const isStarred = kind === 'block-comment' && /^[^\r\n]*(\r?\n[ \t]*\*[^\r\n]*)+$/.test(text);
    return isStarred ? text.replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n') : text.replaceAll('\r\n', '\n');
  });
}

/** Formats a text, and holds the result to what is always so. */
export function formatWell(text: string, options: FormatOptions = {}): FormatResult {
  const result = format(text, options);
  const before = read(text);
  const after = read(result.text);
  expect(result.fault).toBe(null);
  expect(wordsOf(after.file)).toEqual(wordsOf(before.file));
  expect(after.isGood).toBe(before.isGood);
  expect(format(result.text, options).text).toBe(result.text);
  if (before.isGood && !text.includes('sluice-fmt-ignore')) expect(result.kept).toEqual([]);
  expectEdits(text, result.edits);
  return result;
}

/** In order, apart, and none without a change. */
export function expectEdits(text: string, edits: readonly TextEdit[]): void {
  let last = 0;
  for (const { start, end, text: wanted } of edits) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(text.slice(start, end)).not.toBe(wanted);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(text.length);
}
