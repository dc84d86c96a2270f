// Vectorisation: two iterations of a loop in the two lanes of vectors, or four where all are ints that fit in 32 bits.
// What an iteration reads and sets next to what the one before reads and sets is loaded and stored at once; what is the
// same in all is repeated in all lanes.
//
//   c[i][j] += a[i][k] * b[k][j]      c[i][j, j+1] += splat(a[i][k]) * b[k][j, j+1]
//
// Does not apply to operators without an instruction for vectors (mir/lane-wise.ts), nor where an iteration needs what
// the one before has set (dependences.ts). Source: Allen, Kennedy, "Optimizing Compilers", chapters 2 and 5.

import type { Expression, If, LocalId, Statement } from '../../mir/mir.ts';
import { partsOf } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { laneInstruction, laneShifts } from '../../mir/lane-wise.ts';
import { getLocal } from '../../mir/builders.ts';
import { isReadIn } from '../../mir/locals.ts';
import { booleanType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Range } from '../analysis/ranges.ts';
import type { HandedOn } from './accumulators.ts';
import { coefficientOf, localForm, plus, substitute } from './affine-forms.ts';
import { load } from './element-groups.ts';
import { divideInLanes } from './lane-division.ts';
import type { LaneDivision } from './lane-division.ts';
import { elementOf, laneWise, select, vectorOf } from './lane-values.ts';
import type { Reductions } from './reductions.ts';
import { visitParts } from './tree.ts';
import type { Access, Accesses, Part } from './tree.ts';

/** How many iterations a vector works on, but where it holds small ints alone. */
export const lanes = 2;
export const lanesOfSmallInts = 4;

export interface Vectors {
  readonly parts: readonly Part[];
  /** By the locals that are not the same in both lanes: the vectors in their places. */
  readonly names: ReadonlyMap<LocalId, LocalId>;
  /** By locals whose greatest or least is found by a comparison: those that note NaNs, which have names too. */
  readonly flags: ReadonlyMap<LocalId, LocalId>;
  /** By locals that hand a value on: the vectors whose last lanes have it, the same in all copies. */
  readonly handedOn: ReadonlyMap<LocalId, HandedOn>;
}

export interface VectorContext {
  readonly accesses: Accesses;
  /** A vector of what a local holds. */
  readonly newVector: (local: LocalId, isOfSmall: boolean) => LocalId;
  /** What an int can be wherever it is worked out; null where it is never. */
  readonly rangeOf: (node: Expression) => Range | null;
  /** Whether all ints must fit in 32 bits, for vectors of four of them. */
  readonly isOfSmall: boolean;
  /** A local for what a condition is in each lane. */
  readonly newMask: () => LocalId;
  /** Locals that each lane has a value of its own of, though iterations before have set it. */
  readonly reductions: Reductions;
  /** Locals that the lanes set one after the other, as the iterations do. */
  readonly ordered: ReadonlySet<LocalId>;
  /** By what is handed on to the next iteration: the locals that have it there (first-order-recurrences.ts). */
  readonly carriedBy: ReadonlyMap<LocalId, LocalId>;
}

/** The parts for two iterations of the loop with this variable; null where that cannot be. */
export function vectorise(parts: readonly Part[], variable: LocalId, context: VectorContext): Vectors | null {
  const vectoriser = new Vectoriser(parts, variable, context);
  const changed = vectoriser.parts(parts);
  return changed === null || !vectoriser.hasMoved
    ? null
    : { parts: changed, names: vectoriser.names, flags: vectoriser.flags, handedOn: vectoriser.handedOn };
}

class Vectoriser {
  readonly #variable: LocalId;
  readonly #accesses: Accesses;
  readonly #newVector: (local: LocalId) => LocalId;
  readonly #rangeOf: (node: Expression) => Range | null;
  readonly #isOfSmall: boolean;
  readonly #reductions: Reductions;
  readonly #ordered: ReadonlySet<LocalId>;
  readonly #newMask: () => LocalId;
  readonly #carriedBy: ReadonlyMap<LocalId, LocalId>;
  /** The locals whose values are read; those of which only subscripts are made have forms. */
  readonly #read = new Set<LocalId>();
  readonly #varying = new Set<LocalId>();
  /** The vectors that have surely been set. */
  #set: ReadonlySet<LocalId>;
  readonly names = new Map<LocalId, LocalId>();
  readonly flags = new Map<LocalId, LocalId>();
  readonly handedOn = new Map<LocalId, HandedOn>();
  /** Whether any access goes to two elements. */
  hasMoved = false;

