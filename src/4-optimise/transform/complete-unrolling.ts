// Complete unrolling: a loop of a few iterations in a recursive function becomes its iterations, one behind the other.
// Each call would begin the loop anew, with all that stands in front of a loop, for a handful of iterations.
//
//   loop 1 while (row < 3)                    if (!taken[0])
//     if taken[row]                             #place(taken, 0)
//       continue 1                            row = (row + 1)
//     #place(taken, row)                      if (!taken[1])
//   step                                        #place(taken, 1)
//     row = (row + 1)                         row = (row + 1) …
//
// Applies to innermost counted loops with a constant begin, limit and step that are not left by break; a `continue` under
// a condition becomes the other branch. The iterations together have at most 768 nodes. If fuel is counted, each of them
// uses a unit as before.
// Source: complete unrolling; Muchnick, "Advanced Compiler Design and Implementation", section 17.4.3.

import type { CountedLoop, Expression, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { arithmetic, int, not } from '../../mir/builders.ts';
import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { plainLimit } from '../analysis/counted-loops.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';

const mostIterations = 8n;
/** The iterations have at most this number of nodes together. */
const largest = 768;

export const completeUnrolling: Pass = {
  name: 'complete-unrolling',
  summary: 'loops of few iterations in recursive functions become these iterations',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) => {
    const recursive = context.analyses.get('recursion').recursive();
    if (recursive.size === 0) return program;
    return mapFunctions(program, context, (fn, id) => (recursive.has(id) ? withoutShortLoops(fn, context) : fn));
  },
};

function withoutShortLoops(fn: MirFunction, context: PassContext): MirFunction {
  let has = false;
  const body = rewriteBlocks(fn.body, (block) =>
    block.flatMap((node) => {
      const unrolled = node.kind === 'loop' && node.counted !== undefined ? unroll(node, node.counted, context) : null;
      has ||= unrolled !== null;
      return unrolled ?? [node];
    }),
  );
  return has ? { ...fn, body } : fn;
}

function unroll(loop: Loop, counted: CountedLoop, { settings, remarks }: PassContext): readonly Statement[] | null {
  const values = valuesOf(loop, counted);
  if (values === null || values.length === 0 || hasLoop([...loop.body, ...loop.step])) return null;
  let size = 0;
  visitAll([...loop.body, ...loop.step], () => void (size += 1));
  if (size * values.length > largest) return null;
  const body = withoutContinue(loop.body, loop.id);
  if (body === null || leaves([...body, ...loop.step], loop.id)) return null;
  const { span } = loop;
  const charge: readonly Statement[] = settings.countsFuel ? [{ kind: 'charge', units: int(1n, span), span }] : [];
  remarks?.add('unrolled', span, { iterations: String(values.length) });
  // The step may read the variable before and behind its own setting of it.
  return values.flatMap((value) => [...withValue(body, counted, value), ...loop.step, ...charge]);
}

/** The statements where the variable of a loop is known. */
function withValue(body: readonly Statement[], { variable }: CountedLoop, value: bigint): readonly Statement[] {
  return rewriteExpressions(body, (node) => {
    if (node.kind === 'get-local' && node.local === variable) return int(value, node.span);
    const symbol = node.kind === 'operate' ? /^([-+*])\(int,int\)$/.exec(node.operator)?.[1] : undefined;
    if (node.kind !== 'operate' || symbol === undefined) return node;
    const [left, right] = node.operands as readonly [Expression, Expression];
    return right.kind === 'int' ? arithmetic(symbol as '+' | '-' | '*', left, right) : node;
  });
}

/** What the variable is in each iteration; null if they are too many, or not known. */
function valuesOf({ condition, testFirst }: Loop, counted: CountedLoop): readonly bigint[] | null {
  const { comparison, start, step, limitStep } = counted;
  const limit = plainLimit(counted);
  const isPlain = condition?.kind === 'operate' && condition.operator === `${comparison}(int,int)`;
  if (start === null || limit?.kind !== 'int' || step.kind !== 'int' || limitStep !== 0n) return null;
  if (!isPlain || !testFirst || step.value === 0n) return null;
  const holds: Readonly<Record<CountedLoop['comparison'], (value: bigint) => boolean>> = {
    '<': (value) => value < limit.value,
    '<=': (value) => value <= limit.value,
    '>': (value) => value > limit.value,
    '>=': (value) => value >= limit.value,
  };
  const values: bigint[] = [];
  for (let value = start; holds[comparison](value); value += step.value) {
    if (values.length >= mostIterations || BigInt.asIntN(64, value + step.value) !== value + step.value) return null;
    values.push(value);
  }
  return values;
}

/** The body with what stands behind `if (…) continue` in the other branch; null if it goes on in another way. */
function withoutContinue(nodes: readonly Statement[], loop: LoopId): readonly Statement[] | null {
  const at = nodes.findIndex((node) => leaves([node], loop));
  const node = nodes[at];
  if (node === undefined) return nodes;
  if (node.kind !== 'if' || node.arms.length > 1 || leaves(node.otherwise, loop)) return null;
  const [arm] = node.arms as readonly [(typeof node.arms)[number]];
  const last = arm.then.at(-1);
  const then = arm.then.slice(0, -1);
  const behind = withoutContinue(nodes.slice(at + 1), loop);
  if (last?.kind !== 'continue' || last.loop !== loop || leaves(then, loop) || behind === null) return null;
  const otherwise = [...node.otherwise, ...behind];
  const choice: Statement =
    then.length === 0
      ? { ...node, arms: [{ ...arm, condition: inverse(arm.condition), then: otherwise }], otherwise: [] }
      : { ...node, arms: [{ ...arm, then }], otherwise };
  return [...nodes.slice(0, at), choice];
}

function inverse(condition: Expression): Expression {
  return condition.kind === 'operate' && condition.operator === '!(boolean)' ? condition.operands[0]! : not(condition);
}

/** Whether a statement goes to the end of an iteration of the loop, or of the loop. */
function leaves(nodes: readonly Statement[], loop: LoopId): boolean {
  let found = false;
  visitStatements(nodes, (node) => {
    found ||= (node.kind === 'break' || node.kind === 'continue') && node.loop === loop;
  });
  return found;
}
