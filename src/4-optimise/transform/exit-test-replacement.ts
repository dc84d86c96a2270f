// Loops that end where an array does. Engines compare each index with the length of the array themselves, and leave
// that out behind the very same comparison. So a loop whose last index is the last one of an array makes it its
// condition:
//
// `for (i = a; i < limit; i++) … x[i] …` becomes `for (i = a; i within x; i++) … x[i] …`, where x has limit elements.

import type { CountedLoop, Expression, Local, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import { copyLoop } from '../../mir/clone.ts';
import { arithmetic, getLocal, int, not, within } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';

/** Raw elements, one of which every turn reads or writes, at the variable and a constant. */
export interface Reach {
  readonly elements: LocalId;
  readonly low: bigint;
  readonly high: bigint;
}

/** The other condition of a loop, and what must hold besides for the two to be the same; null for nothing. */
export interface ExactEnd {
  readonly condition: Expression;
  readonly proviso: Expression | null;
}

/** For more nodes than this one comparison less does not show. */
const largestExact = 60;

/**
 * How the loop can end with one of the arrays, if all indices of its turns are in range. For a variable that goes up,
 * the array that reaches furthest ahead is the one that is likely to end with the loop.
 */
export function findExactEnd(
  loop: Loop,
  { variable, comparison, limit, limitStep }: CountedLoop,
  plainLimit: Expression,
  reaches: readonly Reach[],
  locals: readonly Local[],
): ExactEnd | null {
  if (limitStep !== 0n || reaches.length === 0 || countNodes(loop) > largestExact) return null;
  const { span } = loop;
  const at = ({ elements }: Reach, index: Expression, offset: bigint): Expression =>
    within(arithmetic('+', index, int(offset, span)), getLocal(elements, locals[elements]!.type, span));
  const counter = getLocal(variable, intType, span);
  if (comparison === '<' || comparison === '<=') {
    const furthest = reaches.reduce((best, reach) => (reach.high > best.high ? reach : best));
    const behind = comparison === '<' ? plainLimit : arithmetic('+', plainLimit, int(1n, span));
    return { condition: at(furthest, counter, furthest.high), proviso: not(at(furthest, behind, furthest.high)) };
  }
  // Down to the first element: what comes below it is no index either.
  if (limit.kind !== 'int') return null;
  const last = comparison === '>=' ? limit.value : limit.value + 1n;
  const ending = reaches.find(({ low }) => last + low === 0n);
  return ending === undefined ? null : { condition: at(ending, counter, ending.low), proviso: null };
}

/** A loop that may make all its turns without looking at its indices, and one that ends with an array where it can. */
export function withExactEnd(loop: Loop, end: ExactEnd | null, newLoop: () => LoopId): Statement {
  if (end === null) return loop;
  const { condition, proviso } = end;
  if (proviso === null) return { ...loop, condition };
  const exact: Loop = { ...copyLoop(loop, newLoop(), new Set()), condition };
  return { kind: 'if', arms: [{ condition: proviso, then: [exact] }], otherwise: [loop], span: loop.span };
}

function countNodes(loop: Loop): number {
  let nodes = 0;
  visitAll([loop], () => {
    nodes += 1;
  });
  return nodes;
}
