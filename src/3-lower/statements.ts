// Dispatch on the kind of a statement.

import type { If, Statement } from '../2-check/typed-tree.ts';
import type * as mir from '../mir/mir.ts';
import { checkNull } from './checks.ts';
import { lowerYield } from './collector.ts';
import { lowerKey } from './expressions.ts';
import type { FunctionLowering } from './function-lowering.ts';

export function lowerStatements(lowering: FunctionLowering, nodes: readonly Statement[]): readonly mir.Statement[] {
  return nodes.map((node) => lowerStatement(lowering, node));
}

function lowerStatement(to: FunctionLowering, node: Statement): mir.Statement {
  switch (node.kind) {
    case 'set-local':
    case 'set-global':
      return { ...node, value: to.expression(node.value) };
    case 'yield':
      return lowerYield(to.collector, { ...node, value: to.expression(node.value) });
    case 'set-field':
      return { ...node, object: to.expression(node.object), value: to.expression(node.value) };
    case 'set-element': {
      const { array, index, value } = node;
      return { ...node, array: to.expression(array), index: to.expression(index), value: to.expression(value) };
    }
    case 'set-member': {
      const { json, key, value } = node;
      return { ...node, json: to.expression(json), key: lowerKey(to, key), value: to.expression(value) };
    }
    case 'set-item': {
      const { json, index, value } = node;
      return { ...node, json: to.expression(json), index: to.expression(index), value: to.expression(value) };
    }
    case 'evaluate':
      return { ...node, expression: to.expression(node.expression) };
    case 'if':
      return lowerIf(to, node);
    case 'loop':
      return {
        ...node,
        condition: node.condition === null ? null : to.expression(node.condition),
        body: to.statements(node.body),
        step: to.statements(node.step),
      };
    case 'break':
    case 'continue':
      return node;
    case 'return':
    case 'finish':
      return { ...node, value: node.value === null ? null : to.expression(node.value) };
    case 'throw':
      return { ...node, message: checkNull(to, node.message, 'the message of throw', node.span) };
    case 'try':
      return {
        ...node,
        body: to.statements(node.body),
        clauses: node.clauses.map((clause) => ({ ...clause, body: to.statements(clause.body) })),
      };
    case 'block':
      return { ...node, statements: to.statements(node.statements) };
  }
}

/** A chain of `else if` nests as deep as it is long, so each `else if` becomes an arm of the first `if`. */
function lowerIf(to: FunctionLowering, node: If): mir.If {
  const arms: mir.Arm[] = [];
  let last = node;
  for (;;) {
    arms.push({ condition: to.expression(last.condition), then: to.statements(last.then) });
    const [only, ...others] = last.otherwise;
    if (only?.kind !== 'if' || others.length > 0) break;
    last = only;
  }
  return { kind: 'if', arms, otherwise: to.statements(last.otherwise), span: node.span };
}
