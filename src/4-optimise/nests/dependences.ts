// Dependences in a loop nest: whether working on several iterations of a loop at once would change the order of two
// accesses to one element, or of two to a local that carries a value. What is known of the subscripts and of the bounds
// of the loops is a system of difference constraints; where it has no solution there is no dependence. Most pairs are
// told apart by one subscript, without a system (ZIV and strong SIV tests).
//
// Source: Allen, Kennedy, "Optimizing Compilers for Modern Architectures", sections 3.3 (dependence testing) and 8.4.2
// (unroll and jam: a dependence that it turns round prevents it); Goff, Kennedy, Tseng, "Practical dependence testing"
// (1991).

import type { LocalId, Statement } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { laneCount } from '../../mir/lane-wise.ts';
import { rootOf } from '../analysis/alias-classes.ts';
import { plus } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { equal, isSatisfiable } from './difference-constraints.ts';
import type { Constraint } from './difference-constraints.ts';
import { hullOf } from './extremes.ts';
import type { Access, Accesses, NestArray, NestLoop, Part } from './tree.ts';

/** An access, or a read or setting of a local, with where it is in the body of a loop. */
export interface Instance {
  readonly access: Access | LocalId;
  readonly isWrite: boolean;
  readonly node: Node;
  /** The loops around it inside the body, from the outermost. */
  readonly loops: readonly NestLoop[];
  /** The indices of the parts that lead to it. */
  readonly path: readonly number[];
  /** Where it is in its straight part: a statement sets something after it has read all that it reads. */
  readonly position: number;
}

/** The accesses in the body of a loop; of locals those to the ones that are given. */
export function instancesIn(
  parts: readonly Part[],
  accesses: Accesses,
  carried: ReadonlySet<LocalId>,
): readonly Instance[] {
  const found: Instance[] = [];
  const walk = (inside: readonly Part[], loops: readonly NestLoop[], path: readonly number[]): void =>
    inside.forEach((part, index) => {
      const here = [...path, index];
      if (part.kind === 'loop') return walk(part.parts, [...loops, part], here);
      const note = (access: Access | LocalId, isWrite: boolean, node: Node, statement: number): void =>
        void found.push({ access, isWrite, node, loops, path: here, position: 2 * statement + Number(isWrite) });
      inOrder(part.statements).forEach((nodes, order) =>
        visitAll(nodes, (node) => {
          const access = accesses.get(node);
          if (access !== undefined) for (const lane of lanesOf(access)) note(lane, access.isWrite, node, order);
          for (const local of localsRead(node)) if (carried.has(local)) note(local, false, node, order);
          for (const local of localsSet(node)) if (carried.has(local)) note(local, true, node, order);
        }),
      );
    });
  walk(parts, [], []);
  return found;
}

/** Statements one by one, those in branches too, behind the conditions of the branches. */
function inOrder(statements: readonly Statement[]): readonly (readonly Node[])[] {
  return statements.flatMap((node) => {
    if (node.kind !== 'if') return [[node]];
    const conditions = node.arms.map(({ condition }) => condition);
    return [conditions, ...node.arms.flatMap(({ then }) => inOrder(then)), ...inOrder(node.otherwise)];
  });
}

/** An access to each of the elements that one is to. */
export function lanesOf(access: Access): readonly Access[] {
  const { type, subscripts } = access;
  if (type.kind !== 'vector') return [access];
  const rows = subscripts.slice(0, -1);
  return Array.from({ length: laneCount(type.element) }, (_, lane) => ({
    ...access,
    type: type.element,
    subscripts: [...rows, plus(subscripts.at(-1)!, BigInt(lane))],
  }));
}

/** How two arrays lie to each other. */
type Relation = 'same' | 'different' | 'unknown';

/** Two arrays that are taken to be different, which has to be looked at in front of the nest. */
export type Distinct = Map<string, readonly [NestArray, NestArray]>;

