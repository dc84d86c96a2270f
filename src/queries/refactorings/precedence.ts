// Parentheses: how tightly expressions bind, and what a place asks for.

import { binaryLevel } from '../../1-parse/precedence.ts';
import type { Expression } from '../../1-parse/syntax-tree.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { keptApart } from './layout.ts';

/** Of what needs parentheses nowhere. */
export const tightest = 15;
const prefix = 14;
export const ofCast = 13;

/** Looser than a cast, tighter than a conditional. */
function ofBinary(operator: string): number {
  return ofCast - 1 - binaryLevel(operator);
}

/** The higher it is, the tighter it binds. */
export function precedenceOf(node: Expression): number {
  switch (node.kind) {
    case 'conditional':
      return 1;
    case 'binary':
      return ofBinary(node.operator);
    case 'cast':
      return ofCast;
    case 'unary':
      return prefix;
    case 'update':
      return node.prefix ? prefix : tightest;
    // What stands behind it in brackets would be one more length.
    case 'new-array':
      return prefix;
    case 'int-literal':
    case 'double-literal':
    case 'boolean-literal':
    case 'null-literal':
    case 'string-literal':
    case 'template':
    case 'name':
    case 'array-literal':
    case 'object-literal':
    case 'member':
    case 'index':
    case 'call':
    case 'invalid-expression':
      return tightest;
  }
}

/** What a child of a node has to have to stand there without parentheses. */
export function precedenceAt(parent: SyntaxNode | undefined, child: Expression): number {
  if (parent?.kind === 'binary') {
    const level = ofBinary(parent.operator);
    return parent.left === child ? level : level + 1;
  }
  if (parent?.kind === 'conditional') return parent.condition === child ? 2 : 1;
  if (parent?.kind === 'cast') return ofCast;
  if (parent?.kind === 'unary' || parent?.kind === 'update') return prefix;
  const isBefore =
    parent?.kind === 'member' ||
    (parent?.kind === 'index' && parent.object === child) ||
    (parent?.kind === 'call' && parent.callee === child);
  return isBefore ? tightest : 0;
}

/** A text in place of an expression, in parentheses where its place or its neighbours ask for them. */
export function placed(text: string, precedence: number, parent: SyntaxNode | undefined, child: Expression): string {
  const { file, start, end } = child.span;
  const isSign = (sign: string | undefined): boolean => sign === '-' || sign === '+';
  const sticks = (isSign(text[0]) && isSign(file.text[start - 1])) || (isSign(text.at(-1)) && isSign(file.text[end]));
  const isNested = precedence < precedenceAt(parent, child);
  const isGrouped = (isNested || sticks) && !isInParentheses(child, parent);
  return keptApart(file.text, { start, end }, isGrouped ? `(${text})` : text);
}

/** Of these, a part in parentheses has them for itself. */
function isInParentheses({ span: { file, start, end } }: Expression, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined || !['binary', 'cast', 'unary', 'member', 'conditional'].includes(parent.kind)) return false;
  return (
    /\(\s*$/.test(file.text.slice(parent.span.start, start)) && /^\s*\)/.test(file.text.slice(end, parent.span.end))
  );
}
