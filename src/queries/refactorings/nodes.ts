// Nodes by what they are and where they stand: expressions and statements, the path to one of them, and what a
// selection covers.

import type { Expression, Statement } from '../../1-parse/syntax-tree.ts';
import type { AnalysedFile } from '../analysis.ts';
import { childrenOf } from '../syntax-nodes.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';

/** Offsets in UTF-16 units; a cursor is a range of no length. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

const expressionKinds: Readonly<Record<Expression['kind'], true>> = {
  'int-literal': true,
  'double-literal': true,
  'boolean-literal': true,
  'null-literal': true,
  'string-literal': true,
  template: true,
  name: true,
  'array-literal': true,
  'object-literal': true,
  member: true,
  index: true,
  call: true,
  unary: true,
  update: true,
  cast: true,
  binary: true,
  conditional: true,
  'new-array': true,
  'invalid-expression': true,
};

const statementKinds: Readonly<Record<Statement['kind'], true>> = {
  'variable-declaration': true,
  assignment: true,
  if: true,
  while: true,
  'do-while': true,
  for: true,
  foreach: true,
  break: true,
  continue: true,
  return: true,
  yield: true,
  throw: true,
  try: true,
  'expression-statement': true,
  block: true,
  empty: true,
  broken: true,
};

export function isExpression(node: SyntaxNode): node is Expression {
  return node.kind in expressionKinds;
}

export function isStatement(node: SyntaxNode): node is Statement {
  return node.kind in statementKinds;
}

/** The nodes from `root` down to `target`, both included; null if it is not in there. Parts are made anew. */
export function pathTo(root: SyntaxNode, target: SyntaxNode): readonly SyntaxNode[] | null {
  const path = [root];
  const { start, end } = target.span;
  for (let node = root; node !== target;) {
    // Neighbours have no text in common, but one may be empty.
    const inside = childrenOf(node).filter(({ span }) => span.start <= start && end <= span.end);
    const next = inside.includes(target) ? target : inside.find(({ span }) => span.start < span.end);
    if (next === undefined) return null;
    path.push(next);
    node = next;
  }
  return path;
}

/** The nodes from the item of a file down to one in it. */
export function pathInFile({ syntax }: AnalysedFile, target: SyntaxNode): readonly SyntaxNode[] {
  const item = syntax.items.find(({ span }) => span.start <= target.span.start && target.span.end <= span.end);
  return (item === undefined ? null : pathTo(item, target)) ?? [];
}

/** All nodes in some, those included, in no particular order. */
export function nodesOf(roots: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    open.push(...childrenOf(node));
  }
  return found;
}

/** The range without white space at its edges. */
export function trimmed(text: string, { start, end }: OffsetRange): OffsetRange {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text[from]!)) from += 1;
  while (to > from && /\s/.test(text[to - 1]!)) to -= 1;
  return { start: from, end: to };
}

/**
 * The expression that is selected, parentheses around it or not; for a cursor the innermost one around it that is more
 * than a name or a literal.
 */
export function expressionIn(file: AnalysedFile, range: OffsetRange): Expression | null {
  const { text } = file.source;
  if (range.start === range.end) {
    const path = file.index.pathAt(range.start);
    return path.filter(isExpression).findLast((node) => isComposed(node) && file.index.callOf(node) === null) ?? null;
  }
  let { start, end } = trimmed(text, range);
  while (start < end) {
    const from = start;
    const to = end;
    const found = file.index
      .nodesIn({ start, end })
      .find((node) => node.span.start === from && node.span.end === to && isExpression(node));
    if (found !== undefined) return found as Expression;
    if (text[start] !== '(' || text[end - 1] !== ')') return null;
    ({ start, end } = trimmed(text, { start: start + 1, end: end - 1 }));
  }
  return null;
}

function isComposed({ kind }: Expression): boolean {
  return kind !== 'name' && kind !== 'invalid-expression' && !(kind.endsWith('-literal') && !kind.includes('y-'));
}

/** What stands in parentheses of its own is replaced with them. */
export function withParentheses(file: AnalysedFile, node: Expression, parent: SyntaxNode | undefined): OffsetRange {
  const { tokens, source } = file.syntax;
  const [opener, closer] = [
    tokens.findLast(({ end }) => end <= node.span.start),
    tokens.find(({ start }) => start >= node.span.end),
  ];
  const isGroup =
    parent !== undefined &&
    groupingParents.has(parent.kind) &&
    opener !== undefined &&
    closer !== undefined &&
    source.text[opener.start] === '(' &&
    source.text[closer.start] === ')' &&
    opener.start >= parent.span.start &&
    closer.end <= parent.span.end &&
    // Without them words would stick together.
    !/\w/.test(source.text[opener.start - 1] ?? '') &&
    !/\w/.test(source.text[closer.end] ?? '');
  return isGroup ? { start: opener.start, end: closer.end } : node.span;
}

/** In these, parentheses around a part belong to it; elsewhere they may be those of a call or a head. */
const groupingParents: ReadonlySet<string> = new Set([
  'binary',
  'unary',
  'cast',
  'conditional',
  'member',
  'return',
  'yield',
  'throw',
  'assignment',
  'declarator',
  'array-literal',
  'object-entry',
  'template',
]);
