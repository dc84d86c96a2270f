// Predictive commoning of vectors in an innermost loop: what an iteration loads next to what the one before has loaded is
// handed on in a local, and a vector that lies across two others is made of them. Each element is loaded once. Applies to
// arrays that the loop leaves alone.
//
// Source: Eichenberger, Wu, O'Brien, "Vectorization for SIMD architectures with alignment constraints" (PLDI 2004),
// section 4.5, where it is for loads that have to be aligned.

import type { Expression, Statement } from '../../mir/mir.ts';
import { getLocal, zeroOf } from '../../mir/builders.ts';
import { laneCount } from '../../mir/lane-wise.ts';
import type { Node } from '../../mir/children.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { coefficientOf, keyOfTerms, plus } from './affine-forms.ts';
import { beginsInside, ifAny, movedTo } from './commoning.ts';
import { areApart, groupsIn, isInRange, keepAccess, load } from './element-groups.ts';
import type { Group, PromotionContext } from './element-groups.ts';
import { laneWise, splat } from './lane-values.ts';
import { keyOfAccess } from './tree.ts';
import type { Access, NestLoop, Part, Straight } from './tree.ts';

/** More in one loop would not stay in registers. */
const mostCarried = 6;

/** Vectors of two lanes out of one row, by the constants of their last subscripts. */
type Row = ReadonlyMap<number, Group>;

/** What is handed on, and what is loaded, by the constants of last subscripts, ascending. */
interface Chain {
  readonly row: Row;
  readonly carried: readonly number[];
  readonly loaded: readonly number[];
}

/**
 * The innermost loop with such vectors loaded once, and with what is to be in front of it.
 *
 * ```
 * loop j by 2                                        $carried = a[first - 1, first]
 *   b[j, j + 1] = a[j - 1, j] + a[j, j + 1]          loop j by 2
 *               + a[j + 1, j + 2]                      $next = a[j + 1, j + 2]
 *                                                      b[j, j + 1] = $carried + splice($carried, $next) + $next
 *                                                      $carried = $next
 * ```
 */
export function commonVectors(
  loop: NestLoop,
  around: readonly NestLoop[],
  context: PromotionContext,
): readonly [...(readonly Straight[]), NestLoop] {
  const chains = findChains(loop, around, context);
  if (chains.length === 0) return [loop];
  const { span } = loop.source;
  const { accesses } = context;
  const [unset, first, loads, handOn]: [Statement[], Statement[], Statement[], Statement[]] = [[], [], [], []];
  const replaced = new Map<Node, Expression>();
  for (const { row, carried, loaded } of chains) {
    const [{ first: read }] = [...row.values()] as [Group, ...Group[]];
    const at = (place: number): Access => placeAt(read, place);
    const locals = new Map([...carried, ...loaded].map((place) => [place, context.newScalar(read)]));
    const set = (place: number, value: Expression): Statement => ({
      kind: 'set-local',
      local: locals.get(place)!,
      value,
      span,
    });
    const get = (place: number): Expression => getLocal(locals.get(place)!, read.type, span);
    for (const place of carried) {
      const element = elementOf(read);
      unset.push(set(place, splat(zeroOf(element, span), read.type)));
      // Of one in front of all that are read only the last lane counts; the first is of no element perhaps.
      const isWhole = place >= Math.min(...row.keys());
      const lane = { ...at(place + 1), type: element };
      const value = isWhole
        ? load(movedTo(at(place), loop, 'first'), span, accesses)
        : splat(load(movedTo(lane, loop, 'first'), span, accesses), read.type);
      first.push(set(place, value));
      handOn.push(set(place, get(place + Number(loop.step))));
    }
    for (const place of loaded) loads.push(set(place, load(at(place), span, accesses)));
    for (const [place, { nodes }] of row) {
      const value = locals.has(place)
        ? get(place)
        : laneWise('splice', [get(place - 1), get(place + 1)], read.type, span);
      for (const node of nodes) replaced.set(node, value);
    }
  }
  const rewrite = (part: Part): Part =>
    part.kind !== 'straight'
      ? part
      : {
          ...part,
          statements: rewriteExpressions(
            part.statements,
            (node, original) => replaced.get(original) ?? keepAccess(node, original, accesses),
            (node, original) => keepAccess(node, original, accesses),
          ),
        };
  return [
    { kind: 'straight', statements: [...unset, ifAny(loop, first)] },
    {
      ...loop,
      parts: [
        { kind: 'straight', statements: loads },
        ...loop.parts.map(rewrite),
        { kind: 'straight', statements: handOn },
      ],
    },
  ];
}

function findChains(loop: NestLoop, around: readonly NestLoop[], context: PromotionContext): readonly Chain[] {
  if (!loop.goesUp || loop.continues === true || loop.ranges !== undefined || loop.step % 2n !== 0n) return [];
  if (beginsInside(loop, around)) return [];
  const groups = groupsIn(loop.parts, context.accesses);
  const rows = new Map<string, Map<number, Group>>();
  for (const group of groups) {
    const { first } = group;
    const last = first.subscripts.at(-1)!;
    if (!isVectorOfTwo(first) || group.isWritten || !isInRange(group)) continue;
    if (first.subscripts.slice(0, -1).some((form) => coefficientOf(form, loop.variable) !== 0n)) continue;
    if (coefficientOf(last, loop.variable) !== 1n) continue;
    if (!groups.every((other) => areApart(group, other, loop, around, context))) continue;
    const key = `${keyOfAccess(placeAt(first, 0))} ${keyOfTerms(last)}`;
    const row = rows.get(key) ?? new Map<number, Group>();
    rows.set(key, row);
    row.set(Number(last.constant), group);
  }
  const found: Chain[] = [];
  let count = 0;
  for (const row of rows.values()) {
    const chain = chainOf(row, Number(loop.step));
    if (chain === null || count + chain.carried.length > mostCarried) continue;
    count += chain.carried.length;
    found.push(chain);
  }
  return found;
}

function isVectorOfTwo({ type }: Access): boolean {
  return type.kind === 'vector' && laneCount(type.element) === 2;
}

function elementOf({ type }: Access): Access['type'] {
  return type.kind === 'vector' ? type.element : type;
}

/** The same with another constant in its last subscript. */
function placeAt(access: Access, constant: number): Access {
  const last = access.subscripts.at(-1)!;
  return { ...access, subscripts: [...access.subscripts.slice(0, -1), plus(last, BigInt(constant) - last.constant)] };
}

/**
 * Every second vector up to the last that is read, as far as they are read or are parts of those across them; null where
 * that loads no less.
 */
function chainOf(row: Row, step: number): Chain | null {
  const last = Math.max(...row.keys());
  const isInChain = (place: number): boolean => (last - place) % 2 === 0;
  const across = [...row.keys()].filter((place) => !isInChain(place));
  const whole = [...row.keys()].filter(isInChain);
  const needed = new Set([...whole, ...across.flatMap((place) => [place - 1, place + 1])]);
  const places = [...needed].toSorted((one, other) => one - other);
  const carried = places.filter((place) => needed.has(place + step));
  const loaded = places.filter((place) => !needed.has(place + step));
  const areThere = loaded.every((place) => isLoaded(row, place) && isLoaded(row, place + 1));
  return areThere && carried.length > 0 && row.size - loaded.length >= Math.max(across.length, 1)
    ? { row, carried, loaded }
    : null;
}

/** Whether one of the vectors has this element. */
function isLoaded(row: Row, place: number): boolean {
  return row.has(place) || row.has(place - 1);
}