export function relate(one: NestArray, other: NestArray): Relation | 'compare' {
  if (one === other) return 'same';
  const areApart = !one.class.isUnknown && !other.class.isUnknown && rootOf(one.class) !== rootOf(other.class);
  if (areApart) return 'different';
  // A row of the one could be the other, and one array can be read with rows of several lengths.
  return one.elements.length === other.elements.length && one.path !== other.path ? 'compare' : 'unknown';
}

/** A local in an instance: variables of loops that are not shared by two instances have a name in each. */
type Naming = (local: LocalId) => string;

const zero = 'zero';

/** What the bounds of a loop say of its variable. */
export function domainOf(loop: NestLoop, name: Naming): readonly Constraint[] {
  const { variable, goesUp, first, end } = hullOf(loop);
  const at = name(variable);
  const [begin, stop] = [placeOf(first, name), placeOf(end, name)];
  const [low, high] = goesUp
    ? [begin, { ...stop, offset: stop.offset - 1 }]
    : [{ ...stop, offset: stop.offset + 1 }, begin];
  return [
    { left: low.at, right: at, most: -low.offset },
    { left: at, right: high.at, most: high.offset },
  ];
}

/** Something that is unknown, and a constant besides. */
interface Place {
  readonly at: string;
  readonly offset: number;
}

function placeOf({ terms, constant }: AffineForm, name: Naming): Place {
  return placeOfTerms(new Map([...terms].map(([local, coefficient]) => [name(local), coefficient])), constant);
}

/** Terms that are not one local alone are an unknown of their own: the same for the same terms. */
function placeOfTerms(terms: ReadonlyMap<string, bigint>, constant: bigint): Place {
  const [only, ...others] = terms;
  const offset = Number(constant);
  if (only === undefined) return { at: zero, offset };
  if (only[1] === 1n && others.length === 0) return { at: only[0], offset };
  const sum = [...terms].map(([local, coefficient]) => `${coefficient} * ${local}`).toSorted();
  return { at: sum.join(' + '), offset };
}

/** That two forms are equal: constraints, nothing where it is none of differences, or null where it cannot be. */
export function equate(
  one: AffineForm,
  other: AffineForm,
  nameOne: Naming,
  nameOther: Naming,
): readonly Constraint[] | null {
  const terms = new Map<string, bigint>();
  const take = (form: AffineForm, name: Naming, sign: bigint): void => {
    for (const [local, coefficient] of form.terms) {
      const sum = (terms.get(name(local)) ?? 0n) + sign * coefficient;
      if (sum === 0n) terms.delete(name(local));
      else terms.set(name(local), sum);
    }
  };
  take(one, nameOne, 1n);
  take(other, nameOther, -1n);
  const constant = one.constant - other.constant;
  const [first, second, ...others] = terms;
  if (first === undefined) return constant === 0n ? [] : null;
  const [left, factor] = first;
  if (second === undefined) {
    if (constant % factor !== 0n) return null;
    return equal(left, zero, Number(-constant / factor));
  }
  const [right, opposite] = second;
  if (others.length > 0 || opposite !== -factor) return equateEach(terms, constant);
  return constant % factor === 0n ? equal(left, right, Number(-constant / factor)) : null;
}

/** That terms and a constant are 0: each local with the factor 1 or -1 is what the others are. */
function equateEach(terms: ReadonlyMap<string, bigint>, constant: bigint): readonly Constraint[] {
  return [...terms].flatMap(([local, factor]): readonly Constraint[] => {
    if (factor !== 1n && factor !== -1n) return [];
    const others = [...terms].filter(([other]) => other !== local);
    const { at, offset } = placeOfTerms(
      new Map(others.map(([other, by]) => [other, -factor * by])),
      -factor * constant,
    );
    return equal(local, at, offset);
  });
}

/**
 * How many iterations behind that of the first form the second one has the same value: null where it never has, `any`
 * where both are the same in all iterations, `unknown` where locals that the two do not share have a part in it.
 */
