// What could not be read, and is reported: the parts of it that could are checked, so that tools know what they mean.

import type { Broken, Expression as Syntax, Item, SyntaxFile } from '../1-parse/syntax-tree.ts';
import { checkStatements } from './bodies.ts';
import { invalid } from './checker.ts';
import type { FunctionChecker } from './checker.ts';
import type { Expression, Statement } from './typed-tree.ts';

/** The items of a file; of one that is broken what could be read of it, and then the rest. */
export function readItems(file: SyntaxFile): readonly Item[] {
  if (file.unreadNames === null) return file.items;
  return file.items.flatMap((item): Item[] =>
    item.kind === 'broken' ? [...item.statements, { ...item, statements: [] }] : [item],
  );
}

/** The statements in it are checked as ever, so that all that they declare is known. */
export function checkBroken(fc: FunctionChecker, node: Broken): Statement[] {
  fc.hasUnread = true;
  checkParts(fc, node.expressions);
  checkStatements(fc, node.statements);
  return [];
}

export function checkInvalid(fc: FunctionChecker, node: Syntax & { readonly kind: 'invalid-expression' }): Expression {
  fc.hasUnread = true;
  checkParts(fc, node.expressions);
  return invalid(node.span);
}

/** Nobody knows whether the parts of an expression with a mistake are whole: nothing is said of them. */
function checkParts(fc: FunctionChecker, nodes: readonly Syntax[]): void {
  fc.checker.quietly(() => {
    for (const node of nodes) fc.checker.dispatch.expression(fc, node, null);
  });
}
