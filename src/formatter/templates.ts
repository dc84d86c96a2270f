// Templates: their text stays as it is, and so do expressions in them that span lines or have comments. Others are
// written on one line.

import type { Expression } from '../1-parse/syntax-tree.ts';
import { isComment } from './pieces.ts';
import { asWritten, Mismatch } from './printer.ts';
import type { Doc, Printer } from './printer.ts';

type Template = Extract<Expression, { readonly kind: 'template' }>;

export function printTemplate(p: Printer, { expressions }: Template): Doc {
  const parts: Doc[] = [p.token('`')];
  const rest = expressions.values();
  for (let next = p.peek(); next !== null && next.kind !== 'template-end'; next = p.peek()) {
    if (next.kind === 'template-text') {
      parts.push(asWritten(next.text));
      p.at += 1;
    } else {
      const { value } = rest.next();
      if (value === undefined) throw new Mismatch(`a template ends before ${next.start}`);
      parts.push(printPart(p, value));
    }
  }
  return [...parts, p.token('`')];
}

function printPart(p: Printer, expression: Expression): Doc {
  const end = endOfPart(p);
  const pieces = p.pieces.slice(p.at + 1, end + 1);
  const isPlain = !pieces.some((piece) => piece.breaks > 0 || piece.text.includes('\n') || isComment(piece));
  if (!isPlain) return p.verbatim(p.pieces[end]!.end, true);
  const wasFlat = p.isFlat;
  p.isFlat = true;
  const doc = [p.token('${'), p.expression(p, expression, 'flush'), p.token('}')];
  p.isFlat = wasFlat;
  return doc;
}

/** The `}` that ends the expression which begins here. */
function endOfPart(p: Printer): number {
  let depth = 0;
  for (let at = p.at; at < p.pieces.length; at++) {
    const { kind } = p.pieces[at]!;
    if (kind === 'expression-start') depth += 1;
    else if (kind === 'expression-end' && --depth === 0) return at;
  }
  throw new Mismatch('an expression in a template has no end');
}
