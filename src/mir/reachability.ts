// Reachability by the structure of statements alone: conditions are taken to be true or false, but for those of loops
// that are `true`, or none.
//
// Source: Gosling, Joy, Steele, "The Java Language Specification", section 14.22 (unreachable statements).

import { visitAll } from './children.ts';
import { isJump, isStructured } from './kinds.ts';
import type { Loop, LoopId, Statement } from './mir.ts';

/** Whether control can come to the end of the statements. */
export function completes(statements: readonly Statement[]): boolean {
  return statements.every(reachesEnd);
}

/** Whether control can come behind the statement: not behind a jump, nor behind a loop that nothing leaves. */
export function reachesEnd(node: Statement): boolean {
  if (isJump(node)) return false;
  if (!isStructured(node)) return true;
  switch (node.kind) {
    case 'block':
      return completes(node.statements);
    case 'if':
      return node.arms.some(({ then }) => completes(then)) || completes(node.otherwise);
    case 'loop': {
      const { id, testFirst, body } = node;
      const comesToTest = testFirst || completes(body) || leaves(body, 'continue', id);
      return (!isEndless(node) && comesToTest) || leaves(body, 'break', id);
    }
    case 'try':
      return completes(node.body) || node.clauses.some(({ body }) => completes(body));
  }
}

/** Whether the loop's condition never ends it: `while (true)`, or none. */
export function isEndless({ condition }: Loop): boolean {
  return condition === null || (condition.kind === 'boolean' && condition.value);
}

function leaves(body: readonly Statement[], kind: 'break' | 'continue', loop: LoopId): boolean {
  let found = false;
  visitAll(body, (node) => (found ||= node.kind === kind && node.loop === loop));
  return found;
}
