// Breaks the lines of minified modules between statements, and moves their source maps along. Node prints the line in
// which an error that nobody catches was thrown: of a module in one line that would be all of it.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

/** A line ends at the first statement after so many characters. */
const wanted = 160;

/** Breaks the lines of a module that lies in a file, and its map beside it. */
export function breakLinesOf(path: string): void {
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { readonly mappings: string };
  const broken = breakLines(readFileSync(path, 'utf8'), map.mappings);
  writeFileSync(path, broken.code);
  writeFileSync(`${path}.map`, JSON.stringify({ ...map, mappings: broken.mappings }));
}

/** A module of short lines that does the same, and the mappings of its source map. */
export function breakLines(code: string, mappings: string): { readonly code: string; readonly mappings: string } {
  const breaks = findBreaks(code);
  return {
    code: breaks.map((at, index) => code.slice(at, breaks[index + 1])).join('\n'),
    mappings: breakMappings(mappings, columnsOf(code, breaks)),
  };
}

/** Where the pieces of a module begin; a piece may hold ends of lines of its own. */
function findBreaks(code: string): number[] {
  const starts: number[] = [];
  collectStarts(parseAst(code), starts);
  const breaks = [0];
  for (const start of starts.toSorted((a, b) => a - b)) {
    const lineStart = Math.max(breaks.at(-1)!, code.lastIndexOf('\n', start - 1) + 1);
    if (start - lineStart >= wanted) breaks.push(start);
  }
  return breaks;
}

const breakable =
  /Statement$|^(?:Class|Function|Variable|Import|Export\w+)Declaration$|^(?:Method|Property)Definition$|^Property$|^(?:Import|Export)\w*Specifier$/;

/**
 * In front of these a line may end, whatever stands before them; in front of a variable only behind a comma, since
 * `using` needs its first one beside it.
 */
function collectStarts(node: unknown, starts: number[]): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, start, declarations } = node as {
    readonly type?: unknown;
    readonly start?: number;
    readonly declarations?: readonly { readonly start: number }[];
  };
  if (typeof type === 'string' && breakable.test(type))
    starts.push(start!, ...(declarations ?? []).slice(1).map((variable) => variable.start));
  for (const part of Object.values(node)) collectStarts(part, starts);
}

/** The columns of each line at which it is broken. */
function columnsOf(code: string, breaks: readonly number[]): number[][] {
  const columns: number[][] = [];
  let at = 0;
  for (const line of code.split('\n')) {
    columns.push(breaks.filter((start) => start > at && start < at + line.length).map((start) => start - at));
    at += line.length + 1;
  }
  return columns;
}

/**
 * Columns in a source map count from the segment before in the same line: the first one of a new line counts from its
 * start.
 */
function breakMappings(mappings: string, columns: readonly (readonly number[])[]): string {
  return mappings
    .split(';')
    .map((line, index) => breakLine(line, columns[index] ?? []))
    .join(';');
}

function breakLine(line: string, columns: readonly number[]): string {
  const lines: string[][] = [[]];
  let [column, last] = [0, 0];
  for (const segment of line === '' ? [] : line.split(',')) {
    const { value, rest } = readNumber(segment);
    column += value;
    while (lines.length <= columns.length && columns[lines.length - 1]! <= column) {
      last = columns[lines.length - 1]!;
      lines.push([]);
    }
    lines.at(-1)!.push(`${writeNumber(column - last)}${rest}`);
    last = column;
  }
  while (lines.length <= columns.length) lines.push([]);
  return lines.map((segments) => segments.join(',')).join(';');
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The first number of a segment: five bits a digit, the least first, the sixth says that there are more, and the last
 * bit is the sign.
 */
function readNumber(segment: string): { readonly value: number; readonly rest: string } {
  let [bits, at, digit] = [0, 0, 0];
  do {
    digit = digits.indexOf(segment[at]!);
    bits |= (digit & 31) << (5 * at);
    at += 1;
  } while (digit >= 32);
  return { value: (bits & 1) === 1 ? -(bits >> 1) : bits >> 1, rest: segment.slice(at) };
}

function writeNumber(value: number): string {
  let [bits, text] = [value < 0 ? (-value << 1) | 1 : value << 1, ''];
  do {
    text += digits[(bits & 31) | (bits > 31 ? 32 : 0)]!;
    bits >>= 5;
  } while (bits > 0);
  return text;
}
