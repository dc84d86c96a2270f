// Expressions. Parentheses are not in the tree: they are what stands in front of an expression and is not its own.

import { builders } from 'prettier/doc';
import type { Expression, ObjectEntry } from '../1-parse/syntax-tree.ts';
import { printAssigned } from './assignments.ts';
import { areNumbers, printChain, printInBrackets } from './chains.ts';
import { printFilled, printList } from './lists.ts';
import { printBinary, printCast, printConditional } from './operators.ts';
import { Mismatch } from './printer.ts';
import type { Doc, Place, Printer } from './printer.ts';
import { printTemplate } from './templates.ts';

const { group, indent } = builders;

export function printExpression(p: Printer, node: Expression, place: Place): Doc {
  if (p.nextStart() < node.span.start) return printParenthesized(p, node);
  switch (node.kind) {
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'null-literal':
    case 'string-literal':
    case 'name':
      return p.anyToken();
    case 'template':
      return printTemplate(p, node);
    case 'array-literal':
      return printArray(p, node.elements);
    case 'object-literal':
      return printObject(p, node.entries);
    case 'member':
    case 'index':
    case 'call':
      return printChain(p, node);
    case 'update':
      if (!node.prefix) return printChain(p, node);
      return [p.token(node.operator), p.expression(p, node.operand, 'indent')];
    case 'unary':
      return [p.token(node.operator), p.expression(p, node.operand, 'indent')];
    case 'cast':
      return printCast(p, node);
    case 'binary':
      return printBinary(p, node, place);
    case 'conditional':
      return printConditional(p, node, place);
    case 'new-array':
      return printNew(p, node);
    case 'invalid-expression':
      throw new Mismatch(`what stands at ${node.span.start} has no form`);
  }
}

function printParenthesized(p: Printer, node: Expression): Doc {
  const open = p.token('(');
  const gap = p.gapOf('softline');
  const inner = p.expression(p, node, 'flush');
  const end = p.gap('softline', 'closing');
  return group([open, indent([gap, inner, end.before]), end.last, p.token(')')]);
}

function printArray(p: Printer, elements: readonly Expression[]): Doc {
  const print = (at: number): Doc => p.expression(p, elements[at]!, 'indent');
  if (areNumbers(elements)) return printFilled(p, '[]', elements.length, print);
  const isTable =
    elements.length > 0 && elements.every(({ kind }) => kind === 'array-literal' || kind === 'object-literal');
  return printList(p, '[]', elements.length, print, isTable && breaksBehindBracket(p));
}

/** Broken stays broken, where the author has put the first entry on a line of its own. */
function printObject(p: Printer, entries: readonly ObjectEntry[]): Doc {
  const print = (at: number): Doc => {
    const { value } = entries[at]!;
    return printAssigned(p, p.anyToken(), ':', value);
  };
  return printList(p, '{}', entries.length, print, entries.length > 0 && breaksBehindBracket(p));
}

/** Whether the line ends behind the bracket that is the next token. */
function breaksBehindBracket(p: Printer): boolean {
  const bracket = p.peek();
  return bracket !== null && (p.pieces[p.pieces.indexOf(bracket, p.at) + 1]?.breaks ?? 0) > 0;
}

/** The lengths, and pairs of brackets without one, as they were written. */
function printNew(p: Printer, node: Extract<Expression, { readonly kind: 'new-array' }>): Doc {
  const parts: Doc[] = [p.token('new'), p.gapOf('space')];
  while (!p.isNext('[')) parts.push(p.anyToken());
  const lengths = node.lengths.values();
  while (p.isNext('[') && p.nextStart() < node.span.end) {
    const length = p.peek(1)?.text === ']' ? undefined : lengths.next().value;
    parts.push(length === undefined ? [p.token('['), p.token(']')] : printInBrackets(p, length));
  }
  return parts;
}
