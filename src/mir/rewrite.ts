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
  return mapped(nodes, (node) => changeStatement(rewriteParts(node, change, changeStatement), node));
}

/** The list itself where nothing in it changes: most rewrites change little, and copies of all else take time. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  let made: Item[] | null = null;
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    const changed = change(item);
    if (made === null && changed !== item) made = items.slice(0, at);
    made?.push(changed);
  }
  return made ?? items;
}

function rewriteParts(node: Statement, change: ChangeExpression, changeStatement: ChangeStatement): Statement {
  const value = (part: Expression): Expression => rewriteExpression(part, change, changeStatement);
  const statements = (parts: readonly Statement[]): readonly Statement[] =>
    rewriteExpressions(parts, change, changeStatement);
  if (isSimple(node)) {
    const operands = operandsOf(node);
    const parts = mapped(operands, value);
    return parts === operands ? node : withOperands(node, parts);
  }
  switch (node.kind) {
    case 'set-local': {
      const set = value(node.value);
      return set === node.value ? node : { ...node, value: set };
    }
    case 'if': {
      const arms = mapped(node.arms, (arm) => {
        const condition = value(arm.condition);
        const then = statements(arm.then);
        return condition === arm.condition && then === arm.then ? arm : { ...arm, condition, then };
      });
      const otherwise = statements(node.otherwise);
      return arms === node.arms && otherwise === node.otherwise ? node : { ...node, arms, otherwise };
    }
    case 'loop': {
      const condition = node.condition === null ? null : value(node.condition);
      const body = statements(node.body);
      const step = statements(node.step);
      const limit = node.counted === undefined ? undefined : value(node.counted.limit);
      const isSame =
        condition === node.condition && body === node.body && step === node.step && limit === node.counted?.limit;
      if (isSame) return node;
      const counted = limit === undefined ? {} : { counted: { ...node.counted!, limit } };
      return { ...node, condition, body, step, ...counted };
    }
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
    mapped(nodes, (node) => {
      const blocks = blocksOf(node);
      const rewritten = mapped(blocks, (block) => rewriteBlocks(block, change));
      return rewritten === blocks ? node : withBlocks(node, rewritten);
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
  const parts = mapped(operands, (part) => rewriteExpression(part, change, changeStatement));
  const rewritten = parts === operands ? node : withOperands(node, parts);
  if (rewritten.kind !== 'sequence') return change(rewritten, node);
  const statements = rewriteExpressions(rewritten.statements, change, changeStatement);
  return change(statements === rewritten.statements ? rewritten : { ...rewritten, statements }, node);
}

/** The function with `change` applied to the default values that the host may leave to it. */
export function rewriteDefaults(fn: MirFunction, change: ChangeExpression): MirFunction {
  const parameters = fn.parameters.map(({ local, initialiser }) => ({
    local,
    initialiser: initialiser === null ? null : rewriteExpression(initialiser, change),
  }));
  return { ...fn, parameters };
}

/** The statement with all loops in it as those that do little: another form of them does what there is to do. */
export function asCold(node: Statement): Statement {
  const [cold] = rewriteBlocks([node], (block) =>
    block.map((part) => (part.kind === 'loop' ? { ...part, isCold: true } : part)),
  ) as readonly [Statement];
  return cold;
}
