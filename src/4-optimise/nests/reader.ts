// Reads a loop with others in it as a loop nest. It is none where something in it could fail besides a subscript that is
// out of range, where a subscript or a bound is not affine, where a loop is left but at its end, and where a loop has its
// variable read by others.

import type { CountedLoop, Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { countsUp } from '../../mir/mir.ts';
import { getLocal, int, not, zeroOf } from '../../mir/builders.ts';
import { flatten, hasLoop } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isReadIn, localsRead, localsSet } from '../../mir/locals.ts';
import { isEndless } from '../../mir/reachability.ts';
import { intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { flipped, largestStep, readStep, startValueOf } from '../analysis/counted-loops.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { add, coefficientOf, constantForm, isSmall, plus, substitute } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { findCarried } from './carried-ranges.ts';
import type { CarriedRanges } from './carried-ranges.ts';
import { readIntComparison } from './comparisons.ts';
import { withoutEmpty } from './empty-iterations.ts';
import { guessedIterations, leaveWith, numbered, withoutBlocks } from './exits.ts';
import type { Blocks } from './exits.ts';
import { delinearise, withMatrices } from './delinearisation.ts';
import { findOwn, findScattered, usedScans } from './element-places.ts';
import { narrow } from './guards.ts';
import { count } from './reading.ts';
import type { InFront, Names, ReaderContext, Refusal } from './reading.ts';
import { BoundReader } from './bounds.ts';
import { heightOf, mayBeNest } from './candidates.ts';
import type { Bound } from './bounds.ts';
import { References } from './references.ts';
import { forgetRows, hasSwap, swapAt, swapLength, swapRows } from './row-swaps.ts';
import type { RowSwap } from './row-swaps.ts';
import { StatementReader } from './statements.ts';
import { withoutSequences } from './sequences.ts';
import { takeSubarrays } from './subarrays.ts';
import type { Nest, NestLoop, Part, Straight } from './tree.ts';

/** More loops in one another are not read together: what is outermost is the place at which a function can stop. */
const deepest = 4;

/** The nest with this loop as its outermost; null where it is none. */
export function readNest(root: Loop, before: readonly Statement[], context: ReaderContext): Nest | null {
  if (heightOf(root) < 2 && context.refuse !== undefined) refuseInside(root, context.refuse);
  if (!mayBeNest(root) || heightOf(root) > deepest) return null;
  const { loop, blocks } = withoutBlocks(root, (local) => context.typeOf(local));
  const changes = context.modRef.of([loop], context.fn);
  if (changes.everything) {
    context.refuse?.('everything', root);
    return null;
  }
  return new NestReader(loop, blocks, changes, context).nest(before);
}

/** Loops in a `try` are none of a nest. */
function refuseInside({ body }: Loop, refuse: NonNullable<ReaderContext['refuse']>): void {
  const around = flatten(body).find((node) => hasLoop([node]));
  if (around !== undefined) refuse('statement', around);
}

/** How a loop counts. */
interface Head {
  readonly variable: LocalId;
  readonly comparison: CountedLoop['comparison'];
  readonly end: AffineForm;
  /** With its sign. */
  readonly step: bigint;
  /** What it is compared with, where that has but a range. */
  readonly bound?: Bound;
}

/** A local and a copy of it. */
interface Kept {
  readonly local: LocalId;
  readonly copy: LocalId;
  readonly type: Type;
}

class NestReader {
  readonly #root: Loop;
  readonly #context: ReaderContext;
  readonly #references: References;
  readonly #statements: StatementReader;
  readonly #bounds: BoundReader;
  readonly #blocks: Blocks;
  /** What is done where the outermost loop is left, behind the nest. */
  readonly #exits: (readonly Statement[])[] = [];
  readonly #kept: Statement[] = [];
  readonly #carried = new Map<Loop, CarriedRanges>();
  #left: LocalId | null = null;
  /** The first statement that has rows change places. */
  #swapped: Statement | null = null;
  /** For remarks: what the outermost loop is compared with, where that is not affine. */
  #limit: Expression | null = null;

  constructor(root: Loop, blocks: Blocks, changes: Changes, context: ReaderContext) {
    this.#root = root;
    this.#blocks = blocks;
    this.#context = context;
    this.#references = new References(root, changes, context);
    this.#statements = new StatementReader(root, this.#references, context);
    this.#bounds = new BoundReader(this.#references, this.#statements, context.newLocal);
  }

  nest(before: readonly Statement[]): Nest | null {
    const names: Names = {
      variables: new Set(),
      ints: new Map(),
      rows: new Map(),
      ranges: new Map(),
      carried: new Map(),
      loops: [],
      guards: [],
      inFront: null,
    };
    const read = this.#loop(this.#root, null, before, names);
    if (read === null) return null;
    const { accesses, rows, flat, rowsTimesStrides, guards, requirements } = this.#statements;
    const { arrays, measured, invariants, isInvariant, product } = this.#references;
    const scans = usedScans({ root: read, accesses, rows, requirements }, this.#references.scans.values());
    const own = findOwn(this.#statements, scans) ?? (this.#context.takesAll ? null : findScattered(read, accesses));
    if (own !== null) return this.#refuse('own', own);
    const unfit = delinearise({ accesses, subscripts: flat, rowsTimesStrides, isInvariant, product });
    if (unfit !== null) return this.#refuse('index', 'index' in unfit ? unfit.index : unfit);
    const { root, skips } = withoutEmpty(read, {
      referenceOf: (node) => accesses.get(node) ?? rows.get(node),
      spend: this.#context.countsFuel ? (units, span) => this.#statements.spend({ kind: 'charge', units, span }) : null,
    });
    const guarding = new Set([...this.#statements.guarding, ...narrow(root, guards, accesses, rows)]);
    const used = withMatrices([...arrays.values()], accesses, measured);
    const { takesAll, newLocal } = this.#context;
    takeSubarrays({ root, accesses, rows, arrays: used, measured }, takesAll, newLocal);
    return {
      root,
      accesses,
      rows,
      arrays: used,
      measured,
      invariants: [...invariants.values()],
      guarding,
      exits: this.#left === null ? null : { left: this.#left, kept: this.#kept, blocks: this.#exits },
      requirements,
      scans: usedScans({ root, accesses, rows, requirements }, this.#references.scans.values()),
      spent: this.#statements.spent,
      skips,
      swap: this.#swapped,
      span: this.#root.span,
    };
  }

  #refuse(kind: Refusal['kind'], node: Node): null {
    this.#context.refuse?.(kind, node);
    return null;
  }

  /** `first` is null for the outermost loop, whose variable begins with the value that it has. */
  #loop(
    loop: Loop,
    first: Bound | null,
    before: readonly Statement[],
    names: Names,
    place: InFront | null = null,
  ): NestLoop | null {
    const { reads } = this.#context;
    const { result: counted, rows } = this.#references.withLengths(() => this.#head(loop, names, place));
    const head = counted ?? (first === null ? this.#guessedHead() : null);
    if (head === null) return null;
    const { variable, comparison, end } = head;
    if (first !== null && reads.get(variable) !== count([loop], localsRead).get(variable))
      return this.#refuse('variable', loop);
    const goesUp = countsUp(comparison);
    const inFront =
      first === null && counted !== null ? this.#startOf(variable, loop, before, names) : constantForm(0n);
    const from = first?.form ?? inFront;
    if (!isSmall(from)) return this.#refuse('head', loop);
    const ranged = first === null ? {} : this.#bounds.between(first, head, names);
    const entered: Names = {
      variables: new Set([...names.variables, variable]),
      ints: new Map(names.ints),
      rows: new Map(names.rows),
      ranges: new Map(names.ranges),
      carried: names.carried,
      loops: [...names.loops, { variable, goesUp, first: from, end, ...ranged }],
      guards: names.guards,
      inFront: place,
    };
    // In later iterations they have what was set in those before.
    forget(entered, [loop]);
    if (hasSwap(loop)) forgetRows(entered);
    const carried = findCarried(loop, names, entered, this.#references);
    for (const [local, range] of carried) entered.ranges.set(local, range);
    const inside: Names = { ...entered, carried: new Map([...names.carried, ...carried]) };
    this.#carried.set(loop, carried);
    const written = counted === null ? [...loop.body, ...loop.step] : loop.body;
    const body = withoutSequences(flatten(written), this.#context.newLocal);
    const charges = body.flatMap((node) => chargedBy(node) ?? []);
    const units = charges.reduce((sum, one) => sum + one, 0);
    const read = this.#parts(body, inside, first === null ? 'root' : 'loop');
    const parts =
      read === null || counted !== null
        ? read
        : this.#withCondition(loop, read, loop.testFirst ? names : inside, units);
    if (parts === null) return counted === null && this.#limit !== null ? this.#refuse('limit', this.#limit) : null;
    const ends = counted === null ? 'uncounted' : this.#left === null ? null : 'early';
    const weight = units + 1;
    const step = head.step < 0n ? -head.step : head.step;
    const common = {
      kind: 'loop',
      variable,
      goesUp,
      step,
      first: from,
      end,
      parts,
      rows,
      weight,
      source: loop,
      ...ranged,
    } as const;
    if (first !== null) return common;
    return ends === null ? common : { ...common, ends };
  }

  /** Of a loop that does not count: a variable of its own, and so many iterations. */
  #guessedHead(): Head {
    const variable = this.#context.newLocal('turn', intType);
    return { variable, comparison: '<', end: constantForm(guessedIterations), step: 1n };
  }

  /** The parts of a loop that does not count, with its condition as a way out; `units` are charged in an iteration. */
  #withCondition(loop: Loop, parts: readonly Part[], names: Names, units: number): readonly Part[] | null {
    const { condition, testFirst } = loop;
    if (condition === null || isEndless(loop)) return parts;
    // The loop as it was finds out by itself, if it looks before it does anything; else an iteration has ended.
    const then = testFirst ? null : [];
    const charged = this.#context.countsFuel ? units + 1 : units;
    const exit = this.#exit(leaveWith(not(condition), this.#root, []), then, names, charged);
    if (exit === null) return null;
    return testFirst ? [exit, ...parts] : [...parts, exit];
  }

  /**
   * A way out of the outermost loop; `then` is done behind the nest, null for nothing but the loop as it was. The units
   * that an iteration has been charged until there are charged behind it too, since only a whole one is charged inside.
   */
  #exit(node: Statement, then: readonly Statement[] | null, names: Names, units: number): Straight | null {
    const { condition } = (node as If).arms[0]!;
    const [read] = this.#statements.read({ ...(node as If), arms: [{ condition, then: [] }] }, names) ?? [];
    if (read?.kind !== 'if') return null;
    const { span } = node;
    if (then !== null) this.#left ??= this.#context.newLocal('left', intType);
    const charged: readonly Statement[] =
      units === 0 ? [] : [{ kind: 'charge', units: int(BigInt(units), span), span }];
    const kept = then === null ? [] : this.#keep(then);
    const saved = kept.map(({ local, copy, type }) => setTo(copy, local, type, span));
    const restored = kept.map(({ local, copy, type }) => setTo(local, copy, type, span));
    const block = then === null ? null : [...charged, ...restored, ...then];
    const set = block === null ? [] : [...saved, ...numbered(this.#left, this.#exits.push(block), span)];
    return { kind: 'straight', control: 'exit', statements: [leaveWith(read.arms[0]!.condition, this.#root, set)] };
  }

  /**
   * What the nest sets and statements behind it read has a copy where the nest is left: in front of the first iteration
   * it need not be set.
   */
  #keep(nodes: readonly Statement[]): readonly Kept[] {
    const read = [...count(nodes, localsRead).keys()].filter((local) => this.#statements.sets.has(local));
    return read.map((local): Kept => {
      const type = this.#context.typeOf(local);
      const copy = this.#context.newLocal('kept', type);
      const { span } = this.#root;
      this.#kept.push({ kind: 'set-local', local: copy, value: zeroOf(type, span), span });
      return { local, copy, type };
    });
  }

  /** With what the outermost loop begins: a constant, or what stays the same in the whole function, or a local for it. */
  #startOf(variable: LocalId, { span }: Loop, before: readonly Statement[], names: Names): AffineForm {
    const value = startValueOf(variable, before);
    const form = value === null ? null : this.#references.affineInts(value, names);
    const at = before.findLastIndex((node) => node.kind === 'set-local' && node.local === variable);
    const set = count(before.slice(at + 1), localsSet);
    const isSame = (local: LocalId): boolean => this.#context.isSteady(local) && !set.has(local);
    if (form !== null && [...form.terms.keys()].every(isSame)) return form;
    return this.#references.valueInFront('first', 'first', getLocal(variable, intType, span));
  }

  /** How the loop counts, up or down to a limit that is affine in what does not change in it. */
  #head(loop: Loop, names: Names, place: InFront | null): Head | null {
    const { condition, testFirst, step } = loop;
    const [only, ...others] = flatten(step);
    const [move] = only === undefined || others.length > 0 ? [] : (readStep(only) ?? []);
    const read = condition === null ? null : readIntComparison(condition);
    if (move === undefined || !testFirst || read === null) return this.#refuse('head', loop);
    const [variable, by] = move;
    const { comparison, left, right } = read;
    if (by.kind !== 'int' || this.#statements.sets.get(variable) !== this.#timesSet(variable))
      return this.#refuse('head', loop);
    const isFirst = left.kind === 'get-local' && left.local === variable;
    const isLast = right.kind === 'get-local' && right.local === variable;
    const moved = isFirst || isLast ? null : this.#movedLimit(left, right, variable, names);
    if (!isFirst && !isLast && moved === null) return this.#refuse('head', loop);
    const direction = isFirst || moved?.isFirst === true ? comparison : flipped[comparison];
    const towards = countsUp(direction) ? by.value : -by.value;
    const other = isFirst ? right : left;
    if (towards <= 0n || towards > largestStep) return this.#refuse('head', loop);
    const form = moved === null ? this.#references.affine(other, names) : moved.limit;
    const ranged = form === null && place !== null;
    const bound = ranged ? this.#bounds.limitOf(other, loop, names, place.statements) : null;
    const limit = form ?? bound?.form ?? null;
    if (limit === null) {
      if (loop === this.#root) this.#limit = other;
      return this.#refuse('limit', other);
    }
    const isOpen = direction === '<' || direction === '>';
    const end = isOpen ? limit : plus(limit, direction === '<=' ? 1n : -1n);
    return { variable, comparison: direction, end, step: by.value, ...(bound === null ? {} : { bound }) };
  }

  /**
   * What a variable is compared with where sums are compared, `i + m < n`. The conditions in front of the nest make sure
   * that all locals in its bounds are small, so no local may cancel out.
   */
  #movedLimit(
    left: Expression,
    right: Expression,
    variable: LocalId,
    names: Names,
  ): { readonly isFirst: boolean; readonly limit: AffineForm } | null {
    const inside: Names = { ...names, variables: new Set([...names.variables, variable]) };
    const [one, other] = [this.#references.affine(left, inside), this.#references.affine(right, inside)];
    if (one === null || other === null) return null;
    const difference = add(one, other, -1n);
    const coefficient = coefficientOf(difference, variable);
    const isWhole = [...one.terms.keys(), ...other.terms.keys()].every((local) => difference.terms.has(local));
    if (!isWhole || (coefficient !== 1n && coefficient !== -1n)) return null;
    const rest = substitute(difference, variable, constantForm(0n));
    const isFirst = coefficient === 1n;
    const limit = isFirst ? add(constantForm(0n), rest, -1n) : rest;
    return isSmall(limit) ? { isFirst, limit } : null;
  }

  /** How often a variable of a loop is set: by its step, and in front of it if the loop is inside another. */
  #timesSet(variable: LocalId): number {
    return count(this.#root.step, localsSet).has(variable) ? 1 : 2;
  }

  #parts(nodes: readonly Statement[], names: Names, of: 'root' | 'loop' | 'branch'): readonly Part[] | null {
    const parts: Part[] = [];
    let straight: Statement[] = [];
    let charged = 0;
    const limits = new Set(nodes.flatMap(movedLimitOf));
    const close = (): void => {
      if (straight.length > 0) parts.push({ kind: 'straight', statements: straight });
      straight = [];
    };
    const listed = flatten(nodes);
    let next = 0;
    for (const [at, node] of listed.entries()) {
      if (at < next) continue;
      charged += chargedBy(node) ?? 0;
      if ((of !== 'branch' && chargedBy(node) !== null) || (node.kind === 'set-local' && limits.has(node.local)))
        continue;
      if (node.kind === 'loop') {
        const last = straight.at(-1);
        const first = this.#bounds.takeFirst(node, straight, names);
        close();
        const place: InFront = { names, statements: [], sets: new Set(count([node], localsSet).keys()) };
        const loop = first === null ? this.#refuseStart(node, last) : this.#loop(node, first, [], names, place);
        if (loop === null) return null;
        if (hasSwap(node)) forgetRows(names);
        if (place.statements.length > 0) parts.push({ kind: 'straight', statements: place.statements });
        parts.push(loop);
        forget(names, [node]);
        for (const [local, range] of this.#carried.get(node) ?? [])
          names.ranges.set(local, names.carried.get(local) ?? range);
        continue;
      }
      if (node.kind === 'if' && (hasLoop([node]) || hasSwap(node))) {
        close();
        const branch = this.#branch(node, names);
        if (branch === null) return null;
        parts.push(...branch);
        forget(names, [node]);
        if (hasSwap(node)) forgetRows(names);
        continue;
      }
      const swap = swapAt(listed, at);
      if (swap !== null) {
        close();
        const swapped = this.#swap(swap, names);
        if (swapped === null) return this.#refuse('statement', swap.node);
        parts.push(...swapped);
        next = at + swapLength;
        continue;
      }
      const jump = of === 'root' && node.kind === 'if' ? node.arms[0]!.then[0] : undefined;
      const then = jump === undefined ? undefined : this.#blocks.get(jump);
      if (then !== undefined) {
        close();
        const exit = this.#exit(node, then, names, charged);
        if (exit === null) return null;
        parts.push(exit);
        continue;
      }
      const kept = this.#statements.read(node, names);
      if (kept === null) return null;
      this.#bounds.note(kept);
      straight.push(...kept);
    }
    close();
    return parts;
  }

  /** Two rows that change places; null where that cannot be. */
  #swap(swap: RowSwap, names: Names): readonly Part[] | null {
    const { accesses, sets, isReadOutside } = this.#statements;
    if (sets.get(swap.held) !== 1 || isReadOutside(swap.held)) return null;
    const parts = swapRows(swap, names, { accesses, references: this.#references, newLocal: this.#context.newLocal });
    if (parts !== null) this.#swapped ??= swap.node;
    return parts;
  }

  /** A branch with loops in it. */
  #branch({ arms: [arm, ...others], otherwise, span }: If, names: Names): readonly Part[] | null {
    if (arm === undefined) return this.#parts(otherwise, names, 'branch');
    const { condition, then } = arm;
    const read = this.#statements.read({ kind: 'if', arms: [{ condition, then: [] }], otherwise: [], span }, names);
    const behind = this.#statements.guarded(names, condition, false);
    const inside = read && this.#inBranch(then, this.#statements.guarded(names, condition, true));
    const rest: If = { kind: 'if', arms: others, otherwise, span };
    const last = inside && (others.length > 0 ? this.#inBranch([rest], behind) : this.#inBranch(otherwise, behind));
    // A subscript that has but a range would be worked out in front.
    if (read?.length !== 1 || inside === null || last === null) return null;
    return [
      { kind: 'straight', control: 'if', statements: read },
      ...inside,
      ...(last.length === 0 ? [] : [{ kind: 'straight', control: 'else', statements: [] } as const, ...last]),
      { kind: 'straight', control: 'end-if', statements: [] },
    ];
  }

  #inBranch(nodes: readonly Statement[], names: Names): readonly Part[] | null {
    const own: Names = {
      ...names,
      ints: new Map(names.ints),
      rows: new Map(names.rows),
      ranges: new Map(names.ranges),
    };
    return this.#parts(withoutSequences(flatten(nodes), this.#context.newLocal), own, 'branch');
  }

  /** `last` is in front of a loop inside: what its variable begins with, or its limit. */
  #refuseStart(loop: Loop, last: Statement | undefined): null {
    const isBound = last?.kind === 'set-local' && loop.condition !== null && isReadIn(loop.condition, last.local);
    return isBound ? this.#refuse('limit', last.value) : this.#refuse('head', loop);
  }
}

/** What is known of the ranges of locals is not known any more where nodes may have set them. */
function forget({ ranges }: Names, nodes: readonly Statement[]): void {
  if (ranges.size > 0) for (const local of count(nodes, localsSet).keys()) ranges.delete(local);
}

function setTo(local: LocalId, from: LocalId, type: Type, span: Span): Statement {
  return { kind: 'set-local', local, value: getLocal(from, type, span), span };
}

/** The local that has the limit of a loop whose condition compares sums: the nest reads those. */
function movedLimitOf(node: Statement): readonly LocalId[] {
  if (node.kind !== 'loop' || node.condition === null || node.counted?.limit.kind !== 'get-local') return [];
  const { local } = node.counted.limit;
  return isReadIn(node.condition, local) ? [] : [local];
}

/** The units that each iteration around the statement is charged, beside its own; null for other statements. */
function chargedBy(node: Statement): number | null {
  return node.kind === 'charge' && node.units.kind === 'int' ? Number(node.units.value) : null;
}
