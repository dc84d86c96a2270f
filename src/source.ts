// Source text and places in it. A place is a pair of UTF-16 offsets; line and column are worked out
// only when somebody wants to read them. Columns count characters (code points) from 1.

/** One source text, with the name that diagnostics and stacks show. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lineStarts: readonly number[];
  /** Offsets of the second half of each character that takes two units: columns of long lines are counted with them. */
  readonly pairs: readonly number[];
}

/** Half-open range [start, end) of UTF-16 offsets in one file. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Of code that the optimiser has copied into a caller. */
  readonly inlined?: InlinedCall;
}

/** The call that became a copy of the function that it called: its place, and the name of the function. */
export interface InlinedCall {
  readonly callee: string;
  readonly at: Span;
}

/** A place for people: line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Wraps a text; a byte order mark at its start is dropped, and half of a character is U+FFFD, as in all text from
 * outside.
 */
export function createSourceFile(name: string, text: string): SourceFile {
  const content = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).toWellFormed();
  const lineStarts = [0];
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return { name, text: content, lineStarts, pairs: findPairs(content) };
}

function findPairs(text: string): readonly number[] {
  const pairs: number[] = [];
  // Most texts have none, which engines find out at once.
  const first = text.search(/[\ud800-\udbff]/);
  if (first < 0) return pairs;
  for (let at = first; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff || text.codePointAt(at)! <= 0xffff) continue;
    at += 1;
    pairs.push(at);
  }
  return pairs;
}

/** The line that holds an offset, counted from 0, by binary search in the line table. */
export function lineIndexAt(file: SourceFile, offset: number): number {
  return countBelow(file.lineStarts, offset + 1) - 1;
}

/** How many of the numbers, which are sorted, are less than a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Line and column of an offset. */
export function positionAt(file: SourceFile, offset: number): Position {
  const line = lineIndexAt(file, offset);
  const start = file.lineStarts[line]!;
  const pairs = countBelow(file.pairs, offset) - countBelow(file.pairs, start);
  return { line: line + 1, column: offset - start - pairs + 1 };
}