  constructor(
    parts: readonly Part[],
    variable: LocalId,
    { accesses, newVector, rangeOf, isOfSmall, newMask, reductions, ordered, carriedBy }: VectorContext,
  ) {
    this.#variable = variable;
    this.#accesses = accesses;
    this.#newVector = (local) => newVector(local, isOfSmall);
    this.#rangeOf = rangeOf;
    this.#isOfSmall = isOfSmall;
    this.#ordered = ordered;
    this.#newMask = newMask;
    this.#set = new Set(reductions.keys());
    this.#reductions = reductions;
    this.#carriedBy = carriedBy;
    for (const local of [...reductions.keys(), ...ordered, ...[...carriedBy].flat()]) this.#varying.add(local);
    const statements: Statement[] = [];
    visitParts(parts, (part) => void (part.kind === 'straight' && statements.push(...part.statements)));
    this.#visitValues(statements, (node) => void (node.kind === 'get-local' && this.#read.add(node.local)));
    for (let before = -1; before !== this.#varying.size;) {
      before = this.#varying.size;
      this.#visitValues(statements, (node) => {
        if (node.kind === 'set-local' && this.#varies(node.value)) this.#varying.add(node.local);
        if (node.kind === 'if' && node.arms.some(({ condition }) => this.#varies(condition)))
          this.#visitValues([node], (inner) => void (inner.kind === 'set-local' && this.#varying.add(inner.local)));
      });
    }
  }

  /** Visits nodes and what is in them, but not what accesses are made of. */
  #visitValues(nodes: readonly Node[], visit: (node: Node) => void): void {
    for (const node of nodes) {
      visit(node);
      if (!this.#accesses.has(node)) this.#visitValues(partsOf(node), visit);
      else if (node.kind === 'set-element') this.#visitValues([node.value], visit);
    }
  }

  #moves(access: Access): boolean {
    return access.subscripts.some((form) => coefficientOf(form, this.#variable) !== 0n) || this.#isAnywhere(access);
  }

  /** Whether its lanes are wherever a local says that has but a range. */
  #isAnywhere({ ranges }: Access): boolean {
    return [...(ranges?.keys() ?? [])].some((local) => this.#varying.has(local));
  }

  #varies(value: Expression): boolean {
    let varies = false;
    this.#visitValues([value], (node) => {
      const access = this.#accesses.get(node);
      varies ||= access !== undefined && this.#moves(access);
      varies ||= node.kind === 'get-local' && (node.local === this.#variable || this.#varying.has(node.local));
    });
    return varies;
  }

  parts(parts: readonly Part[]): readonly Part[] | null {
    return all(parts, (part): Part | null => {
      if (part.kind === 'loop') {
        const inside = this.parts(part.parts);
        return inside === null ? null : { ...part, parts: inside };
      }
      const statements = this.#statements(part.statements);
      return statements === null ? null : { ...part, statements };
    });
  }

  #statements(statements: readonly Statement[]): readonly Statement[] | null {
    return all(statements, (node) => this.#changed(node))?.flat() ?? null;
  }

