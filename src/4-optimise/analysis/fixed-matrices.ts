// Fixed matrices: a class of `T[][]` is fixed if all its arrays come from `new T[n][m]`, and the program neither stores a
// row into one of them nor resizes one of them or a row. Then no row is null, all rows of a matrix are equally long, and
// no two rows are the same array: neither in one matrix nor in two.
//
// The facts hold for the whole program, whatever the order in which things happen. What comes from the host, from a
// cast or from a function of the library is not fixed, since nobody has seen how it was made.
// Source: docs/decisions/0045-loop-nests.md; the classes are those of alias-classes.ts.

import { isCall, isCopy, isNewObject } from '../../mir/kinds.ts';
import type { AnyCall, NewObject } from '../../mir/kinds.ts';
import type { LibraryCall, LocalId } from '../../mir/mir.ts';
import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Type } from '../../language/types.ts';
import type { Place } from '../../library/effects.ts';
import { ArrayClasses, elementsOf, rootOf } from './alias-classes.ts';
import type { ArrayClass } from './alias-classes.ts';
import { assignmentsOf, localKey } from './assignments.ts';
import { fieldKey } from './mod-ref.ts';

export class FixedMatrices {
  readonly #program: MirProgram;
  readonly #classes: ArrayClasses;
  /** Classes with an array that `new T[n][m]` has not made, or with a row that was stored. */
  readonly #otherRows = new Set<ArrayClass>();
  readonly #resized = new Set<ArrayClass>();

  constructor(program: MirProgram) {
    this.#program = program;
    const functions = [...program.functions.values(), program.initialiser, program.entry].filter((fn) => fn !== null);
    this.#classes = new ArrayClasses(program, functions);
    for (const fn of functions) visitAll(nodesOf(fn), (node) => this.#note(fn, node));
    const called = [program.entry, ...program.exports.map(({ function: id }) => program.functions.get(id)!)];
    for (const fn of called)
      for (const { local } of fn?.parameters ?? [])
        this.#giveUp(fn!.locals[local]!.type, () => this.#classes.at(localKey(fn!.id, local)));
    this.#classes.complete();
  }

  /** Whether the matrix whose rows are in a local is of a fixed class. */
  isFixed(fn: MirFunction, rows: LocalId): boolean {
    const matrix = this.#classes.ofHoisted(fn, rows);
    if (matrix.isUnknown) return false;
    const isOne = (other: ArrayClass): boolean => rootOf(other) === rootOf(matrix);
    const isItsRow = (other: ArrayClass): boolean => rootOf(other) === elementsOf(matrix);
    return ![...this.#otherRows].some(isOne) && ![...this.#resized].some((other) => isOne(other) || isItsRow(other));
  }

  /** The class of the array whose elements are in a local. */
  classOf(fn: MirFunction, elements: LocalId): ArrayClass {
    return this.#classes.ofHoisted(fn, elements);
  }

  /** The class of the rows of the matrix whose rows are in a local. */
  classOfRows(fn: MirFunction, rows: LocalId): ArrayClass {
    return elementsOf(this.#classes.ofHoisted(fn, rows));
  }

  #note(fn: MirFunction, node: Node): void {
    if (isNewObject(node)) return this.#noteObject(fn, node);
    for (const { target, value, fn: of } of assignmentsOf(this.#program, fn, node))
      if (typeof target !== 'string' && value.type.kind === 'array')
        this.#otherRows.add(this.#classes.ofHolder(of, target));
    if (isCopy(node)) this.#giveUp(node.type, () => this.#classes.of(fn, node));
    if (isCall(node)) this.#noteCall(fn, node);
  }

  #noteObject(fn: MirFunction, node: NewObject): void {
    switch (node.kind) {
      case 'new-array':
        return this.#noteNew(node.type, node.lengths.length, this.#classes.of(fn, node));
      case 'array-literal':
        this.#otherRows.add(this.#classes.of(fn, node));
        return;
      case 'struct-literal':
        return;
    }
  }

  #noteCall(fn: MirFunction, node: AnyCall): void {
    switch (node.kind) {
      case 'call':
        if (this.#program.functions.has(node.function)) return;
        for (const part of [node, ...node.arguments]) this.#giveUp(part.type, () => this.#classes.of(fn, part));
        return;
      case 'library-call':
        return this.#noteLibraryCall(fn, node);
    }
  }

  /** Of arrays that are made without their rows the rows are null. */
  #noteNew(type: Type, lengths: number, made: ArrayClass): void {
    if (type.kind !== 'array' || type.element.kind !== 'array') return;
    if (lengths < 2) this.#otherRows.add(made);
    this.#noteNew(type.element, lengths - 1, elementsOf(made));
  }

  #noteLibraryCall(fn: MirFunction, node: LibraryCall): void {
    const { stores, resizes, flows } = this.#program.registry.byId(node.function).effects;
    this.#giveUp(node.type, () => this.#classes.of(fn, node));
    for (const place of stores) this.#addAt(fn, node, place, this.#otherRows);
    for (const place of resizes) this.#addAt(fn, node, place, this.#resized);
    for (const { to } of flows)
      if (to.depth !== 'itself')
        this.#addAt(fn, node, { of: to.of, depth: to.depth === 'contents' ? 'itself' : 'reach' }, this.#otherRows);
  }

  #addAt(fn: MirFunction, node: LibraryCall, place: Place, to: Set<ArrayClass>): void {
    for (const { type, array } of this.#classes.placesAt(fn, node, place)) if (type.kind === 'array') to.add(array());
  }

  /** Arrays that can be reached from a value of the type may have been made anywhere. */
  #giveUp(type: Type, array: () => ArrayClass, seen: Set<string> = new Set()): void {
    if (type.kind === 'array') {
      this.#otherRows.add(array());
      this.#giveUp(type.element, () => elementsOf(array()), seen);
    }
    if (type.kind !== 'struct' || seen.has(type.id)) return;
    seen.add(type.id);
    this.#program.structs.get(type.id)?.fields.forEach((field, index) => {
      this.#giveUp(field.type, () => this.#classes.at(fieldKey(type.id, index)), seen);
    });
  }
}
