// Makes a tree again with other expressions in it.

import { chainOf } from '../2-check/typed-tree.ts';
import type { Expression, If, Statement } from '../2-check/typed-tree.ts';
import { operandsOf, withOperands } from './children.ts';

type ChangeExpression = (node: Expression) => Expression;
type ChangeStatement = (node: Statement) => Statement;

/**
 * The statements with `change` applied to every expression, and `changeStatement` to every statement, those inside it
 * first.
 */
export function rewriteExpressions(
  nodes: readonly Statement[],
  change: ChangeExpression,
  changeStatement: ChangeStatement = (node) => node,
): readonly Statement[] {
  return nodes.map((node) => changeStatement(rewriteParts(node, change, changeStatement)));
}

function rewriteParts(node: Statement, change: ChangeExpression, changeStatement: ChangeStatement): Statement {
  const value = (part: Expression): Expression => rewriteExpression(part, change, changeStatement);
  const statements = (parts: readonly Statement[]): readonly Statement[] =>
    rewriteExpressions(parts, change, changeStatement);
  switch (node.kind) {
    case 'set-local':
      return { ...node, value: value(node.value) };
    case 'if': {
      const links = chainOf(node).map((link) => ({
        ...link,
        condition: value(link.condition),
        then: statements(link.then),
      }));
      const last = { ...links.at(-1)!, otherwise: statements(links.at(-1)!.otherwise) };
      return links.slice(0, -1).reduceRight<If>((next, link) => ({ ...link, otherwise: [next] }), last);
    }
    case 'loop':
      return {
        ...node,
        condition: node.condition === null ? null : value(node.condition),
        body: statements(node.body),
        step: statements(node.step),
      };
    case 'return':
    case 'finish':
      return node.value === null ? node : { ...node, value: value(node.value) };
    case 'try':
      return {
        ...node,
        body: statements(node.body),
        clauses: node.clauses.map((clause) => ({ ...clause, body: statements(clause.body) })),
      };
    case 'block':
      return { ...node, statements: statements(node.statements) };
    case 'break':
    case 'continue':
    case 'hold-array':
    case 'set-held':
    case 'call-part':
    case 'hand-back':
      return node;
    default:
      return withOperands(node, operandsOf(node).map(value));
  }
}

/** Sums of many terms nest to the left, so that spine is walked in a loop. */
export function rewriteExpression(
  node: Expression,
  change: ChangeExpression,
  changeStatement: ChangeStatement = (part) => part,
): Expression {
  const rewrite = (part: Expression): Expression => rewriteExpression(part, change, changeStatement);
  const spine: (Expression & { readonly kind: 'operate' | 'logical' })[] = [];
  let first = node;
  while (first.kind === 'operate' || first.kind === 'logical') {
    spine.push(first);
    first = operandsOf(first)[0]!;
  }
  const parts = operandsOf(first).map(rewrite);
  const rewritten = withOperands(first, parts);
  const innermost =
    rewritten.kind === 'sequence'
      ? { ...rewritten, statements: rewriteExpressions(rewritten.statements, change, changeStatement) }
      : rewritten;
  return spine.reduceRight<Expression>(
    (left, part) => change(withOperands(part, [left, ...operandsOf(part).slice(1).map(rewrite)])),
    change(innermost),
  );
}
