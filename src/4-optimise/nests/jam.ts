// Unroll and jam of a loop of a nest: several of its iterations are worked on at once, so that as many sums as there are
// iterations go on side by side, each in its own order, and what all of them read is read once. Parts of the body are
// distributed over the copies where dependences allow it; from one part on, the tail, they follow each other iteration by
// iteration. Of a triangle (`k < i`) what all iterations have in common is worked on at once.
//
// Source: Callahan, Cocke, Kennedy, "Estimating interlock and improving balance for pipelined architectures" (1988);
// Allen, Kennedy, "Optimizing Compilers for Modern Architectures", section 8.4; for triangles Carr, Kennedy, "Compiler
// blockability of numerical algorithms" (1992).

import type { LocalId } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import { intType } from '../../language/types.ts';
import { add, coefficientOf, localForm, plus } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { copyBounds, copyParts } from './copies.ts';
import type { Difference } from './copies.ts';
import { instancesIn, keepsDependences } from './dependences.ts';
import type { Distinct, JamOrder } from './dependences.ts';
import type { NestLog } from './log.ts';
import { flowOf, setIn } from './scalars.ts';
import { visitParts } from './tree.ts';
import type { Accesses, NestLoop, Part } from './tree.ts';

export interface JamContext {
  readonly accesses: Accesses;
  readonly distinct: Distinct;
  /** Whether a local is read behind the loop. */
  readonly isLiveBehind: (local: LocalId, loop: NestLoop) => boolean;
  /** A local like another. */
  readonly copyLocal: (local: LocalId) => LocalId;
  readonly newInt: (name: string) => LocalId;
  /** For remarks; null where nobody wants to know. */
  readonly log: NestLog | null;
}

/** The loop for so many iterations at once, which ends where fewer are left; null where that cannot be. */
export function jam(loop: NestLoop, around: readonly NestLoop[], copies: number, context: JamContext): NestLoop | null {
  if (!loop.goesUp || loop.step !== 1n || hasFewer(loop, copies)) return null;
  const own = setIn(loop.parts);
  const { exposed, set } = flowOf(loop.parts);
  const isPrivate = (local: LocalId): boolean =>
    !exposed.has(local) && (set.has(local) || !context.isLiveBehind(local, loop));
  const carried = new Set([...own].filter((local) => !isPrivate(local)));
  const variables = new Set([loop.variable]);
  visitParts(loop.parts, (part) => void (part.kind === 'loop' && variables.add(part.variable)));
  const instances = instancesIn(loop.parts, context.accesses, carried);
  const order = ordersOf(loop, around, copies, new Set([...own, ...variables])).find((candidate) =>
    keepsDependences(
      candidate,
      instances,
      context.distinct,
      (earlier, later) => void context.log?.dependences.push({ loop, earlier, later }),
    ),
  );
  if (order === undefined) return null;
  const privates = [...own].filter((local) => !carried.has(local));
  context.log?.jams.push({ loop, copies });
  return copyInOrder(order, privates, context);
}

/** Whether it is known to have fewer iterations. */
function hasFewer({ first, end }: NestLoop, copies: number): boolean {
  const iterations = add(end, first, -1n);
  return iterations.terms.size === 0 && iterations.constant < BigInt(copies);
}

/** The orders that work on a loop inside at once, that with the shortest tail first. */
function ordersOf(
  loop: NestLoop,
  around: readonly NestLoop[],
  copies: number,
  own: ReadonlySet<LocalId>,
): readonly JamOrder[] {
  const common = { loop, around, copies, own };
  const orders: JamOrder[] = [];
  const moves = (part: Part): boolean => part.kind === 'loop' && !canMerge(part, own);
  // From the end on: the more parts are distributed, the more is worked on at once.
  for (let tail = loop.parts.length; tail > 0; tail--) {
    const head = loop.parts.slice(0, tail);
    if (head.some(moves)) continue;
    const next = loop.parts[tail];
    // A loop goes on from where the one in front of it, of the same iteration, has ended.
    if (next?.kind === 'loop' && next.continues === true) continue;
    if (next !== undefined && isTriangle(next, loop, own)) orders.push({ ...common, tail, isTriangular: true });
    if (head.some(({ kind }) => kind === 'loop')) orders.push({ ...common, tail, isTriangular: false });
  }
  const [first] = loop.parts;
  if (first !== undefined && isTriangle(first, loop, own)) orders.push({ ...common, tail: 0, isTriangular: true });
  return orders;
}

