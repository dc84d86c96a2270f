// Unroll and jam of a loop of a nest: several of its iterations are worked on at once, so that as many sums as there are
// iterations go on side by side, each in its own order, and what all of them read is read once. Parts of the body are
// distributed over the copies where dependences allow it; from one part on, the tail, they follow each other iteration by
// iteration. Of a triangle (`k < i`) what all iterations have in common is worked on at once.
//
// Source: Callahan, Cocke, Kennedy, "Estimating interlock and improving balance for pipelined architectures" (1988);
// Allen, Kennedy, "Optimizing Compilers for Modern Architectures", section 8.4; for triangles Carr, Kennedy, "Compiler
// blockability of numerical algorithms" (1992).

import type { Expression, LocalId } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { intType } from '../../language/types.ts';
import type { Range } from '../analysis/ranges.ts';
import { add, coefficientOf, localForm, plus } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { accumulate, accumulateVectors, handOnVectors } from './accumulators.ts';
import { copyBounds, copyParts } from './copies.ts';
import type { Difference } from './copies.ts';
import { instancesIn, keepsDependences } from './dependences.ts';
import type { Distinct, JamOrder } from './dependences.ts';
import { nameRecurrences } from './first-order-recurrences.ts';
import type { NestLog, Obstacle } from './log.ts';
import { predicate } from './predication.ts';
import { reductionsIn, sumsIn } from './reductions.ts';
import type { Reductions } from './reductions.ts';
import { storageOf } from './references.ts';
import { flowOf, setIn } from './scalars.ts';
import { branchIn, sizeOf, visitParts } from './tree.ts';
import { lanes, lanesOfSmallInts, vectorise } from './vectors.ts';
import type { Vectors } from './vectors.ts';
import type { Accesses, NestLoop, Part } from './tree.ts';

export interface JamContext {
  readonly accesses: Accesses;
  readonly distinct: Distinct;
  /** Whether a local is read behind the loop. */
  readonly isLiveBehind: (local: LocalId, loop: NestLoop) => boolean;
  /** Loops that need not be jammed are too (thresholds.ts). */
  readonly takesAll: boolean;
  /** A local like another. */
  readonly copyLocal: (local: LocalId) => LocalId;
  readonly newInt: (name: string) => LocalId;
  /** A vector of what a local holds, or of small ints; null where there are none, since arrays stay where they are. */
  readonly newVector: ((local: LocalId, isOfSmall: boolean) => LocalId) | null;
  /** What an int can be wherever it is worked out. */
  readonly rangeOf: (node: Expression) => Range | null;
  readonly newMask: () => LocalId;
  /** What must be at least 0 in front of the nest. */
  readonly required: AffineForm[];
  /** For remarks; null where nobody wants to know. */
  readonly log: NestLog | null;
}

/**
 * The loop for so many iterations at once, which ends where fewer are left; null where that cannot be. `inLanes`: two
 * iterations each in the lanes of vectors.
 */
export function jam(
  loop: NestLoop,
  around: readonly NestLoop[],
  copies: number,
  inLanes: boolean,
  context: JamContext,
): NestLoop | null {
  if (loop.ends !== undefined) return null;
  const refuse = (obstacle: Obstacle): null => {
    context.log?.obstacles.push({ loop, obstacle });
    return null;
  };
  const condition = branchIn(loop);
  if (condition !== null) return refuse({ kind: 'branch', condition });
  if (!loop.goesUp || loop.step !== 1n) return refuse({ kind: 'direction' });
  if (hasFewer(loop, copies)) return refuse({ kind: 'few', copies });
  const own = setIn(loop.parts);
  const { exposed, set } = flowOf(loop.parts);
  const isPrivate = (local: LocalId): boolean =>
    !exposed.has(local) && (set.has(local) || !context.isLiveBehind(local, loop));
  const shared = new Set([...own].filter((local) => !isPrivate(local)));
  const reductions = reductionsIn(loop.parts, shared);
  const carried = new Set([...shared].filter((local) => !reductions.has(local)));
  const variables = new Set([loop.variable]);
  visitParts(loop.parts, (part) => void (part.kind === 'loop' && variables.add(part.variable)));
  const instances = instancesIn(loop.parts, context.accesses, carried);
  if (inLanes && carried.size > 0) return null;
  const keeps = (candidate: JamOrder): boolean =>
    keepsDependences(
      candidate,
      instances,
      context.distinct,
      (earlier, later) => void refuse({ kind: 'dependence', earlier, later }),
    );
  const moved = new Set([...own, ...variables]);
  const orders = ordersOf(loop, around, copies, moved);
  const order = orders.find(keeps);
  if (orders.length === 0) return refuse({ kind: 'bounds', inner: loop.parts.find((part) => isMoved(part, moved))! });
  if (order === undefined) return null;
  const privates = [...own].filter((local) => !shared.has(local));
  if (!inLanes) {
    context.log?.jams.push({ loop, copies });
    const withoutBranches = { ...order, loop: { ...loop, parts: predicate(loop.parts) } };
    return copyInOrder(withoutBranches, { privates, reductions, vectors: null }, context);
  }
  const vectors = keeps({ ...order, copies: lanes, inLanes: true }) ? vectoriseHead(order, reductions, context) : null;
  if (vectors === null) return null;
  context.log?.jams.push({ loop, copies });
  context.log?.vectors.push({ loop, lanes });
  return copyInOrder(order, { privates, reductions, vectors }, context);
}

