// What is between the pieces of a file once it is laid out. The text that comes out of the layout engine is read
// again, piece by piece: were one missing, or another than it should be, this would throw.

import { printer as engine } from 'prettier/doc';
import type { FormatOptions } from './options.ts';
import type { Piece } from './pieces.ts';
import type { Doc } from './printer.ts';

/** The white space in front of each piece. */
export function layOut(doc: Doc, pieces: readonly Piece[], options: Required<FormatOptions>): string[] {
  const { formatted } = engine.printDocToString(doc, {
    printWidth: options.maxLineLength,
    tabWidth: options.indentSize,
    useTabs: options.indentStyle === 'tab',
  });
  const gaps: string[] = [];
  let at = 0;
  for (const { kind, text } of pieces) {
    const start = at;
    if (!isInTemplate(kind)) while (isWhiteSpace(formatted.charCodeAt(at))) at += 1;
    if (!formatted.startsWith(text, at))
      throw new Error(`${JSON.stringify(text)} has become ${JSON.stringify(formatted.slice(at, at + text.length))}`);
    gaps.push(formatted.slice(start, at));
    at += text.length;
  }
  if (formatted.slice(at).trim() !== '') throw new Error(`${JSON.stringify(formatted.slice(at))} is too much`);
  return gaps;
}

/** White space in front of these belongs to the template. */
function isInTemplate(kind: Piece['kind']): boolean {
  return kind === 'template-text' || kind === 'template-end' || kind === 'expression-start';
}

function isWhiteSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