  #changed(node: Statement): readonly Statement[] | null {
    if (node.kind === 'if') return this.#if(node);
    if (node.kind !== 'set-local') return alone(this.#statement(node));
    if (this.#ordered.has(node.local)) return this.#inOrder(node);
    const carrier = this.#carriedBy.get(node.local);
    if (carrier !== undefined) return this.#spliced(node, carrier);
    const comparison = this.#reductions.get(node.local)?.comparison ?? null;
    const extreme = comparison === null ? null : this.#compared(node, comparison);
    return extreme ?? alone(this.#statement(node));
  }

  /** `$v = …; $most = select($v, $most, $v > $most); $nan = $nan | ($v != $v)`; null for more than one value. */
  #compared({ local, value, span }: Statement & { readonly kind: 'set-local' }, comparison: string) {
    const operands = value.kind === 'library-call' ? value.arguments : [];
    const [other, ...more] = operands.filter((operand) => operand.kind !== 'get-local' || operand.local !== local);
    const vector = other === undefined || more.length > 0 ? null : this.#vector(other);
    if (vector === null || operands.length !== 2 || isReadIn(other!, local)) return null;
    const { type } = vector;
    const [own, found] = [this.#nameOf(local), this.#newVector(local)];
    const flag = this.flags.get(local) ?? this.#newVector(local);
    this.flags.set(local, flag);
    this.names.set(flag, flag);
    const read = (name: LocalId): Expression => getLocal(name, type, span);
    const v = read(found);
    const set = (name: LocalId, to: Expression): Statement => ({ kind: 'set-local', local: name, value: to, span });
    const inLanes = (operator: string, ...parts: readonly Expression[]): Expression =>
      laneWise(operator, parts, type, span);
    return [
      set(found, vector),
      set(own, select(v, read(own), inLanes(comparison, v, read(own)))),
      set(flag, inLanes('|(boolean,boolean)', read(flag), inLanes('!=(double,double)', v, v))),
    ];
  }

  /** `$next = …; $here = splice($last, $next); $last = $next` */
  #spliced(node: Statement & { readonly kind: 'set-local' }, carrier: LocalId): readonly Statement[] | null {
    const value = this.#vector(node.value);
    if (value === null) return null;
    const { type, span } = value;
    const last = this.#newVector(carrier);
    this.handedOn.set(carrier, { last, type: node.value.type, span });
    this.#set = new Set([...this.#set, node.local, carrier]);
    const next = getLocal(this.#nameOf(node.local), type, span);
    const set = (local: LocalId, to: Expression): Statement => ({ kind: 'set-local', local, value: to, span });
    return [
      set(this.#nameOf(node.local), value),
      set(this.#nameOf(carrier), laneWise('splice', [getLocal(last, type, span), next], type, span)),
      set(last, next),
    ];
  }

  /** The lanes one after the other: `sum = sum + lane 0 of $v; sum = sum + lane 1 of $v`. */
  #inOrder(node: Statement & { readonly kind: 'set-local' }): readonly Statement[] | null {
    const before: Statement[] = [];
    const inLanes: (readonly [Expression, LocalId])[] = [];
    const take = (value: Expression): boolean => {
      if (value.kind === 'get-local' && value.local === node.local) return true;
      if (!this.#varies(value)) return true;
      if (value.kind === 'operate' && isReadIn(value, node.local)) return value.operands.every(take);
      const vector = value.type.kind === node.value.type.kind ? this.#vector(value) : null;
      if (vector === null) return false;
      const local = this.#newVector(node.local);
      before.push({ kind: 'set-local', local, value: vector, span: value.span });
      inLanes.push([value, local]);
      return true;
    };
    if (!take(node.value)) return null;
    const places = new Map(inLanes);
    const lanesOf = (value: Expression, lane: 0 | 1): Expression => {
      const { type, span } = value;
      const vector = places.get(value);
      if (vector !== undefined)
        return { kind: 'extract-lane', operand: getLocal(vector, vectorOf(type), span), lane, type, span };
      return value.kind === 'operate' && isReadIn(value, node.local)
        ? { ...value, operands: value.operands.map((operand) => lanesOf(operand, lane)) }
        : value;
    };
    return [...before, { ...node, value: lanesOf(node.value, 0) }, { ...node, value: lanesOf(node.value, 1) }];
  }

  #statement(node: Statement): Statement | null {
    if (node.kind === 'set-local') {
      if (!this.#varying.has(node.local) || !this.#read.has(node.local)) return node;
      const value = this.#vector(node.value);
      this.#set = new Set([...this.#set, node.local]);
      return value === null ? null : { ...node, local: this.#nameOf(node.local), value };
    }
    const access = this.#accesses.get(node);
    if (node.kind !== 'set-element' || access === undefined) return null;
    const value = this.#vector(node.value);
    return value === null ? null : this.#stored(node, access, value);
  }

  #stored(node: Statement & { readonly kind: 'set-element' }, access: Access, value: Expression): Statement | null {
    const wide = this.#widened(access);
    if (wide === null) return null;
    const stored: Statement = { ...node, value };
    this.#accesses.set(stored, wide);
    return stored;
  }

  /** The elements of both lanes: at once where they are next to each other, in this order or the other. */
  #loaded(node: Expression, access: Access): Expression | null {
    const { type, span } = node;
    const make = (to: Access): Expression => {
      const copy: Expression = { ...node, type: to.type };
      this.#accesses.set(copy, to);
      return copy;
    };
    const wide = this.#widened(access);
    if (wide !== null || this.#isOfSmall) return wide === null ? null : make(wide);
    const next = access.subscripts.map((form) => substitute(form, this.#variable, plus(localForm(this.#variable), 1n)));
    const last = access.subscripts.length - 1;
    const isDownwards = access.subscripts.every(
      (form, dimension) => coefficientOf(form, this.#variable) === (dimension === last ? -1n : 0n),
    );
    if (!isDownwards)
      return laneWise('pair', [make(access), make({ ...access, subscripts: next })], vectorOf(type), span);
    return laneWise('swap', [make({ ...access, subscripts: next, type: vectorOf(type) })], vectorOf(type), span);
  }

  /** The access to the elements of both lanes, which must be next to each other. */
  #widened(access: Access): Access | null {
    if (access.type.kind === 'vector' || this.#isAnywhere(access)) return null;
    const by = access.subscripts.map((form) => coefficientOf(form, this.#variable));
    const isNext = by.every((coefficient, dimension) => coefficient === (dimension === by.length - 1 ? 1n : 0n));
    if (!isNext) return null;
    this.hasMoved = true;
    return { ...access, type: this.#vectorOf(access.type) };
  }

  #if(node: If): readonly Statement[] | null {
    const [arm, ...arms] = node.arms;
    if (node.arms.every(({ condition }) => !this.#varies(condition))) {
      const before = this.#set;
      const ends: ReadonlySet<LocalId>[] = [];
      const branch = (statements: readonly Statement[]): readonly Statement[] | null => {
        this.#set = before;
        const inside = this.#statements(statements);
        ends.push(this.#set);
        return inside;
      };
      const changed = all(node.arms, (one) => {
        const then = branch(one.then);
        return then === null ? null : { ...one, then };
      });
      const otherwise = branch(node.otherwise);
      this.#set = new Set([...ends[0]!].filter((local) => ends.every((end) => end.has(local))));
      return changed === null || otherwise === null ? null : [{ ...node, arms: changed, otherwise }];
    }
    const [only, ...others] = arm!.then;
    if (arms.length > 0 || node.otherwise.length > 0 || others.length > 0 || only === undefined || only.kind === 'if')
      return this.#masked(node, null);
    const condition = this.#vector(arm!.condition);
    if (condition === null) return null;
    return alone(this.#chosen(condition, only));
  }

  /**
   * The statements of all branches, each where a mask says that its branch is taken: `$m = c; x = select(v, x, $m);
   * $m2 = !$m; y = select(w, y, $m2)`. `mask` is that of a branch around them.
   */
  #masked({ arms, otherwise, span }: If, mask: Expression | null): readonly Statement[] | null {
    const type = vectorOf(booleanType);
    const statements: Statement[] = [];
    const both = (one: Expression | null, other: Expression): Expression =>
      one === null ? other : laneWise('&(boolean,boolean)', [one, other], type, span);
    const name = (value: Expression): Expression => {
      const local = this.#newMask();
      statements.push({ kind: 'set-local', local, value, span });
      return getLocal(local, type, span);
    };
    let left = mask;
    for (const { condition, then } of arms) {
      const holds = this.#vector(condition);
      if (holds === null) return null;
      const taken = name(both(left, holds));
      left = name(both(left, laneWise('!(boolean)', [taken], type, span)));
      const inside = this.#branch(then, taken);
      if (inside === null) return null;
      statements.push(...inside);
    }
    const inside = this.#branch(otherwise, left!);
    return inside === null ? null : [...statements, ...inside];
  }

  #branch(nodes: readonly Statement[], mask: Expression): readonly Statement[] | null {
    return (
      all(nodes, (node) => (node.kind === 'if' ? this.#masked(node, mask) : alone(this.#chosen(mask, node))))?.flat() ??
      null
    );
  }

  /** Both lanes get a value: where the condition does not hold the one that was there. */
  #chosen(condition: Expression, node: Statement): Statement | null {
    if (node.kind === 'set-local') {
      const value = this.#vector(node.value);
      if (value === null) return null;
      const local = this.#nameOf(node.local);
      // Where nobody reads it in the loop, or another branch sets it before anybody does, it need not have had a value.
      const isFirst = !this.#set.has(node.local);
      this.#set = new Set([...this.#set, node.local]);
      if (isFirst || !this.#read.has(node.local)) return { ...node, local, value };
      const old = getLocal(local, value.type, node.span);
      return { ...node, local, value: select(value, old, condition) };
    }
    const access = node.kind === 'set-element' ? this.#accesses.get(node) : undefined;
    if (node.kind !== 'set-element' || access === undefined) return null;
    const wide = this.#widened(access);
    const value = this.#vector(node.value);
    if (wide === null || value === null) return null;
    return this.#stored(node, access, select(value, load(wide, node.span, this.#accesses), condition));
  }

  #nameOf(local: LocalId): LocalId {
    const known = this.names.get(local);
    if (known !== undefined) return known;
    const name = this.#newVector(local);
    this.names.set(local, name);
    return name;
  }

  #vectorOf(type: Type): Type {
    return vectorOf(type, this.#isOfSmall);
  }

  #vector(node: Expression): Expression | null {
    const { type, span } = node;
    if (type.kind === 'vector') return null;
    if (this.#isOfSmall && type.kind !== 'boolean' && !(type.kind === 'int' && this.#fitsIn32(node))) return null;
    if (!this.#varies(node))
      return type.kind === 'int' || type.kind === 'double'
        ? { kind: 'splat', operand: node, type: this.#vectorOf(type), span }
        : null;
    const access = this.#accesses.get(node);
    if (access !== undefined) return this.#isAnywhere(access) ? null : this.#loaded(node, access);
    if (node.kind === 'get-local' && this.#ordered.has(node.local)) return null;
    if (node.kind === 'get-local' && node.local !== this.#variable)
      return getLocal(this.#nameOf(node.local), this.#vectorOf(type), span);
    if (node.kind === 'operate' && laneShifts.has(node.operator)) return this.#shifted(node);
    const divided = node.kind === 'operate' ? divideInLanes(node, this.#division) : null;
    if (divided !== null) return divided;
    if (node.kind === 'operate') return this.#lanes(node, this.#operatorOf(node), node.operands);
    if (node.kind === 'library-call') return this.#lanes(node, node.function, node.arguments);
    if (node.kind === 'logical')
      return this.#lanes(node, node.operator === '&&' ? '&(boolean,boolean)' : '|(boolean,boolean)', node.operands);
    const isChoice = node.kind === 'conditional' || node.kind === 'select';
    return isChoice && this.#varies(node.condition)
      ? this.#lanes(node, 'select', [node.then, node.otherwise, node.condition])
      : null;
  }

  #lanes({ type, span }: Expression, operator: string, operands: readonly Expression[]): Expression | null {
    if (laneInstruction(operator, elementOf(operands[0]!.type, this.#isOfSmall)) === undefined) return null;
    const vectors = all(operands, (operand) => this.#vector(operand));
    return vectors === null ? null : laneWise(operator, vectors, this.#vectorOf(type), span);
  }

  /** There is an instruction for products of ints of 64 bits only where these fit in 32. */
  #operatorOf({ operator, operands, type }: Expression & { readonly kind: 'operate' }): string {
    const isExtended = operator === '*(int,int)' && type.kind === 'int' && !this.#isOfSmall && operands.length === 2;
    // What lanes have multiplied by themselves may be larger than what all of them have.
    const isAccumulator = (node: Expression): boolean => node.kind === 'get-local' && this.#reductions.has(node.local);
    const isSmall = (node: Expression): boolean => this.#fitsIn32(node) && !isAccumulator(node);
    return isExtended && operands.every(isSmall) ? 'extended-product' : operator;
  }

  readonly #division: LaneDivision = {
    rangeOf: (node) => this.#rangeOf(node),
    vector: (node) => this.#vector(node),
    isOfSmall: () => this.#isOfSmall,
  };

  #fitsIn32(node: Expression): boolean {
    const range = this.#rangeOf(node);
    return range !== null && range.low >= -(1n << 31n) && range.high < 1n << 31n;
  }

  /** All lanes by the same constant, which is below their bits. */
  #shifted({ operator, operands, type, span }: Expression & { readonly kind: 'operate' }): Expression | null {
    const [value, by] = operands as readonly [Expression, Expression];
    const bits = this.#isOfSmall ? 32n : 64n;
    if (by.kind !== 'int' || by.value < 0n || by.value >= bits) return null;
    const vector =
      laneInstruction(operator, elementOf(value.type, this.#isOfSmall)) === undefined ? null : this.#vector(value);
    return vector === null
      ? null
      : { kind: 'lane-wise', operator, operands: [vector, by], type: this.#vectorOf(type), span };
  }
}

function alone(node: Statement | null): readonly Statement[] | null {
  return node === null ? null : [node];
}

/** Each changed; null where one cannot be. */
function all<Item, Changed>(items: readonly Item[], change: (item: Item) => Changed | null): readonly Changed[] | null {
  const changed: Changed[] = [];
  for (const item of items) {
    const one = change(item);
    if (one === null) return null;
    changed.push(one);
  }
  return changed;
}
