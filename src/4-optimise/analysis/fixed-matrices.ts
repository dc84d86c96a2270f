// Fixed matrices: a class of `T[][]` is fixed if all its arrays come from `new T[n][m]`, or from literals whose rows are
// literals of the same length, and the program neither stores a row into one of them nor resizes one of them or a row.
// Then no row is null, all rows of a matrix are equally long, and no two rows are the same array, in one matrix or in
// two. If two rows change places (row-swaps.ts), that is so at any time: the class is rectangular, though not fixed.
//
// The facts hold for the whole program. What comes from the host, from a cast or from a function of the library is not
// fixed, since nobody has seen how it was made. Source: docs/decisions/0045-loop-nests.md; classes: alias-classes.ts.

import { isCall, isCopy, isNewObject } from '../../mir/kinds.ts';
import type { AnyCall, NewObject } from '../../mir/kinds.ts';
import type { Expression, LibraryCall, LocalId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Type } from '../../language/types.ts';
import type { Place } from '../../library/effects.ts';
import type { Span } from '../../source.ts';
import { ArrayClasses, elementsOf, rootOf } from './alias-classes.ts';
import type { ArrayClass } from './alias-classes.ts';
import { assignmentsOf, fieldKey, localKey } from './assignments.ts';
import { rowSwapsIn } from './row-swaps.ts';

/** Why a class is not fixed: what the program does, the plainest first. */
const kindsOfCauses = ['row-stored', 'resized', 'literal', 'no-rows', 'parameter', 'outside'] as const;

/** A place in the program that keeps a class from being fixed. */
export interface Cause {
  readonly kind: (typeof kindsOfCauses)[number];
  /** The matrix, or what it comes from. */
  readonly what: Span;
  readonly at: Span;
}

export class FixedMatrices {
  readonly #program: MirProgram;
  readonly #classes: ArrayClasses;
  /** Classes with an array that was made in another way, or with a row that was stored. */
  readonly #otherRows = new Map<ArrayClass, Cause>();
  readonly #resized = new Map<ArrayClass, Cause>();
  /** Classes of which two rows change places somewhere. */
  readonly #swapped = new Map<ArrayClass, Cause>();
  readonly #swaps: ReadonlySet<Node>;

