// Operators between expressions. Lines break in front of them; those of one precedence break together.

import { builders } from 'prettier/doc';
import type { BinaryExpression, Expression } from '../1-parse/syntax-tree.ts';
import { binaryLevel } from '../1-parse/precedence.ts';
import { indented } from './printer.ts';
import type { Doc, Place, Printer } from './printer.ts';

const { group, indent } = builders;

type Conditional = Extract<Expression, { readonly kind: 'conditional' }>;
type Cast = Extract<Expression, { readonly kind: 'cast' }>;

export function printBinary(p: Printer, node: BinaryExpression, place: Place): Doc {
  // A sum of thousands of terms nests to the left.
  const level = binaryLevel(node.operator);
  const steps: BinaryExpression[] = [node];
  let first = node.left;
  while (first.kind === 'binary' && first.span.start === node.span.start && binaryLevel(first.operator) === level) {
    steps.push(first);
    first = first.left;
  }
  const start = p.expression(p, first, 'indent');
  const rest = steps.reverse().map(({ operator, right }): Doc => {
    const before = p.gapOf('line');
    const written = p.token(operator);
    return [before, written, indented(p.gapOf('space')), p.expression(p, right, 'indent')];
  });
  return group([start, place === 'indent' ? indent(rest) : rest]);
}

export function printCast(p: Printer, node: Cast): Doc {
  const steps: Cast[] = [node];
  let first = node.operand;
  while (first.kind === 'cast' && first.span.start === node.span.start) {
    steps.push(first);
    first = first.operand;
  }
  const parts: Doc[] = [p.expression(p, first, 'indent')];
  for (const { span } of steps.reverse())
    parts.push(indented(p.gapOf('space')), p.token('as'), indented(p.gapOf('space')), p.tight(span.end));
  return parts;
}

/**
 * `c ? a : b` has a line for each branch where it does not fit. A chain of them reads as `else if` does: each
 * condition stands before its value, on a line of its own.
 */
export function printConditional(p: Printer, node: Conditional, place: Place): Doc {
  const condition = p.expression(p, node.condition, 'indent');
  const question: Doc = [p.gapOf('line'), p.token('?'), p.gapOf('space'), p.expression(p, node.then, 'indent')];
  const colon: Doc = [p.gapOf('line'), p.token(':'), indented(p.gapOf('space'))];
  if (node.otherwise.kind !== 'conditional' || p.nextStart() !== node.otherwise.span.start)
    return group([condition, indent([question, colon, p.expression(p, node.otherwise, 'indent')])]);
  const links: Doc[] = [colon];
  let otherwise: Expression = node.otherwise;
  while (otherwise.kind === 'conditional' && p.nextStart() === otherwise.span.start) {
    const inner: Conditional = otherwise;
    const test = p.expression(p, inner.condition, 'indent');
    const value: Doc = [p.gapOf('line'), p.token('?'), p.gapOf('space'), p.expression(p, inner.then, 'indent')];
    links.push(group([test, indent(value)]), p.gapOf('line'), p.token(':'), indented(p.gapOf('space')));
    otherwise = inner.otherwise;
  }
  links.push(p.expression(p, otherwise, 'indent'));
  const first = group([condition, indent(question)]);
  return group([first, place === 'indent' ? indent(links) : links]);
}

/** Whether it is a chain that reads as `else if` does. */
export function isConditionalChain(node: Expression): boolean {
  return node.kind === 'conditional' && node.otherwise.kind === 'conditional';
}