/** Whether the bounds of the loop and of those in it are the same in all iterations of another. */
function canMerge(part: NestLoop, own: ReadonlySet<LocalId>): boolean {
  const inside = new Set<LocalId>();
  visitParts([part], (inner) => void (inner.kind === 'loop' && inside.add(inner.variable)));
  const isFixed = ({ terms }: AffineForm): boolean =>
    [...terms.keys()].every((local) => !own.has(local) || inside.has(local));
  let is = true;
  visitParts(
    [part],
    (inner) => void (is &&= inner.kind === 'straight' || (isFixed(inner.first) && isFixed(inner.end))),
  );
  return is;
}

/** Whether only the end of the loop moves, upwards. */
function isTriangle(part: Part, { variable }: NestLoop, own: ReadonlySet<LocalId>): part is NestLoop {
  if (part.kind !== 'loop' || !part.goesUp || part.step !== 1n || coefficientOf(part.end, variable) <= 0n) return false;
  // With the variable as any other local, the bounds of all loops in it must be fixed.
  const others = new Set([...own].filter((local) => local !== variable));
  const isFixed = canMerge({ ...part, parts: [] }, others) && coefficientOf(part.first, variable) === 0n;
  return (
    isFixed &&
    part.parts.every(
      (inner) =>
        inner.kind === 'straight' || canMerge(inner, new Set([...own].filter((local) => local !== part.variable))),
    )
  );
}

function copyInOrder(
  { loop, copies, tail, isTriangular }: JamOrder,
  privates: readonly LocalId[],
  context: JamContext,
): NestLoop {
  const { accesses } = context;
  // The last copy sets what is read behind the loop.
  const differences = Array.from({ length: copies }, (_, index): Difference => {
    const names = index === copies - 1 ? [] : privates.map((local) => [local, context.copyLocal(local)] as const);
    return { variable: loop.variable, by: BigInt(index), names: new Map(names) };
  });
  const all = differences.map((difference) => copyParts(loop.parts, difference, accesses));
  const parts: Part[] = [...merge(all.map((copy) => copy.slice(0, tail)))];
  const triangle = loop.parts[tail];
  if (isTriangular && triangle?.kind === 'loop') {
    const inCommon = all.map((copy) => (copy[tail] as NestLoop).parts);
    parts.push({ ...triangle, weight: triangle.weight * copies, parts: merge(inCommon) });
    const reached = context.newInt('reached');
    const { span } = triangle.source;
    const value = getLocal(triangle.variable, intType, span);
    parts.push({ kind: 'straight', statements: [{ kind: 'set-local', local: reached, value, span }] });
    all.forEach((copy, index) => {
      const { end } = copyBounds(triangle, differences[index]!);
      // The first copy has nothing left, and its parts are the ones that the common part was made of.
      const again = copyParts([triangle], differences[index]!, accesses)[0] as NestLoop;
      if (index > 0) parts.push({ ...again, first: localForm(reached), end });
      parts.push(...copy.slice(tail + 1));
    });
  } else for (const copy of all) parts.push(...copy.slice(tail));
  return {
    ...loop,
    step: BigInt(copies),
    end: plus(loop.end, BigInt(1 - copies)),
    weight: loop.weight * copies,
    parts: joinStraight(parts),
  };
}

/** The copies of the same parts as one: loops become one loop. */
function merge(copies: readonly (readonly Part[])[]): readonly Part[] {
  const [first, ...others] = copies as readonly [readonly Part[], ...(readonly (readonly Part[])[])];
  return first.map((part, index): Part => {
    const all = [part, ...others.map((copy) => copy[index]!)];
    if (part.kind === 'straight')
      return { kind: 'straight', statements: all.flatMap((copy) => (copy.kind === 'straight' ? copy.statements : [])) };
    const bodies = all.flatMap((copy) => (copy.kind === 'loop' ? [copy.parts] : []));
    return { ...part, weight: part.weight * copies.length, parts: merge(bodies) };
  });
}

/** Straight parts that follow each other as one. */
export function joinStraight(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'straight' && last?.kind === 'straight')
      joined[joined.length - 1] = { kind: 'straight', statements: [...last.statements, ...part.statements] };
    else joined.push(part);
  }
  return joined;
}
