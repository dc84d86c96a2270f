// Exit-test replacement: a loop whose last index is the last index of an array takes the comparison of the index with
// the length of that array as its condition. Engines do their own bounds check at each access, and remove it if the
// same comparison dominates the access.
//
//   loop 2 while (i < n)                     if !(n in bounds of $elements)
//     total = (total + a[i] unchecked)         loop 3 while (i in bounds of $elements) …
//                                            else
//                                              loop 2 while (i < n) …
//
// Applies to the versions without checks that bounds-check elimination made, if they run to their end: a loop in strips
// gains nothing. Does not apply to arrays on the stack, which no engine checks, if no index is the variable plus a
// constant, if the limit changes in the loop, and to loops of many nodes.
// Source: linear-function test replacement; Allen, Cocke, Kennedy, "Reduction of operator strength", 1981; Muchnick,
// "Advanced Compiler Design", section 14.1.4.

import type { CountedLoop, Expression, If, IndexRange, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { intType, isOnStack } from '../../language/types.ts';
import { arithmetic, getLocal, int, not, inBounds } from '../../mir/builders.ts';
import { visitAll, visitStatements } from '../../mir/children.ts';
import { copyLoop } from '../../mir/clone.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { plainLimit } from '../analysis/counted-loops.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const exitTestReplacement: Pass = {
  name: 'exit-test-replacement',
  summary: 'loops without checks end where an array does',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => {
    // A function that recursion calls never stops in its loops.
    const often = context.analyses.get('recursion').calledByRecursion();
    return mapFunctions(program, context, (fn, id) => replaceExitTests(fn, often.has(id)));
  },
};

function replaceExitTests(fn: MirFunction, runsThrough: boolean): MirFunction {
  let hasVersions = false;
  let lastLoop: LoopId = 0;
  visitStatements(fn.body, (node) => {
    if (node.kind === 'loop') lastLoop = Math.max(lastLoop, node.id);
    if (node.kind === 'if') hasVersions ||= node.versions !== undefined;
  });
  if (!hasVersions) return fn;
  const replace = (node: Statement): Statement => {
    if (node.kind !== 'if' || node.versions === undefined) return node;
    const [{ condition, then }] = node.arms as readonly [If['arms'][number]];
    const [loop] = then;
    if (loop?.kind !== 'loop' || loop.counted === undefined || !(runsThrough || loop.isShort === true)) return node;
    const end = findExactEnd(loop, loop.counted, node.versions.inRange, fn.locals);
    return end === null ? node : { ...node, arms: [{ condition, then: [withExactEnd(loop, end, (lastLoop += 1))] }] };
  };
  return { ...fn, body: rewriteBlocks(fn.body, (block) => block.map(replace)) };
}

/** The new condition of a loop, and the condition under which it is equivalent to the old one; null if it always is. */
interface ExactEnd {
  readonly condition: Expression;
  readonly proviso: Expression | null;
}

/** In a loop of more nodes than this, the saved comparison cannot be measured. */
const largestExact = 60;

/**
 * The new condition, given that all indices of the loop are in range; null if there is none. For a variable that counts
 * up, the array whose index is furthest ahead of the variable is the one that most likely ends with the loop.
 */
function findExactEnd(
  loop: Loop,
  counted: CountedLoop,
  all: readonly IndexRange[],
  locals: readonly Local[],
): ExactEnd | null {
  const inRange = all.filter(({ elements }) => !isOnStack(locals[elements]!.type));
  const { variable, comparison, limit, limitStep } = counted;
  const last = plainLimit(counted);
  if (last === null || limitStep !== 0n || inRange.length === 0 || countNodes(loop) > largestExact) return null;
  const { span } = loop;
  const at = ({ elements }: IndexRange, index: Expression, offset: bigint): Expression =>
    inBounds(arithmetic('+', index, int(offset, span)), getLocal(elements, locals[elements]!.type, span));
  const counter = getLocal(variable, intType, span);
  if (comparison === '<' || comparison === '<=') {
    const furthest = inRange.reduce((best, range) => (range.high > best.high ? range : best));
    const behind = comparison === '<' ? last : arithmetic('+', last, int(1n, span));
    return { condition: at(furthest, counter, furthest.high), proviso: not(at(furthest, behind, furthest.high)) };
  }
  // The loop counts down to index 0: the next index is negative, so it is out of bounds.
  if (limit.kind !== 'int') return null;
  const lowest = comparison === '>=' ? limit.value : limit.value + 1n;
  const ending = inRange.find(({ low }) => lowest + low === 0n);
  return ending === undefined ? null : { condition: at(ending, counter, ending.low), proviso: null };
}

/** The loop with the new condition; in a version of its own if the new condition is not always equivalent. */
function withExactEnd(loop: Loop, { condition, proviso }: ExactEnd, id: LoopId): Statement {
  if (proviso === null) return { ...loop, condition };
  const exact: Loop = { ...copyLoop(loop, id, new Set()), condition };
  return { kind: 'if', arms: [{ condition: proviso, then: [exact] }], otherwise: [loop], span: loop.span };
}

function countNodes(loop: Loop): number {
  let nodes = 0;
  visitAll([loop], () => {
    nodes += 1;
  });
  return nodes;
}
