// Statements in a row, and the bodies of branches and loops. Keeps track of whether control can reach the next
// statement.

import type { Statement as StatementSyntax } from '../1-parse/syntax-tree.ts';
import type { FunctionChecker } from './checker.ts';
import type { Statement } from './typed-tree.ts';

/** A list of statements. Warns of the first statement that can never run, once for each region of such statements. */
export function checkStatements(
  fc: FunctionChecker,
  nodes: readonly StatementSyntax[],
  check: (node: StatementSyntax) => Statement[] = (node) => fc.checker.dispatch.statement(fc, node),
): Statement[] {
  let isUnreachable = false;
  fc.blocks.push(nodes);
  const statements = nodes.flatMap((node, index) => {
    if (!fc.reachable && !isUnreachable && node.kind !== 'empty') {
      isUnreachable = true;
      const leaving = nodes[index - 1];
      if (!fc.hasUnread)
        fc.checker.warn(
          'unreachableCode',
          node.span,
          {},
          { labels: leaving === undefined ? [] : [{ span: leaving.span, text: 'control never comes past this' }] },
        );
    }
    if (!isUnreachable) return check(node);
    // The statements behind it are checked as if they could run, so that the warning comes once.
    fc.reachable = true;
    const checked = check(node);
    fc.reachable = false;
    return checked;
  });
  fc.blocks.pop();
  return statements;
}

/** A `;` right behind a head is the whole body: the block that follows runs once, whatever the condition is. */
export function warnOfEmptyBody(
  fc: FunctionChecker,
  head: 'if' | 'else' | 'while' | 'for' | 'foreach',
  body: StatementSyntax,
): void {
  if (body.kind === 'empty') fc.checker.warn('emptyBody', body.span, { head });
}

/** The body of a branch or loop, in a scope of its own. */
export function checkBody(fc: FunctionChecker, node: StatementSyntax): Statement[] {
  return fc.inScope(() =>
    node.kind === 'block' ? checkStatements(fc, node.statements) : fc.checker.dispatch.statement(fc, node),
  );
}
