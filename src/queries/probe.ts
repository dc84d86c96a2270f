// Asking about text that is being written: a name is put at the cursor, what is open on its line is closed, and that
// text is analysed. All blocks that the cursor is not in are left out of it, since nothing in them can be seen from
// there, so that it is short in a long file too.

import { createSourceFile } from '../source.ts';
import { analyse } from './analysis.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { TokenScan } from './token-scan.ts';

export interface Probe {
  readonly analysis: Analysis;
  /** The file that was asked about, as it was analysed. */
  readonly file: AnalysedFile;
  /** Where the name was put; where none was, the cursor. */
  readonly offset: number;
  /** An offset of the real text in front of the cursor, as one in the text that was analysed. */
  readonly shift: (offset: number) => number;
}

/** The name that stands at the cursor, or part of one. */
export interface Word {
  readonly start: number;
  readonly end: number;
}

export function wordAt(text: string, offset: number): Word {
  let start = offset;
  let end = offset;
  while (start > 0 && /\w/.test(text[start - 1]!)) start -= 1;
  while (end < text.length && /\w/.test(text[end]!)) end += 1;
  // Digits begin no name: the cursor is in a number.
  return /\d/.test(text[start] ?? '') ? { start: offset, end: offset } : { start, end };
}

/** A name that the text does not have. */
export function freshName(text: string, wanted = 'cursor_'): string {
  let name = wanted;
  while (text.includes(name)) name += '_';
  return name;
}

/**
 * Analyses the file with `insert` in place of the word at the cursor, or as it is where that is null.
 */
export function probe(
  analysis: Analysis,
  file: AnalysedFile,
  scan: TokenScan,
  word: Word,
  insert: string | null,
): Probe {
  const { text } = file.source;
  const put = insert === null ? text.slice(word.start, word.end) : insert;
  const kept: string[] = [];
  const cuts: { readonly from: number; readonly length: number }[] = [];
  let at = 0;
  let offset = -1;
  let length = 0;
  const add = (part: string): void => {
    kept.push(part);
    length += part.length;
  };
  const addUpTo = (end: number): void => {
    if (at <= word.start && word.start <= end && offset < 0) {
      add(text.slice(at, word.start));
      offset = length;
      const closing = closingAt(scan, text, word.end);
      add(put + closing.text);
      at = closing.end;
    }
    add(text.slice(at, Math.max(at, end)));
    at = Math.max(at, end);
  };
  for (const { start, end } of scan.blocks) {
    addUpTo(start);
    cuts.push({ from: start, length: end - start });
    at = end;
  }
  addUpTo(text.length);
  const { reader, plugins } = analysis.origin;
  const probed = analyse(createSourceFile(file.name, kept.join('')), reader, {
    ...(plugins === undefined ? {} : { plugins }),
    previous: analysis.reuse.probes.previous(analysis, file.name),
  });
  analysis.reuse.probes.keep(probed);
  return {
    analysis: probed,
    file: probed.entry,
    offset,
    shift: (real) => real - cuts.reduce((sum, { from, length: cut }) => (from < real ? sum + cut : sum), 0),
  };
}

/**
 * What ends the statement where nothing follows on the line but brackets that close what is open, as editors write them
 * by themselves: with those, whose end it says.
 */
function closingAt(scan: TokenScan, text: string, from: number): { readonly text: string; readonly end: number } {
  const newline = text.indexOf('\n', from);
  const line = text.slice(0, newline < 0 ? text.length : newline);
  let end = from;
  let closing = '';
  const around = scan.open.findLastIndex(({ kind }) => kind === 'block' || kind === 'fields' || kind === 'expression');
  for (const { kind } of scan.open.slice(around + 1).toReversed()) {
    const bracket = kind === 'parenthesis' ? ')' : kind === 'bracket' ? ']' : '}';
    closing += bracket;
    const blanks = /^\s*/.exec(line.slice(end))![0].length;
    if (line[end + blanks] === bracket) end += blanks + 1;
  }
  const kind = scan.open[around]?.kind;
  const isLast = (kind === 'block' ? /^\s*(?:$|\}|\/\/)/ : /^\s*(?:$|\/\/)/).test(line.slice(end));
  return isLast ? { text: closing + (kind === 'expression' ? '' : ';'), end } : { text: '', end: from };
}