/** The parts that are worked on at once as vectors; null where they cannot be, or the others need what they set. */
function vectoriseHead(
  { loop, tail, isTriangular }: JamOrder,
  reductions: Reductions,
  context: JamContext,
): Vectors | null {
  const { accesses, newVector, newMask, isLiveBehind } = context;
  if (newVector === null) return null;
  const head = loop.parts.slice(0, isTriangular ? tail + 1 : tail);
  // The copies of what comes behind have other names for what is set here.
  const { exposed } = flowOf(loop.parts.slice(tail));
  const areOwn = [...setIn(head)].every(
    (local) => reductions.has(local) || (!exposed.has(local) && !isLiveBehind(local, loop)),
  );
  return areOwn
    ? vectorise(head, loop.variable, {
        accesses,
        newVector,
        rangeOf: context.rangeOf,
        isOfSmall: false,
        newMask,
        reductions,
        ordered: new Set(),
        carriedBy: new Map(),
      })
    : null;
}

/** The body of an innermost loop is there for two vectors, one behind the other, if it has no more nodes than this. */
const largestTwice = 200;

/**
 * The innermost loop with its iterations in the lanes of vectors, and what is left of it; null where that cannot
 * be.
 */
export function vectoriseInnermost(
  loop: NestLoop,
  around: readonly NestLoop[],
  context: JamContext,
): readonly Part[] | null {
  const ofSmall = hasNarrowArrays(loop, context.accesses) ? inLanesOf(lanesOfSmallInts, loop, around, context) : null;
  return ofSmall ?? inLanesOf(lanes, loop, around, context);
}

/** Whether all elements are ints that lie in 32 bits. */
function hasNarrowArrays({ parts }: NestLoop, accesses: Accesses): boolean {
  let are = true;
  for (const part of parts)
    visitAll(part.kind === 'straight' ? part.statements : [], (node) => {
      const access = accesses.get(node);
      are &&= access === undefined || storageOf(access.array) !== undefined;
    });
  return are;
}

/** So many iterations in the lanes of a vector, and two vectors at once where that is not too much code. */
function inLanesOf(
  width: typeof lanes | typeof lanesOfSmallInts,
  loop: NestLoop,
  around: readonly NestLoop[],
  context: JamContext,
): readonly Part[] | null {
  const isOfSmall = width === lanesOfSmallInts;
  const { accesses, newVector } = context;
  if (newVector === null || !loop.goesUp || loop.step !== 1n || hasFewer(loop, width)) return null;
  const { variable } = loop;
  const own = setIn(loop.parts);
  const { exposed } = flowOf(loop.parts);
  const carried = new Set([...own].filter((local) => exposed.has(local)));
  if (isOfSmall && carried.size > 0) return null;
  const reductions = reductionsIn(loop.parts, carried);
  const ordered = sumsIn(loop.parts, new Set([...carried].filter((local) => !reductions.has(local))), accesses);
  if ([...own].some((local) => !carried.has(local) && context.isLiveBehind(local, loop))) return null;
  const handedOn = new Set([...carried].filter((local) => !reductions.has(local) && !ordered.has(local)));
  const named = nameRecurrences(loop.parts, handedOn, accesses, context.copyLocal);
  if (named === null) return null;
  const { parts, carriedBy } = named;
  const order: JamOrder = {
    loop,
    around,
    copies: width,
    inLanes: true,
    own: new Set([...own, variable]),
    tail: parts.length,
    isTriangular: false,
  };
  if (!keepsDependences(order, instancesIn(parts, accesses, new Set()), context.distinct)) return null;
  const { newMask, rangeOf } = context;
  const common = { accesses, newVector, rangeOf, isOfSmall, newMask };
  const vectors = vectorise(parts, variable, { ...common, reductions, ordered, carriedBy });
  if (vectors === null) return null;
  context.log?.vectors.push({ loop, lanes: width });
  const isTwice = sizeOf(loop) <= largestTwice && !hasFewer(loop, 2 * width);
  const inVectors = isTwice ? 2 * width : width;
  const differences = Array.from({ length: inVectors }, (_, index): Difference => ({
    variable,
    by: BigInt(index),
    names: new Map(),
  }));
  const copies = copyVectors(vectors, differences, width, context);
  const wide: NestLoop = {
    ...loop,
    step: BigInt(inVectors),
    end: plus(loop.end, BigInt(1 - inVectors)),
    weight: loop.weight * inVectors,
    parts: joinStraight(copies.flatMap((copy) => copy.parts)),
  };
  const names = copies.map((copy) => copy.names);
  const { span } = loop.source;
  const { before, behind } = accumulateVectors(reductions, names, vectors.flags, span);
  const recurrences = handOnVectors(vectors.handedOn);
  return [...before, ...recurrences.before, wide, ...behind, ...recurrences.behind, { ...loop, continues: true }];
}

