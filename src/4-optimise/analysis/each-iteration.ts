// Expressions that are evaluated in each iteration of the `for` loops around them, so that a loop that runs loses nothing
// where they are evaluated in front of it.

import { blocksOf, operandsOf } from '../../mir/children.ts';
import { isSimple } from '../../mir/kinds.ts';
import type { Expression, Loop, Statement } from '../../mir/mir.ts';

/**
 * Visits them from the outside in, with what `enter` gave for each of those loops, outermost first; what is inside of an
 * expression is visited unless `visit` says that it is done with.
 */
export function visitEachIteration<Scope>(
  body: readonly Statement[],
  enter: (loop: Loop) => Scope,
  visit: (node: Expression, scopes: readonly Scope[]) => boolean,
): void {
  const block = (nodes: readonly Statement[], scopes: readonly Scope[]): void => {
    for (const node of nodes) {
      if (node.kind === 'loop') {
        const isFor = node.counted !== undefined || node.step.length > 0;
        block(node.body, isFor ? [...scopes, enter(node)] : []);
        continue;
      }
      for (const inner of blocksOf(node)) block(inner, node.kind === 'block' ? scopes : []);
      for (const value of evaluatedBy(node)) find(value, scopes);
    }
  };
  const find = (node: Expression, scopes: readonly Scope[]): void => {
    if (scopes.length === 0 || visit(node, scopes)) return;
    if (node.kind === 'logical' || node.kind === 'conditional') return find(operandsOf(node)[0]!, scopes);
    if (node.kind === 'sequence') block(node.statements, scopes);
    for (const operand of operandsOf(node)) find(operand, scopes);
  };
  block(body, []);
}

/** The expressions that a statement always evaluates itself. */
function evaluatedBy(node: Statement): readonly Expression[] {
  if (isSimple(node)) return operandsOf(node);
  if (node.kind === 'set-local') return [node.value];
  if (node.kind === 'set-hoisted') return [node.index, node.value];
  return node.kind === 'if' ? [node.arms[0]!.condition] : [];
}