export function distanceOf(
  one: AffineForm,
  other: AffineForm,
  variable: LocalId | null,
  isShared: (local: LocalId) => boolean,
): bigint | null | 'any' | 'unknown' {
  if (one.terms.size !== other.terms.size) return 'unknown';
  for (const [local, coefficient] of one.terms)
    if (other.terms.get(local) !== coefficient || (local !== variable && !isShared(local))) return 'unknown';
  const difference = one.constant - other.constant;
  const coefficient = variable === null ? undefined : one.terms.get(variable);
  if (coefficient === undefined) return difference === 0n ? 'any' : null;
  return difference % coefficient === 0n ? difference / coefficient : null;
}

/** That two instances are of the same element; null where they cannot be. */
export function equateAccesses(
  one: Pick<Instance, 'access'>,
  other: Pick<Instance, 'access'>,
  nameOne: Naming,
  nameOther: Naming,
  distinct: Distinct,
): readonly Constraint[] | null {
  if (typeof one.access === 'number' || typeof other.access === 'number')
    return one.access === other.access ? [] : null;
  const { array, subscripts } = one.access;
  const relation = relate(array, other.access.array);
  if (relation === 'different') return null;
  if (relation === 'compare') {
    distinct.set([array.key, other.access.array.key].toSorted().join(' '), [array, other.access.array]);
    return null;
  }
  if (relation === 'unknown') return [];
  const constraints: Constraint[] = [];
  for (const [dimension, subscript] of subscripts.entries()) {
    const equality = equate(subscript, other.access.subscripts[dimension]!, nameOne, nameOther);
    if (equality === null) return null;
    constraints.push(...equality);
  }
  return constraints;
}

/** How the body of a loop is to be worked on for several of its iterations at once. */
export interface JamOrder {
  /** The loop, whose variable goes up by one. */
  readonly loop: NestLoop;
  /** The loops around it. */
  readonly around: readonly NestLoop[];
  readonly copies: number;
  /** Whether the iterations are the lanes of vectors: in straight parts each statement is done for all of them at once. */
  readonly inLanes?: true;
  /** The locals that the loop changes, the variables of loops included. */
  readonly own: ReadonlySet<LocalId>;
  /** From this part on, what is left of each iteration is done after that of the one before. */
  readonly tail: number;
  /**
   * Whether the part at which the tail begins is a loop whose end moves with the iterations: what all have in common is
   * worked on at once, the rest belongs to the tail.
   */
  readonly isTriangular: boolean;
}

/**
 * Whether the order keeps all dependences: no instance of a later iteration comes in front of one of an earlier iteration
 * that may be of the same element. Told of the first two for which it is not so.
 */
export function keepsDependences(
  order: JamOrder,
  instances: readonly Instance[],
  distinct: Distinct,
  tell: (earlier: Instance, later: Instance) => void = () => {},
): boolean {
  const { tail, isTriangular } = order;
  const needed: Distinct = new Map();
  const placed = instances.flatMap((instance): readonly Placed[] => {
    const [at, ...deeper] = instance.path as readonly [number, ...(readonly number[])];
    if (at < tail) return [{ ...instance, at, deeper, isCommon: false, isInTail: false }];
    const rest: Placed = { ...instance, at: tail + 1, deeper, isCommon: false, isInTail: true };
    return at === tail && isTriangular ? [{ ...instance, at, deeper, isCommon: true, isInTail: false }, rest] : [rest];
  });
  const isKept = placed.every((earlier) =>
    placed.every((later) => {
      if (!(earlier.isWrite || later.isWrite) || earlier.at < later.at || (earlier.isInTail && later.isInTail))
        return true;
      const system = systemOf(order, earlier, later, needed);
      const isSame = system === null || !isTurnedRound(earlier, later, order, system);
      if (!isSame) tell(earlier, later);
      return isSame;
    }),
  );
  if (isKept) for (const [key, pair] of needed) distinct.set(key, pair);
  return isKept;
}

interface Placed extends Instance {
  /** The index of the part in the new order. */
  readonly at: number;
  readonly deeper: readonly number[];
  /** In the part of a loop that all iterations have in common. */
  readonly isCommon: boolean;
  readonly isInTail: boolean;
}

