// Unroll and jam of skewed iterations: where each element needs the one in front of it and some of the row above, rows
// are worked on at once nevertheless, each so far behind the row above that what it needs is there.
//
//   loop i  loop j                         loop i by 4  loop j …
//     a[i][j] = a[i][j - 1] + …              a[i][j] = …   a[i + 1][j - 2] = …   a[i + 2][j - 4] = …   a[i + 3][j - 6] = …
//
// Source: Wolfe, "Loop skewing: the wavefront method revisited" (1986); Allen, Kennedy, "Optimizing Compilers for Modern
// Architectures", section 5.9.

import type { LocalId } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import { add, localForm, plus } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { copyParts } from './copies.ts';
import type { Difference } from './copies.ts';
import { distanceOf, domainOf, equateAccesses, instancesIn, namesIn } from './dependences.ts';
import type { Distinct, Instance } from './dependences.ts';
import { equal, isSatisfiable } from './difference-constraints.ts';
import { extremeOf } from './extremes.ts';
import type { JamContext } from './jam.ts';
import { canMerge, hasFewer, joinStraight } from './jam.ts';
import { flowOf, setIn } from './scalars.ts';
import { branchIn } from './tree.ts';
import type { Access, Accesses, NestLoop, Part, Straight } from './tree.ts';

/** Rows that are further behind one another have nothing in common. */
const largestSkew = 3;

/** Whether an iteration of an innermost loop reads an element that one before has set. */
export function hasElementRecurrence({ parts, variable }: NestLoop, accesses: Accesses): boolean {
  const found: Access[] = [];
  for (const part of parts)
    visitAll(part.kind === 'straight' ? part.statements : [], (node) => {
      const access = accesses.get(node);
      if (access !== undefined) found.push(access);
    });
  const reads = found.filter(({ isWrite }) => !isWrite);
  return found.some((set) => set.isWrite && reads.some((read) => isBehind(set, read, variable)));
}

/** Whether an access is to the element that another one was to some iterations before. */
function isBehind(set: Access, read: Access, variable: LocalId): boolean {
  if (set.array !== read.array) return false;
  const distances = set.subscripts.map((form, at) => distanceOf(form, read.subscripts[at]!, variable, () => true));
  const isNear = (distance: (typeof distances)[number]): boolean => typeof distance === 'bigint' && distance > 0n;
  return distances.some(isNear) && distances.every((distance) => distance === 'any' || isNear(distance));
}

/** The parts of a loop, one of which is a loop inside. */
interface Body {
  readonly head: readonly Straight[];
  readonly inner: NestLoop;
  readonly tail: readonly Straight[];
}

/**
 * The loop for so many iterations at once, each some behind the one before; null where that cannot be. The loop inside
 * must make enough iterations for it, which is looked at in front of the nest.
 *
 * ```
 * loop r from i to i + 3       loop j from first to first + 6 - 2 * (r - i) …
 * loop j from first + 6 to end   the rows i, i + 1, i + 2, i + 3, each two elements behind the one before
 * loop r from i + 1 to i + 4   loop j from end - 2 * (r - i) to end …
 * ```
 */
export function skew(
  loop: NestLoop,
  around: readonly NestLoop[],
  copies: number,
  context: JamContext,
): NestLoop | null {
  const body = bodyOf(loop);
  if (body === null || loop.ends !== undefined || branchIn(loop) !== null || !isUpByOne(loop) || !isUpByOne(body.inner))
    return null;
  if (hasFewer(loop, copies)) return null;
  const { inner } = body;
  const own = new Set([...setIn(loop.parts), loop.variable, inner.variable]);
  if (!canMerge(inner, own) || !arePrivate(loop, body, context)) return null;
  const instances = instancesIn(loop.parts, context.accesses, new Set());
  for (let by = 1; by <= largestSkew; by++) {
    const needed: Distinct = new Map();
    if (!keepsOrder({ loop, around, own, copies, by }, instances, needed)) continue;
    const least = extremeOf(
      plus(add(inner.end, inner.first, -1n), BigInt(-by * (copies - 1))),
      [...around, loop],
      false,
    );
    for (const [key, pair] of needed) context.distinct.set(key, pair);
    context.required.push(least);
    context.log?.jams.push({ loop, copies });
    return copySkewed(loop, body, copies, BigInt(by), context);
  }
  return null;
}

function bodyOf({ parts }: NestLoop): Body | null {
  const at = parts.findIndex(({ kind }) => kind === 'loop');
  const inner = parts[at];
  if (inner?.kind !== 'loop' || inner.parts.some(({ kind }) => kind === 'loop')) return null;
  const isStraight = (part: Part): part is Straight => part.kind === 'straight';
  const [head, tail] = [parts.slice(0, at).filter(isStraight), parts.slice(at + 1).filter(isStraight)];
  return head.length + tail.length + 1 === parts.length ? { head, inner, tail } : null;
}

function isUpByOne({ goesUp, step, ranges }: NestLoop): boolean {
  return goesUp && step === 1n && ranges === undefined;
}

/** Whether each iteration of both loops sets all locals that it reads, and nobody reads them behind the loop. */
function arePrivate(loop: NestLoop, { head, inner, tail }: Body, { isLiveBehind }: JamContext): boolean {
  const own = setIn(loop.parts);
  const exposed = new Set([head, inner.parts, tail].flatMap((parts) => [...flowOf(parts).exposed]));
  return [...own].every((local) => !exposed.has(local) && !isLiveBehind(local, loop));
}

