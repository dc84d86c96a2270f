// What was written at a place, for people.

import type { Node } from '../../mir/children.ts';
import type { Span } from '../../source.ts';

const longestText = 48;
const longestHead = 72;

/** What was written at a place, in one line. */
export function sourceText({ file, start, end }: Span): string {
  return shortened(file.text.slice(start, end).trim().replace(/\s+/g, ' ').replace(/;$/, ''), longestText);
}

/** Where a place in memory is written that a node reads or sets, without the value that it is set to. */
export function placeOf(node: Node): Span {
  const { file, start, end } = node.span;
  if (node.kind === 'set-element' || node.kind === 'set-hoisted') {
    const array = node.kind === 'set-element' ? node.array : node.hoisted.array;
    const close = file.text.indexOf(']', node.index.span.end);
    const isWritten = array.span.file === file && array.span.start < node.index.span.start && close >= 0;
    return isWritten ? { file, start: array.span.start, end: close + 1 } : node.span;
  }
  if (node.kind !== 'set-field' && node.kind !== 'set-global') return node.span;
  const { start: name } = node.kind === 'set-field' ? { start: node.object.span.end } : node.span;
  const [target] = /^\s*\.?\s*\w*(\s*\.\s*\w+)?/.exec(file.text.slice(name, end))!;
  return name < start ? node.span : { file, start, end: name + target.length };
}

/** The first line of a loop. */
export function headOf({ file, start, end }: Span): string {
  const line = file.text.slice(start, end).split('\n', 1)[0]!;
  return shortened(line.replace(/\{\s*$/, '').trim(), longestHead);
}

function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
