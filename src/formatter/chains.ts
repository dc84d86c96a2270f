// What goes on from an expression: members, calls, elements, increments. Chains of three calls and more that do not
// fit a line have a line for each call.

import { builders } from 'prettier/doc';
import type { Expression } from '../1-parse/syntax-tree.ts';
import { printArguments, printFilled } from './lists.ts';
import { indented, together } from './printer.ts';
import type { Doc, Printer } from './printer.ts';

const { breakParent, conditionalGroup, group, hardline, indent } = builders;

export type Chain = Extract<Expression, { readonly kind: 'member' | 'index' | 'call' | 'update' }>;
type Link = Chain & { readonly prefix?: boolean };

/** The expression that a link goes on from. */
function leftOf(node: Link): Expression {
  switch (node.kind) {
    case 'member':
    case 'index':
      return node.object;
    case 'call':
      return node.callee;
    case 'update':
      return node.operand;
  }
}

export function isLink(node: Expression): node is Link {
  return (
    node.kind === 'member' || node.kind === 'index' || node.kind === 'call' || (node.kind === 'update' && !node.prefix)
  );
}

/** The links, the first one first, and what they go on from, which is in parentheses or no link. */
export function linksOf(node: Link): { readonly base: Expression; readonly links: readonly Link[] } {
  const links: Link[] = [node];
  let base = leftOf(node);
  while (isLink(base) && base.span.start === node.span.start) {
    links.push(base);
    base = leftOf(base);
  }
  return { base, links: links.reverse() };
}

/** From a dot up to the next one behind a call. */
interface Part {
  readonly docs: Doc[];
  /** Comments in front of the dot. */
  gap: Doc;
  hasCall: boolean;
  isForced: boolean;
}

export function printChain(p: Printer, node: Link): Doc {
  const { base, links } = linksOf(node);
  const beforeHead = p.forced;
  const printedBase = p.expression(p, base, 'indent');
  const head: Part = { docs: [printedBase], gap: '', hasCall: false, isForced: p.forced > beforeHead };
  const parts: Part[] = [head];
  let hasComments = false;
  for (const [at, link] of links.entries()) {
    const before = p.forced;
    if (link.kind === 'member') {
      const previous = links[at - 1];
      const current = parts.at(-1)!;
      const next = links[at + 1];
      const isOnTheWay = parts.length === 1 && next?.kind === 'member' && (at === 0 || previous?.kind === 'member');
      const goesOn = isOnTheWay || (parts.length > 1 && !current.hasCall);
      if (p.hasComments()) {
        hasComments = true;
        parts.push({ docs: [], gap: together(p.gap('softline')), hasCall: false, isForced: false });
      } else if (!goesOn) parts.push({ docs: [], gap: '', hasCall: false, isForced: false });
    }
    const part = parts.at(-1)!;
    part.docs.push(printLink(p, link));
    if (link.kind === 'call') part.hasCall = true;
    if (p.forced > before) part.isForced = true;
  }
  return layOut(p, base, parts, hasComments);
}

function layOut(p: Printer, base: Expression, [head, ...rest]: readonly Part[], hasComments: boolean): Doc {
  const isMerged =
    base.kind === 'name' && head!.docs.length === 1 && (/^[A-Z]/.test(base.text) || base.text.length <= p.indentSize);
  const oneLine: Doc = [head!.docs, ...rest.map(({ docs }) => docs)];
  const calls = rest.filter(({ hasCall }) => hasCall).length;
  if (!hasComments && (p.isFlat || calls < 3 || rest.length <= (isMerged ? 3 : 2))) return group(oneLine);
  const merged = isMerged && rest[0]?.gap === '' ? 1 : 0;
  const expanded: Doc = [
    head!.docs,
    rest.slice(0, merged).map(({ docs }) => docs),
    indent(rest.slice(merged).map(({ docs, gap }): Doc => [gap === '' ? hardline : gap, docs])),
  ];
  if (hasComments || [head!, ...rest.slice(0, -1)].some(({ isForced }) => isForced)) {
    p.forced += 1;
    return group(expanded, { shouldBreak: true });
  }
  return [rest.at(-1)!.isForced ? breakParent : '', conditionalGroup([oneLine, expanded])];
}

function printLink(p: Printer, link: Link): Doc {
  switch (link.kind) {
    case 'member':
      return [p.token('.'), p.anyToken()];
    case 'index':
      return printInBrackets(p, link.index);
    case 'call': {
      const operands = link.arguments;
      const print = (at: number): Doc => p.expression(p, operands[at]!, 'indent');
      if (areNumbers(operands)) return printFilled(p, '()', operands.length, print);
      const last = operands.at(-1);
      const isLastLiteral =
        last !== undefined &&
        ((last.kind === 'object-literal' && last.entries.length > 0) ||
          (last.kind === 'array-literal' && last.elements.length > 0)) &&
        operands.at(-2)?.kind !== last.kind;
      return printArguments(p, operands.length, print, isLastLiteral);
    }
    case 'update':
      return p.token(link.operator);
  }
}

/** An element's index, or the length of a new array. */
export function printInBrackets(p: Printer, node: Expression): Doc {
  const open = p.token('[');
  const isShort = !p.hasComments() && ['name', 'int-literal', 'string-literal'].includes(node.kind);
  const gap = indented(p.gapOf(isShort ? 'none' : 'softline'));
  const index = p.expression(p, node, 'flush');
  const end = p.gap(isShort ? 'none' : 'softline', 'closing');
  const close = p.token(']');
  if (isShort && end.before === '') return [open, index, close];
  return group([open, indent([gap, index, end.before]), end.last, close]);
}

/** Several, of which as many as fit stand on a line. */
export function areNumbers(nodes: readonly Expression[]): boolean {
  return nodes.length > 1 && nodes.every(isNumber);
}

function isNumber(node: Expression): boolean {
  if (node.kind === 'unary') return node.operator === '-' && isNumber(node.operand);
  return node.kind === 'int-literal' || node.kind === 'double-literal';
}
