// Statements that are selected as a whole: a row of them in one block, at the top of a file, or the body of a branch or
// a loop.

import type { Statement } from '../../1-parse/syntax-tree.ts';
import type { AnalysedFile } from '../analysis.ts';
import { lastStartingUpTo } from '../file-index.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { isStatement, nodesOf, pathInFile, trimmed } from './nodes.ts';
import type { OffsetRange } from './nodes.ts';

export interface SelectedStatements {
  readonly statements: readonly Statement[];
  /** Theirs, with the comments that are selected with them. */
  readonly range: OffsetRange;
  /** What they are in, the outermost first. */
  readonly around: readonly SyntaxNode[];
}

/** Null if anything else is selected, or only part of a statement. */
export function statementsIn(file: AnalysedFile, selected: OffsetRange): SelectedStatements | null {
  const range = trimmed(file.source.text, selected);
  if (range.start === range.end) return null;
  const first = file.index.nodesIn(range).find((node) => isStatement(node) && holds(range, node));
  if (first === undefined) return null;
  // Of a block the braces stay: they may belong to a function or a clause.
  if (first.kind === 'block' && first.span.start === range.start && first.span.end === range.end)
    return statementsIn(file, { start: range.start + 1, end: range.end - 1 });
  const around = pathInFile(file, first).slice(0, -1);
  const parent = around.at(-1);
  const row: readonly SyntaxNode[] =
    parent === undefined ? file.syntax.items : parent.kind === 'block' ? parent.statements : [first];
  // The head of a `for` has statements in it, which are no steps of their own.
  if (parent?.kind === 'for' && parent.body !== first) return null;
  const statements = row.filter(({ span }) => span.start < range.end && range.start < span.end);
  const isWhole = statements.every((node) => holds(range, node) && isStatement(node));
  const hasMore = file.syntax.tokens.some(({ kind, start, end }) => {
    if (start >= range.end || end <= range.start || kind === 'line-comment' || kind === 'block-comment') return false;
    const holder = statements[lastStartingUpTo(statements, start, ({ span }) => span.start)];
    return holder === undefined || holder.span.end < end;
  });
  const isNothing = statements.every(({ kind }) => kind === 'empty');
  if (!isWhole || isNothing || hasMore || nodesOf(statements).some(isUnread)) return null;
  return { statements: statements as readonly Statement[], range, around };
}

function holds({ start, end }: OffsetRange, { span }: SyntaxNode): boolean {
  return start <= span.start && span.end <= end;
}

function isUnread({ kind }: SyntaxNode): boolean {
  return kind === 'broken' || kind === 'invalid-expression' || kind === 'invalid-type';
}

/** How statements go on behind their end. */
export interface Exits {
  readonly returns: readonly Extract<Statement, { readonly kind: 'return' }>[];
  /** A `break` or a `continue` of a loop around them. */
  readonly hasJump: boolean;
  /** They never reach their end. */
  readonly isClosed: boolean;
}

export function exitsOf(statements: readonly Statement[]): Exits {
  const returns: Extract<Statement, { readonly kind: 'return' }>[] = [];
  let hasJump = false;
  const open: { readonly node: SyntaxNode; readonly inLoop: boolean }[] = statements.map((node) => ({
    node,
    inLoop: false,
  }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, inLoop } = next;
    if (node.kind === 'return') returns.push(node);
    if (node.kind === 'break' || node.kind === 'continue') hasJump ||= !inLoop;
    for (const child of innerStatements(node)) open.push({ node: child, inLoop: inLoop || isLoop(node) });
  }
  return { returns, hasJump, isClosed: statements.some(isClosed) };
}

function innerStatements(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.kind === 'block') return node.statements;
  if (node.kind === 'if') return node.otherwise === null ? [node.then] : [node.then, node.otherwise];
  if (node.kind === 'try') return [node.body, ...node.clauses.map(({ body }) => body)];
  return node.kind === 'while' || node.kind === 'do-while' || node.kind === 'for' || node.kind === 'foreach'
    ? [node.body]
    : [];
}

export function isLoop({ kind }: SyntaxNode): boolean {
  return kind === 'while' || kind === 'do-while' || kind === 'for' || kind === 'foreach';
}

function isClosed(node: Statement): boolean {
  if (node.kind === 'return' || node.kind === 'throw') return true;
  if (node.kind === 'block') return node.statements.some(isClosed);
  if (node.kind === 'if') return node.otherwise !== null && isClosed(node.then) && isClosed(node.otherwise);
  if (node.kind === 'try') return isClosed(node.body) && node.clauses.every(({ body }) => isClosed(body));
  if (node.kind !== 'while' && node.kind !== 'do-while' && node.kind !== 'for') return false;
  const isEndless = node.condition === null || (node.condition.kind === 'boolean-literal' && node.condition.value);
  return isEndless && !hasBreak(node.body);
}

/** Whether a `break` in the body of a loop leaves it. */
function hasBreak(node: SyntaxNode): boolean {
  return node.kind === 'break' || (!isLoop(node) && innerStatements(node).some(hasBreak));
}
