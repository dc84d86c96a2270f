// The programs to try in the place of one that shows something: without a line or a block, or with one of its parts or
// a literal in the place of an expression. What is no program any more shows nothing, so nothing here needs to know
// types.

import { parseText } from '../parse/parsed.ts';
import type { Smaller } from './random-text.ts';

/** Goes round once, beginning at the place that the program came from. */
export function* smallerPrograms(text: string, from = 0): Generator<Smaller<number>> {
  const lines = text.trimEnd().split('\n');
  const nodes = nodesOf(text);
  const count = lines.length + nodes.length;
  for (let iteration = 0; iteration < count; iteration++) {
    const at = (from + iteration) % count;
    const found = at < lines.length ? withoutLine(lines, at) : withoutNode(text, nodes[at - lines.length]!);
    for (const smaller of found) yield [smaller, at];
  }
}

/** Without the statement that begins in a line, or without the block around what is in it. */
function withoutLine(lines: readonly string[], at: number): readonly string[] {
  const depth = (line: string): number => /^ */.exec(line)![0].length;
  const line = lines[at]!;
  const joined = (left: readonly string[]): string => `${left.join('\n')}\n`;
  if (!line.endsWith('{')) return [joined(lines.toSpliced(at, 1))];
  let end = at + 1;
  while (end < lines.length && (depth(lines[end]!) > depth(line) || /^ *} catch/.test(lines[end]!))) end += 1;
  const middle = lines.findIndex((other, index) => index > at && index < end && depth(other) === depth(line));
  const inside = lines.slice(at + 1, middle < 0 ? end : middle);
  return [joined(lines.toSpliced(at, end + 1 - at)), joined(lines.toSpliced(at, end + 1 - at, ...inside))];
}

const literals = ['', '0', '1', '""', 'true', 'false', 'null', '[]', '0.5'];

interface Node {
  readonly start: number;
  readonly end: number;
  /** The texts of the nodes in it. */
  readonly parts: readonly string[];
}

function withoutNode(text: string, { start, end, parts }: Node): readonly string[] {
  return [...literals, ...parts]
    .filter(({ length }) => length < end - start)
    .map((part) => text.slice(0, start) + part + text.slice(end));
}

/** Whatever has a place in the tree of a text, the largest first. */
function nodesOf(text: string): readonly Node[] {
  const nodes: Node[] = [];
  collect(parseText(text).file, (start, end, inside) =>
    nodes.push({ start, end, parts: inside.map(([from, to]) => text.slice(from, to)) }),
  );
  return nodes.toSorted((a, b) => b.end - b.start - (a.end - a.start));
}

type Range = readonly [start: number, end: number];

/** Gives the ranges of the outermost nodes in the value. */
function collect(
  value: unknown,
  note: (start: number, end: number, inside: readonly Range[]) => void,
): readonly Range[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([field, child]) =>
    field === 'span' || field === 'source' ? [] : collect(child, note),
  );
  const { span } = value as { readonly span?: { readonly start: number; readonly end: number } };
  if (span === undefined) return inside;
  note(span.start, span.end, inside);
  return [[span.start, span.end]];
}