  constructor(program: MirProgram) {
    this.#program = program;
    const functions = [...program.functions.values(), program.initialiser, program.entry].filter((fn) => fn !== null);
    this.#classes = new ArrayClasses(program, functions);
    this.#swaps = new Set(functions.flatMap(({ body }) => [...rowSwapsIn(body)]));
    for (const fn of functions) visitAll(nodesOf(fn), (node) => this.#note(fn, node));
    const called = [program.entry, ...program.exports.map(({ function: id }) => program.functions.get(id)!)];
    for (const fn of called)
      for (const { local } of fn?.parameters ?? [])
        this.#giveUp(fn!.locals[local]!.type, fn!, () => this.#classes.at(localKey(fn!.id, local)));
    this.#classes.complete();
  }

  /** Whether the matrix whose rows are in a local is of a fixed class. */
  isFixed(fn: MirFunction, rows: LocalId): boolean {
    return this.isFixedClass(this.#classes.ofHoisted(fn, rows));
  }

  /** Whether all matrices of a class are fixed. */
  isFixedClass(matrix: ArrayClass): boolean {
    return this.isRectangularClass(matrix) && this.#swapOf(matrix) === null;
  }

  /** Whether the matrix whose rows are in a local is of a rectangular class. */
  isRectangular(fn: MirFunction, rows: LocalId): boolean {
    return this.isRectangularClass(this.#classes.ofHoisted(fn, rows));
  }

  /** Whether all matrices of a class have equally long and different rows at any time. */
  isRectangularClass(matrix: ArrayClass): boolean {
    return !matrix.isUnknown && this.#causeOf(matrix) === null;
  }

  /** Why it is not of a fixed class, for people; null where that is not known. */
  whyNotFixed(fn: MirFunction, rows: LocalId): Cause | null {
    return this.whyNotFixedClass(this.#classes.ofHoisted(fn, rows));
  }

  whyNotFixedClass(matrix: ArrayClass): Cause | null {
    return this.#causeOf(matrix) ?? this.#swapOf(matrix);
  }

  /** The class of the array that a variable or a field holds. */
  classOfArray(fn: MirFunction, array: Expression): ArrayClass {
    return this.#classes.of(fn, array);
  }

  /** The class of the array whose elements are in a local. */
  classOf(fn: MirFunction, elements: LocalId): ArrayClass {
    return this.#classes.ofHoisted(fn, elements);
  }

  /** The class of the rows of the matrix whose rows are in a local. */
  classOfRows(fn: MirFunction, rows: LocalId): ArrayClass {
    return elementsOf(this.#classes.ofHoisted(fn, rows));
  }

  #causeOf(matrix: ArrayClass): Cause | null {
    const [root, row] = [rootOf(matrix), elementsOf(matrix)];
    const stored = [...this.#otherRows].filter(([other]) => rootOf(other) === root);
    const resized = [...this.#resized].filter(([other]) => rootOf(other) === root || rootOf(other) === row);
    return [...stored, ...resized].reduce<Cause | null>((first, [, cause]) => plainer(first, cause), null);
  }

  #swapOf(matrix: ArrayClass): Cause | null {
    const root = rootOf(matrix);
    return [...this.#swapped].find(([other]) => rootOf(other) === root)?.[1] ?? null;
  }

  #add(to: Map<ArrayClass, Cause>, one: ArrayClass, kind: Cause['kind'], at: Span, what: Span = at): void {
    to.set(one, plainer(to.get(one) ?? null, { kind, what, at }));
  }

  #note(fn: MirFunction, node: Node): void {
    if (isNewObject(node)) return this.#noteObject(fn, node);
    for (const { target, value, fn: of } of assignmentsOf(this.#program, fn, node))
      if (typeof target !== 'string' && value.type.kind === 'array')
        this.#add(
          this.#swaps.has(node) ? this.#swapped : this.#otherRows,
          this.#classes.ofHolder(of, target),
          'row-stored',
          node.span,
          matrixOf(node),
        );
    if (isCopy(node)) this.#giveUp(node.type, node, () => this.#classes.of(fn, node));
    if (isCall(node)) this.#noteCall(fn, node);
  }

  #noteObject(fn: MirFunction, node: NewObject): void {
    switch (node.kind) {
      case 'new-array':
        return this.#noteNew(node.type, node.lengths.length, this.#classes.of(fn, node), node.span);
      case 'array-literal':
        if (shapeOf(node) === null) this.#add(this.#otherRows, this.#classes.of(fn, node), 'literal', node.span);
        return;
      case 'struct-literal':
        return;
    }
  }

  #noteCall(fn: MirFunction, node: AnyCall): void {
    switch (node.kind) {
      case 'call':
        if (this.#program.functions.has(node.function)) return;
        for (const part of [node, ...node.arguments]) this.#giveUp(part.type, node, () => this.#classes.of(fn, part));
        return;
      case 'library-call':
        return this.#noteLibraryCall(fn, node);
    }
  }

  /** Of arrays that are made without their rows the rows are null. */
  #noteNew(type: Type, lengths: number, made: ArrayClass, at: Span): void {
    if (type.kind !== 'array' || type.element.kind !== 'array') return;
    if (lengths < 2) this.#add(this.#otherRows, made, 'no-rows', at);
    this.#noteNew(type.element, lengths - 1, elementsOf(made), at);
  }

  #noteLibraryCall(fn: MirFunction, node: LibraryCall): void {
    const { stores, resizes, flows } = this.#program.registry.byId(node.function).effects;
    this.#giveUp(node.type, node, () => this.#classes.of(fn, node));
    for (const place of stores) this.#addAt(fn, node, place, 'row-stored');
    for (const place of resizes) this.#addAt(fn, node, place, 'resized');
    for (const { to } of flows)
      if (to.depth !== 'itself')
        this.#addAt(fn, node, { of: to.of, depth: to.depth === 'contents' ? 'itself' : 'reach' }, 'row-stored');
  }

  #addAt(fn: MirFunction, node: LibraryCall, place: Place, kind: 'row-stored' | 'resized'): void {
    const to = kind === 'resized' ? this.#resized : this.#otherRows;
    const what = kind === 'resized' || place.of === 'result' ? node.span : node.arguments[place.of]!.span;
    for (const { type, array } of this.#classes.placesAt(fn, node, place))
      if (type.kind === 'array') this.#add(to, array(), kind, node.span, what);
  }

  /** Arrays that can be reached from a value of the type may have been made anywhere. */
  #giveUp(type: Type, from: Node | MirFunction, array: () => ArrayClass, seen: Set<string> = new Set()): void {
    if (type.kind === 'array') {
      this.#add(this.#otherRows, array(), 'locals' in from ? 'parameter' : 'outside', from.span);
      this.#giveUp(type.element, from, () => elementsOf(array()), seen);
    }
    if (type.kind !== 'struct' || seen.has(type.id)) return;
    seen.add(type.id);
    this.#program.structs.get(type.id)?.fields.forEach((field, index) => {
      this.#giveUp(field.type, from, () => this.#classes.at(fieldKey(type.id, index)), seen);
    });
  }
}

/** Of two causes the plainer one; of two of a kind that which comes first in the text. */
function plainer(one: Cause | null, other: Cause): Cause {
  if (one === null) return other;
  const rank = ({ kind }: Cause): number => kindsOfCauses.indexOf(kind);
  const order = rank(one) - rank(other) || one.at.start - other.at.start;
  return order <= 0 ? one : other;
}

/** What a row is stored into. */
function matrixOf(node: Node): Span {
  if (node.kind === 'set-element') return node.array.span;
  return node.kind === 'set-hoisted' ? node.hoisted.array.span : node.span;
}

/** The lengths of an array of literals, of its rows and so on, if all rows are literals and equally long; or null. */
function shapeOf({ type, elements }: NewObject & { readonly kind: 'array-literal' }): readonly number[] | null {
  if (type.kind !== 'array' || type.element.kind !== 'array') return [elements.length];
  const rows = elements.map((row) => (row.kind === 'array-literal' ? shapeOf(row) : null));
  const [first] = rows;
  if (first === undefined) return [0];
  const isEven = first !== null && rows.every((row) => row !== null && row.join() === first.join());
  return isEven ? [elements.length, ...first] : null;
}
