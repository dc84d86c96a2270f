// Rebuilds a tree with other expressions and statements.

import type { Expression, Statement } from './mir.ts';
import type { MirFunction } from './program.ts';
import { isSimple } from './kinds.ts';
import { blocksOf, operandsOf, withBlocks, withOperands } from './children.ts';

/** Gives the node that replaces one whose children have been rewritten; `original` is the node as it was. */
type ChangeExpression = (node: Expression, original: Expression) => Expression;
type ChangeStatement = (node: Statement, original: Statement) => Statement;

/**
 * The statements with `change` applied to every expression, and `changeStatement` to every statement, those inside it
 * first.
 */
export function rewriteExpressions(
  nodes: readonly Statement[],
  change: ChangeExpression,
  changeStatement: ChangeStatement = (node) => node,
): readonly Statement[] {
  return nodes.map((node) => changeStatement(rewriteParts(node, change, changeStatement), node));
}

function rewriteParts(node: Statement, change: ChangeExpression, changeStatement: ChangeStatement): Statement {
  const value = (part: Expression): Expression => rewriteExpression(part, change, changeStatement);
  const statements = (parts: readonly Statement[]): readonly Statement[] =>
    rewriteExpressions(parts, change, changeStatement);
  if (isSimple(node)) return withOperands(node, operandsOf(node).map(value));
  switch (node.kind) {
    case 'set-local':
      return { ...node, value: value(node.value) };
    case 'if':
      return {
        ...node,
        arms: node.arms.map((arm) => ({ ...arm, condition: value(arm.condition), then: statements(arm.then) })),
        otherwise: statements(node.otherwise),
      };
    case 'loop':
      return {
        ...node,
        condition: node.condition === null ? null : value(node.condition),
        body: statements(node.body),
        step: statements(node.step),
        ...(node.counted === undefined ? {} : { counted: { ...node.counted, limit: value(node.counted.limit) } }),
      };
    case 'hoist-array':
      return { ...node, array: value(node.array) };
    case 'set-hoisted':
      return {
        ...node,
        // It is not looked at where the access is not checked.
        hoisted: node.checked ? { ...node.hoisted, array: value(node.hoisted.array) } : node.hoisted,
        index: value(node.index),
        value: value(node.value),
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
    case 'call-outlined':
    case 'return-live-outs':
    case 'osr-exit':
      return node;
  }
}

/** The statements with `change` applied to each list of statements among them, those inside first. */
export function rewriteBlocks(
  nodes: readonly Statement[],
  change: (block: readonly Statement[]) => readonly Statement[],
): readonly Statement[] {
  return change(
    nodes.map((node) => {
      const blocks = blocksOf(node);
      if (blocks.length === 0) return node;
      return withBlocks(
        node,
        blocks.map((block) => rewriteBlocks(block, change)),
      );
    }),
  );
}

/** The expression with `change` applied to it and to all in it, those inside first. */
export function rewriteExpression(
  node: Expression,
  change: ChangeExpression,
  changeStatement: ChangeStatement = (part) => part,
): Expression {
  const operands = operandsOf(node);
  const parts =
    operands.length === 0 ? operands : operands.map((part) => rewriteExpression(part, change, changeStatement));
  const rewritten = withOperands(node, parts);
  return change(
    rewritten.kind === 'sequence'
      ? { ...rewritten, statements: rewriteExpressions(rewritten.statements, change, changeStatement) }
      : rewritten,
    node,
  );
}

/** The function with `change` applied to the default values that the host may leave to it. */
export function rewriteDefaults(fn: MirFunction, change: ChangeExpression): MirFunction {
  const parameters = fn.parameters.map(({ local, initialiser }) => ({
    local,
    initialiser: initialiser === null ? null : rewriteExpression(initialiser, change),
  }));
  return { ...fn, parameters };
}
