// Continue elimination: what stands behind an `if` that continues moves into its other branch, and a `continue` at the
// end of a body is left out. Passes that take loops apart then see straight control flow.
//
//   loop 1 while (i < n)                  loop 1 while (i < n)
//     if (i == j)                           if (!(i == j))
//       continue 1                            total = (total + i)
//     total = (total + i)
//   step i = (i + 1)                      step i = (i + 1)
//
// Does not apply where several branches go on, which would copy what follows, and to a `continue` in a try.
// Source: Erosa, Hendren, "Taming control flow: a structured approach to eliminating goto statements" (1994).

import { not } from '../../mir/builders.ts';
import { hasLoop } from '../../mir/children.ts';
import type { If, Loop, LoopId, Statement } from '../../mir/mir.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const continueElimination: Pass = {
  name: 'continue-elimination',
  summary: 'what follows a branch that continues becomes the other branch',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges', 'fixed-matrices'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => {
      if (!hasLoop(fn.body)) return fn;
      return { ...fn, body: rewriteBlocks(fn.body, (block) => block.map(withoutContinues)) };
    }),
};

function withoutContinues(node: Statement): Statement {
  return node.kind === 'loop' ? { ...node, body: tail(node.body, node) } : node;
}

/** Statements behind which the iteration ends, without what continues there anyway. */
function tail(nodes: readonly Statement[], loop: Loop): readonly Statement[] {
  const last = nodes.at(-1);
  if (last === undefined) return nodes;
  if (continues(last, loop.id)) return tail(nodes.slice(0, -1), loop);
  const at = nodes.findIndex((node) => node.kind === 'if' && branchesOf(node).some((one) => ends(one, loop.id)));
  const node = nodes[at];
  const rest = nodes.slice(at + 1);
  if (node?.kind !== 'if') return last.kind === 'if' ? [...nodes.slice(0, -1), inTail(last, [], loop)] : nodes;
  const goOn = branchesOf(node).filter((branch) => !ends(branch, loop.id));
  return rest.length > 0 && goOn.length !== 1 ? nodes : [...nodes.slice(0, at), inTail(node, rest, loop)];
}

/** An `if` at the end of an iteration, with what follows in the branch that goes on. */
function inTail(node: If, rest: readonly Statement[], loop: Loop): If {
  const branch = (nodes: readonly Statement[]): readonly Statement[] =>
    tail(ends(nodes, loop.id) ? nodes : [...nodes, ...rest], loop);
  const arms = node.arms.map((arm) => ({ ...arm, then: branch(arm.then) }));
  const otherwise = branch(node.otherwise);
  const [first, ...others] = arms;
  if (first!.then.length > 0 || others.length > 0) return { ...node, arms, otherwise };
  return { ...node, arms: [{ condition: not(first!.condition), then: otherwise }], otherwise: [] };
}

function branchesOf({ arms, otherwise }: If): readonly (readonly Statement[])[] {
  return [...arms.map(({ then }) => then), otherwise];
}

function ends(nodes: readonly Statement[], loop: LoopId): boolean {
  const last = nodes.at(-1);
  return last !== undefined && continues(last, loop);
}

function continues(node: Statement, loop: LoopId): boolean {
  return node.kind === 'continue' && node.loop === loop;
}
