// Statements in a row, and the bodies of branches and loops. Keeps track of whether control can come to the
// next statement.

import type { Statement as StatementSyntax } from '../1-parse/syntax-tree.ts';
import type { FunctionChecker } from './checker.ts';
import type { Statement } from './typed-tree.ts';

/** Statements in a row; the first that can never run is warned of, once for a region. */
export function checkStatements(
  fc: FunctionChecker,
  nodes: readonly StatementSyntax[],
  check: (node: StatementSyntax) => Statement[] = (node) => fc.checker.gate.statement(fc, node),
): Statement[] {
  let isUnreachable = false;
  return nodes.flatMap((node) => {
    if (!fc.reachable && !isUnreachable && node.kind !== 'empty') {
      isUnreachable = true;
      fc.checker.warn('unreachableCode', node.span, {});
    }
    if (!isUnreachable) return check(node);
    // What is inside is checked as if it could run, so that nothing is said twice.
    fc.reachable = true;
    const checked = check(node);
    fc.reachable = false;
    return checked;
  });
}

/** The body of a branch or loop, in a scope of its own. */
export function checkBody(fc: FunctionChecker, node: StatementSyntax): Statement[] {
  return fc.inScope(() => (node.kind === 'block' ? checkStatements(fc, node.statements) : fc.checker.gate.statement(fc, node)));
}
