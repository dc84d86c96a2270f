// Makes a program smaller that shows something, as long as it shows it: lines and blocks go, then expressions become one of
// their parts or a literal. What is no program any more shows nothing, so nothing here needs to know types.

import { parseText } from '../parse/parsed.ts';
import { shrink } from '../emit/compare-settings.ts';

export async function reduceProgram(text: string, shows: (text: string) => Promise<boolean>): Promise<string> {
  let smallest = text;
  for (;;) {
    const before = smallest.length;
    smallest = await reduceExpressions(await shrink(smallest, shows), shows);
    if (smallest.length === before) return smallest;
  }
}

async function reduceExpressions(text: string, shows: (text: string) => Promise<boolean>): Promise<string> {
  let smallest = text;
  for (let at = 0; ; at++) {
    const node = nodesOf(smallest)[at];
    if (node === undefined) return smallest;
    for (const part of [...literals, ...node.parts].filter(({ length }) => length < node.end - node.start)) {
      const candidate = smallest.slice(0, node.start) + part + smallest.slice(node.end);
      if (!(await shows(candidate).catch(() => false))) continue;
      smallest = candidate;
      at -= 1;
      break;
    }
  }
}

const literals = ['', '0', '1', '""', 'true', 'false', 'null', '[]', '0.5'];

interface Node {
  readonly start: number;
  readonly end: number;
  /** The texts of the nodes in it. */
  readonly parts: readonly string[];
}

/** Whatever has a place in the tree of a text, the largest first. */
function nodesOf(text: string): readonly Node[] {
  const nodes: Node[] = [];
  collect(parseText(text).file, (start, end, inside) => nodes.push({ start, end, parts: inside.map(([from, to]) => text.slice(from, to)) }));
  return nodes.toSorted((a, b) => b.end - b.start - (a.end - a.start));
}

type Range = readonly [start: number, end: number];

/** Gives the ranges of the outermost nodes in the value. */
function collect(value: unknown, note: (start: number, end: number, inside: readonly Range[]) => void): readonly Range[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([field, child]) => (field === 'span' || field === 'source' ? [] : collect(child, note)));
  const { span } = value as { readonly span?: { readonly start: number; readonly end: number } };
  if (span === undefined) return inside;
  note(span.start, span.end, inside);
  return [[span.start, span.end]];
}