/** The names of locals in two instances: what changes in the loop has a name in each. */
export function namesIn(own: ReadonlySet<LocalId>, instance: 'earlier' | 'later'): Naming {
  return (local) => (own.has(local) ? `${local} ${instance}` : String(local));
}

/** That an instance of one iteration is of the same element as one of a later iteration; null where it cannot be. */
function systemOf(order: JamOrder, earlier: Placed, later: Placed, distinct: Distinct): readonly Constraint[] | null {
  if (areApartInBlock(order, earlier, later)) return null;
  const { loop, around, copies, own } = order;
  const [one, other] = [namesIn(own, 'earlier'), namesIn(own, 'later')];
  const same = equateAccesses(earlier, later, one, other, distinct);
  if (same === null) return null;
  const [i, k] = [one(loop.variable), other(loop.variable)];
  // The first of the iterations that are worked on at once.
  const block = 'block';
  const inBlock = (local: LocalId): string => (local === loop.variable ? block : one(local));
  const system = [
    ...same,
    ...around.flatMap((outer) => domainOf(outer, one)),
    ...domainOf(loop, one),
    ...domainOf(loop, other),
    ...earlier.loops.flatMap((inner) => domainOf(inner, one)),
    ...later.loops.flatMap((inner) => domainOf(inner, other)),
    { left: i, right: k, most: -1 },
    { left: k, right: block, most: copies - 1 },
    { left: block, right: i, most: 0 },
    ...commonEnd(earlier, one, inBlock),
    ...commonEnd(later, other, inBlock),
  ];
  return isSatisfiable(system) ? system : null;
}

/** Whether a subscript by itself tells that no two of the iterations which are worked on at once have the same element. */
function areApartInBlock({ loop, copies, own }: JamOrder, earlier: Placed, later: Placed): boolean {
  const [one, other] = [earlier.access, later.access];
  if (typeof one === 'number' || typeof other === 'number' || one.array !== other.array) return false;
  return one.subscripts.some((subscript, dimension) => {
    const distance = distanceOf(subscript, other.subscripts[dimension]!, loop.variable, (local) => !own.has(local));
    return distance === null || (typeof distance === 'bigint' && (distance < 1n || distance >= BigInt(copies)));
  });
}

/** In the common part of a triangle, the variable of its loop stays below the end that the first iteration has. */
function commonEnd({ isCommon, loops }: Placed, name: Naming, inBlock: Naming): readonly Constraint[] {
  if (!isCommon) return [];
  const [loop] = loops as readonly [NestLoop, ...(readonly NestLoop[])];
  const end = placeOf(loop.end, inBlock);
  return [{ left: name(loop.variable), right: end.at, most: end.offset - 1 }];
}

/** Whether the later one comes first in the new order. */
function isTurnedRound(
  earlier: Placed,
  later: Placed,
  { own, inLanes }: JamOrder,
  system: readonly Constraint[],
): boolean {
  if (earlier.at > later.at) return true;
  // In the same statements the copies follow each other, but for lanes.
  const inStatements = inLanes === true && earlier.position >= later.position;
  const [one, other] = [namesIn(own, 'earlier'), namesIn(own, 'later')];
  const constraints = [...system];
  // Down the loops that the two share: those of the part itself, and then the parts of their bodies.
  for (let level = 0; ; level++) {
    const [a, b] = [earlier.loops[level], later.loops[level]];
    if (a === undefined || b === undefined || a !== b) return inStatements;
    const [x, y] = [one(a.variable), other(a.variable)];
    const isBefore: Constraint = a.goesUp ? { left: y, right: x, most: -1 } : { left: x, right: y, most: -1 };
    if (isSatisfiable([...constraints, isBefore])) return true;
    constraints.push(...equal(x, y, 0));
    if (!isSatisfiable(constraints)) return false;
    const [p, q] = [earlier.deeper[level], later.deeper[level]];
    if (p === undefined || q === undefined) return inStatements;
    if (p !== q) return p > q;
  }
}