interface SkewedOrder {
  readonly loop: NestLoop;
  readonly around: readonly NestLoop[];
  /** The locals that the loop changes, the variables of loops included. */
  readonly own: ReadonlySet<LocalId>;
  readonly copies: number;
  readonly by: number;
}

/**
 * Whether no instance of a later iteration comes in front of one of an earlier iteration that may be of the same element.
 * In the loop inside the one `distance` iterations later is `by * distance` behind.
 */
function keepsOrder(order: SkewedOrder, instances: readonly Instance[], distinct: Distinct): boolean {
  const { loop, around, own, copies, by } = order;
  const [one, other] = [namesIn(own, 'earlier'), namesIn(own, 'later')];
  const isShared = (local: LocalId): boolean => !own.has(local);
  const [i, k] = [one(loop.variable), other(loop.variable)];
  return instances.every((earlier) =>
    instances.every((later) => {
      if (!(earlier.isWrite || later.isWrite)) return true;
      // What is in front of the loop inside stays in front of it, and what is behind it behind.
      const [inFront, behind] = [earlier.path[0]!, later.path[0]!];
      if (inFront < behind) return true;
      const [inner] = earlier.loops;
      const isInside = inFront === behind;
      // In straight parts the copies follow each other.
      if (isInside && inner === undefined) return true;
      const distances = Array.from({ length: copies - 1 }, (_, index) => index + 1).filter((distance) =>
        mayBeApart(earlier, later, loop.variable, distance, isShared),
      );
      if (distances.length === 0) return true;
      const same = equateAccesses(earlier, later, one, other, distinct);
      if (same === null) return true;
      const known = [
        ...same,
        ...around.flatMap((outer) => domainOf(outer, one)),
        ...domainOf(loop, one),
        ...domainOf(loop, other),
        ...earlier.loops.flatMap((inside) => domainOf(inside, one)),
        ...later.loops.flatMap((inside) => domainOf(inside, other)),
      ];
      return distances.every((distance) => {
        const apart = [...known, ...equal(k, i, distance)];
        if (!isInside) return !isSatisfiable(apart);
        const [x, y] = [one(inner!.variable), other(inner!.variable)];
        // What a row has just set, the next would have to wait for.
        const isAwaited = earlier.isWrite && !later.isWrite;
        return !isSatisfiable([...apart, { left: y, right: x, most: -by * distance - Number(!isAwaited) }]);
      });
    }),
  );
}

/** Whether no subscript by itself tells that elements so many iterations from each other are different. */
function mayBeApart(
  { access: one }: Instance,
  { access: other }: Instance,
  variable: LocalId,
  distance: number,
  isShared: (local: LocalId) => boolean,
): boolean {
  if (typeof one === 'number' || typeof other === 'number' || one.array !== other.array) return true;
  return one.subscripts.every((subscript, dimension) => {
    const found = distanceOf(subscript, other.subscripts[dimension]!, variable, isShared);
    return found === 'any' || found === 'unknown' || found === BigInt(distance);
  });
}

function copySkewed(
  loop: NestLoop,
  { head, inner, tail }: Body,
  copies: number,
  by: bigint,
  context: JamContext,
): NestLoop {
  const { accesses, copyLocal } = context;
  const { variable } = loop;
  const privates = [...setIn(loop.parts)];
  const differences = Array.from({ length: copies }, (_, index): Difference => {
    const names = index === copies - 1 ? [] : privates.map((local) => [local, copyLocal(local)] as const);
    return { variable, by: BigInt(index), names: new Map(names) };
  });
  const copyStraight = (parts: readonly Part[]): readonly Part[] =>
    differences.flatMap((difference) => copyParts(parts, difference, accesses));
  const largest = by * BigInt(copies - 1);
  const inMiddle = differences.flatMap((difference) => {
    const moved: Difference = { variable: inner.variable, by: -by * difference.by, names: new Map() };
    return copyParts(copyParts(inner.parts, difference, accesses), moved, accesses);
  });
  const middle: NestLoop = {
    ...inner,
    first: plus(inner.first, largest),
    weight: inner.weight * copies,
    parts: joinStraight(inMiddle),
  };
  /** The iterations of the loop inside that some rows have more in front of the others, or behind them. */
  const rows = (from: number, bounds: (behind: AffineForm) => Pick<NestLoop, 'first' | 'end'>): NestLoop => {
    const row = copyLocal(variable);
    const names = new Map([...privates.map((local) => [local, copyLocal(local)] as const), [variable, row] as const]);
    const copied = copyParts(inner.parts, { variable: nobody, by: 0n, names }, accesses);
    const behind = add(localForm(row), localForm(variable), -1n);
    return {
      ...loop,
      variable: row,
      first: plus(localForm(variable), BigInt(from)),
      end: plus(localForm(variable), BigInt(from + copies - 1)),
      parts: [{ ...inner, ...bounds(behind), parts: copied }],
      rows: [],
      weight: 0,
    };
  };
  return {
    ...loop,
    step: BigInt(copies),
    end: plus(loop.end, BigInt(1 - copies)),
    weight: loop.weight * copies,
    parts: joinStraight([
      ...copyStraight(head),
      rows(0, (behind) => ({ first: inner.first, end: add(plus(inner.first, largest), behind, -by) })),
      middle,
      rows(1, (behind) => ({ first: add(inner.end, behind, -by), end: inner.end })),
      ...copyStraight(tail),
    ]),
  };
}

/** No local. */
const nobody: LocalId = -1;
