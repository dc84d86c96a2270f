// A value behind `=` or `:`: on the same line, broken inside, or on the next line, by what it is.

import { builders } from 'prettier/doc';
import type { Expression } from '../1-parse/syntax-tree.ts';
import { isLink, linksOf } from './chains.ts';
import { isConditionalChain } from './operators.ts';
import type { Doc, Printer } from './printer.ts';

const { group, indent, indentIfBreak } = builders;

/**
 * - `beside`: a literal or template begins on the line, and its end is where it is.
 * - `below`: on the next line where it does not fit.
 * - `either`: on the next line only where not even its beginning fits.
 */
type Layout = 'beside' | 'below' | 'either';

/** `left` is what stands in front of the operator, which is the next token. */
export function printAssigned(p: Printer, left: Doc, operator: string, value: Expression): Doc {
  const written: Doc = [left, operator === ':' ? '' : ' ', p.token(operator)];
  const layout = p.hasComments() ? 'below' : layoutOf(p, value);
  const gap = p.gapOf(layout === 'beside' ? 'space' : 'line');
  const right = p.expression(p, value, layout === 'below' ? 'flush' : 'indent');
  if (layout === 'beside') return group([written, gap, right]);
  if (layout === 'below') return group([group(written), group(indent([gap, right]))]);
  const id = Symbol('value');
  return group([group(written), group(indent(gap), { id }), indentIfBreak(right, { groupId: id })]);
}

function layoutOf(p: Printer, value: Expression): Layout {
  // In parentheses, which break by themselves.
  if (p.nextStart() < value.span.start) return 'either';
  switch (value.kind) {
    case 'template':
    case 'array-literal':
    case 'object-literal':
      return 'beside';
    case 'binary':
    case 'string-literal':
      return 'below';
    case 'conditional':
      return isConditionalChain(value) || value.condition.kind === 'binary' ? 'below' : 'either';
    case 'member':
    case 'index':
    case 'call':
      return isHardToBreak(value) ? 'below' : 'either';
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'null-literal':
    case 'name':
    case 'unary':
    case 'update':
    case 'cast':
    case 'new-array':
    case 'invalid-expression':
      return 'either';
  }
}

/** A short chain that has next to nothing in its brackets: `Math.max(n)` is better moved than taken apart. */
function isHardToBreak(value: Expression): boolean {
  if (!isLink(value)) return false;
  const { base, links } = linksOf(value);
  const calls = links.filter(({ kind }) => kind === 'call');
  if (base.kind !== 'name' || calls.length > 2) return false;
  return links.every((link) => {
    if (link.kind === 'index') return isShort(link.index);
    if (link.kind !== 'call') return true;
    return link.arguments.length === 0 || (link.arguments.length === 1 && isShort(link.arguments[0]!));
  });
}

function isShort({ kind, span }: Expression): boolean {
  return (
    ['name', 'int-literal', 'double-literal', 'string-literal', 'boolean-literal', 'null-literal'].includes(kind) &&
    span.end - span.start <= 10
  );
}
