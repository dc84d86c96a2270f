// Exit-test replacement: loops that end where an array does. Engines compare each index with the length of the array
// themselves, and leave that out behind the very same comparison. So a loop whose last index is the last one of an
// array makes it its condition.
//
//   loop 2 while (i < n)                     if !(n in bounds of $elements)
//     total = (total + a[i] unchecked)         loop 3 while (i in bounds of $elements) …
//                                            else
//                                              loop 2 while (i < n) …
//
// Applies to loops that bounds-check elimination has freed of checks and that run through; in strips there is nothing
// to gain. Not where no index is the variable and a constant, where the limit moves, and to loops of many nodes.
// Source: linear-function test replacement; Allen, Cocke, Kennedy, "Reduction of operator strength", 1981; Muchnick,
// "Advanced Compiler Design", section 14.1.4.

import type { CountedLoop, Expression, If, IndexRange, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { intType } from '../../language/types.ts';
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
    // Loops of functions that recursion calls are never stopped.
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

/**
 * The replacement of the condition of a loop, and the condition under which both are equivalent; null if they always
 * are.
 */
interface ExactEnd {
  readonly condition: Expression;
  readonly proviso: Expression | null;
}

/** For more nodes than this one comparison less does not show. */
const largestExact = 60;

/**
 * How the loop can end with one of the arrays, if all indices of its iterations are in range. For a variable that goes up,
 * the array that reaches furthest ahead is the one that is likely to end with the loop.
 */
function findExactEnd(
  loop: Loop,
  counted: CountedLoop,
  inRange: readonly IndexRange[],
  locals: readonly Local[],
): ExactEnd | null {
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
  // Down to the first element: what comes below it is no index either.
  if (limit.kind !== 'int') return null;
  const lowest = comparison === '>=' ? limit.value : limit.value + 1n;
  const ending = inRange.find(({ low }) => lowest + low === 0n);
  return ending === undefined ? null : { condition: at(ending, counter, ending.low), proviso: null };
}

/** A loop that ends with an array where it can, in a version of its own where that is not always so. */
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