/** Whether it is known to have fewer iterations. */
export function hasFewer({ first, end }: NestLoop, copies: number): boolean {
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
  const moves = (part: Part): boolean => isMoved(part, own);
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

/** Whether it is a loop whose bounds, or those of one in it, are others in some iterations of another. */
function isMoved(part: Part, own: ReadonlySet<LocalId>): part is NestLoop {
  return part.kind === 'loop' && !canMerge(part, own);
}

/** Whether the bounds of the loop and of those in it are the same in all iterations of another. */
export function canMerge(part: NestLoop, own: ReadonlySet<LocalId>): boolean {
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

/** What copies of a loop's parts do with its locals. */
interface Copying {
  readonly privates: readonly LocalId[];
  readonly reductions: Reductions;
  readonly vectors: Vectors | null;
}

function copyInOrder(
  { loop, copies, tail, isTriangular }: JamOrder,
  { privates, reductions, vectors }: Copying,
  context: JamContext,
): NestLoop {
  const { accesses } = context;
  // Those of ints wait for one cycle.
  const own = vectors === null ? [...reductions.values()].filter(({ type }) => type.kind === 'double') : [];
  // The last copy sets what is read behind the loop.
  const differences = Array.from({ length: copies }, (_, index): Difference => {
    const renamed = index === copies - 1 ? [] : [...privates, ...own.map(({ local }) => local)];
    const names = renamed.map((local) => [local, context.copyLocal(local)] as const);
    return { variable: loop.variable, by: BigInt(index), names: new Map(names) };
  });
  const all = differences.map((difference) => copyParts(loop.parts, difference, accesses));
  const inVectors = vectors === null ? null : copyVectors(vectors, differences, lanes, context);
  const atOnce = inVectors?.map((copy) => copy.parts) ?? all;
  const names = (inVectors ?? differences).map((copy) => copy.names);
  const { span } = loop.source;
  const { before, behind } =
    vectors === null ? accumulate(reductions, names, span) : accumulateVectors(reductions, names, vectors.flags, span);
  const parts: Part[] = [
    ...before,
    ...merge(
      atOnce.map((copy) => copy.slice(0, tail)),
      copies,
    ),
  ];
  const triangle = loop.parts[tail];
  if (isTriangular && triangle?.kind === 'loop') {
    const inCommon = atOnce.map((copy) => (copy[tail] as NestLoop).parts);
    parts.push({ ...triangle, weight: triangle.weight * copies, parts: merge(inCommon, copies) });
    const reached = context.newInt('reached');
    const value = getLocal(triangle.variable, intType, triangle.source.span);
    parts.push({ kind: 'straight', statements: [{ kind: 'set-local', local: reached, value, span: value.span }] });
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
    parts: joinStraight([...parts, ...behind]),
  };
}

/** A copy for every so many of the iterations, with vectors of its own. */
function copyVectors(
  { parts, names }: Vectors,
  differences: readonly Difference[],
  width: number,
  { accesses, copyLocal }: JamContext,
): readonly { readonly parts: readonly Part[]; readonly names: ReadonlyMap<LocalId, LocalId> }[] {
  return differences
    .filter((_, index) => index % width === 0)
    .map((difference, index) => {
      const own = new Map([...names].map(([local, vector]) => [local, index === 0 ? vector : copyLocal(vector)]));
      const renamed = [...names].map(([local, vector]) => [vector, own.get(local)!] as const);
      const copy = { ...difference, names: new Map([...difference.names, ...renamed]) };
      return { parts: copyParts(parts, copy, accesses), names: own };
    });
}

/** The copies of the same parts, for so many iterations, as one: loops become one loop. */
function merge(copies: readonly (readonly Part[])[], iterations: number): readonly Part[] {
  const [first, ...others] = copies as readonly [readonly Part[], ...(readonly (readonly Part[])[])];
  return first.map((part, index): Part => {
    const all = [part, ...others.map((copy) => copy[index]!)];
    if (part.kind === 'straight')
      return { kind: 'straight', statements: all.flatMap((copy) => (copy.kind === 'straight' ? copy.statements : [])) };
    const bodies = all.flatMap((copy) => (copy.kind === 'loop' ? [copy.parts] : []));
    return { ...part, weight: part.weight * iterations, parts: merge(bodies, iterations) };
  });
}

/** Straight parts that follow each other as one. */
export function joinStraight(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isApart = [part, last].some((one) => one?.kind !== 'straight' || one.control !== undefined);
    if (!isApart && part.kind === 'straight' && last?.kind === 'straight')
      joined[joined.length - 1] = { kind: 'straight', statements: [...last.statements, ...part.statements] };
    else joined.push(part);
  }
  return joined;
}
