// Source text and places in it. A place is a pair of UTF-16 offsets; line and column are worked out
// only when somebody wants to read them. Columns count characters (code points) from 1.

/** One source text, with the name that diagnostics and stacks show. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lineStarts: readonly number[];
}

/** Half-open range [start, end) of UTF-16 offsets in one file. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

/** A place for people: line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Wraps a text; a byte order mark at its start is dropped. */
export function createSourceFile(name: string, text: string): SourceFile {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const lineStarts = [0];
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return { name, text: content, lineStarts };
}

/** The line that holds an offset, counted from 0, by binary search in the line table. */
export function lineIndexAt(file: SourceFile, offset: number): number {
  let low = 0;
  let high = file.lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (file.lineStarts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Line and column of an offset. */
export function positionAt(file: SourceFile, offset: number): Position {
  const line = lineIndexAt(file, offset);
  let column = 1;
  for (let at = file.lineStarts[line]!; at < offset; column++) at += file.text.codePointAt(at)! > 0xffff ? 2 : 1;
  return { line: line + 1, column };
}
