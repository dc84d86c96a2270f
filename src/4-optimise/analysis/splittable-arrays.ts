// Which arrays of structs can be one array for each field instead: nobody outside sees the array, no element is null, and
// nobody can tell the object that an element is.
//
// So it is if the structs are values: no field of one is set by itself, and no two are compared, so that a copy is as
// good as the object. Or if the array owns its elements: each is made where it is stored, is there until the end, and is
// seen by its fields alone, at its place in the array or through a cursor (element-cursors.ts).

import type { MirFunction, MirProgram, Struct } from '../../mir/program.ts';
import type { Expression, LocalId, StructId } from '../../mir/mir.ts';
import { nodesOf, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { arePure } from '../../mir/effects.ts';
import type { Type } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { ArrayClasses, elementsOf, rootOf } from './alias-classes.ts';
import type { ArrayClass } from './alias-classes.ts';
import { functionsOf } from './analyses.ts';
import { assignmentsOf } from './assignments.ts';
import { findCursors } from './element-cursors.ts';
import type { Cursor } from './element-cursors.ts';
import { Exposure } from './exposure.ts';
import { findFilledArrays } from './filled-arrays.ts';
import { takesGuardErrors } from './guard-clauses.ts';
import { NullPlaces } from './null-places.ts';

/** Structs with more fields are read as a whole where they are read, and lie together. */
const mostFields = 8;

/** Loops over so many elements, whose structs are there for good, are short: they are not worth the code of nests. */
const fewElements = 16;

/** Each field of a literal that is not pure is a variable first. */
const mostWorkedOut = 64;

/** Functions of arrays that move elements and compare none. */
const moving: ReadonlySet<string> = new Set(
  ['length', 'isEmpty', 'push', 'pop', 'fill', 'slice', 'concat', 'reverse', 'insert', 'removeAt', 'clear', 'copy'].map(
    (name) => `T[].${name}`,
  ),
);

export class SplittableArrays {
  readonly arrays: ArrayClasses;
  readonly #program: MirProgram;
  readonly #exposure: Exposure;
  readonly #nulls: NullPlaces;
  /** Structs that are compared, and those of which a field is set. */
  readonly #compared = new Set<StructId>();
  readonly #changed = new Set<StructId>();
  readonly #kept = new Set<ArrayClass>();
  /** Classes with an element that somebody else may hold; those with one that is replaced; those with a cursor. */
  readonly #shared = new Set<ArrayClass>();
  readonly #replaced = new Set<ArrayClass>();
  readonly #held = new Set<ArrayClass>();
  readonly #keepsPushed: boolean;
  /** Classes with an array that may have more than a few elements. */
  readonly #long = new Set<ArrayClass>();

  constructor(program: MirProgram) {
    const functions = functionsOf(program);
    this.#program = program;
    this.arrays = new ArrayClasses(program, functions);
    this.arrays.complete();
    this.#exposure = new Exposure(program, this.arrays);
    const filled = new Map(functions.flatMap((fn) => [...findFilledArrays(fn)]));
    this.#nulls = new NullPlaces(program, this.arrays, this.#exposure, filled);
    const fills = new Set<Node>(filled.values());
    // A push that there is no memory for has made some of the arrays longer.
    this.#keepsPushed = takesGuardErrors(program);
    for (const fn of functions) {
      const cursors = findCursors(fn);
      // What the host may leave to a default value gets the element itself.
      for (const { initialiser } of fn.parameters)
        if (initialiser?.kind === 'get-element') this.#shared.add(rootOf(this.arrays.of(fn, initialiser.array)));
      visitAll(nodesOf(fn), (node) => {
        this.#note(fn, node);
        this.#noteLengths(fn, node);
        this.#noteStores(fn, node, fills);
        this.#noteReads(fn, node, cursors);
      });
    }
  }

  /** The struct of the elements of arrays that can be split; null for all others. */
  structOf(type: Type, array: () => ArrayClass): Struct | null {
    if (type.kind !== 'array' || type.element.kind !== 'struct') return null;
    const struct = this.#program.structs.get(type.element.id);
    if (struct === undefined || struct.fields.length === 0 || struct.fields.length > mostFields) return null;
    if (this.#compared.has(struct.id)) return null;
    const own = rootOf(array());
    if (this.#kept.has(own) || this.#exposure.isExposed(own) || this.#nulls.hasNull(own)) return null;
    return !this.isChanged(struct.id) || this.#isOwner(own) ? struct : null;
  }

  /** Whether a field of such a struct is set by itself: then arrays own their elements, and have cursors. */
  isChanged(struct: StructId): boolean {
    return this.#changed.has(struct);
  }

  #isOwner(array: ArrayClass): boolean {
    return this.#long.has(array) && !this.#shared.has(array) && !(this.#held.has(array) && this.#replaced.has(array));
  }

  mayBeNull(fn: MirFunction, node: Expression): boolean {
    return this.#nulls.mayBeNull(fn, node);
  }

  #note(fn: MirFunction, node: Node): void {
    if (node.kind === 'set-field') this.#changed.add(node.struct);
    if (node.kind === 'same-object') this.#noteComparison(fn, node);
    if (node.kind === 'call' && node.typeArgument !== null) this.#keepObjects(node.typeArgument);
    if ((node.kind === 'get-element' || node.kind === 'set-element') && this.#nulls.mayBeNull(fn, node.array))
      this.#kept.add(rootOf(this.arrays.of(fn, node.array)));
    if (
      node.kind === 'array-literal' &&
      node.elements.length > mostWorkedOut &&
      columnsOf(node.elements, this.#program.registry) === null
    )
      this.#kept.add(rootOf(this.arrays.of(fn, node)));
    if (node.kind === 'new-array') this.#noteNew(node.type, node.lengths.length, this.arrays.of(fn, node));
    if (node.kind !== 'library-call') return;
    if (node.typeArgument !== null && !moving.has(node.function)) this.#keepObjects(node.typeArgument);
    const [array] = node.arguments;
    if (array?.type.kind !== 'array') return;
    // The error of a call says what was null; and what it costs would be charged for each field.
    const isKept = this.#nulls.mayBeNull(fn, array) || node.function === 'T[].fill';
    if (isKept) this.#kept.add(rootOf(this.arrays.of(fn, array)));
  }

  #noteLengths(fn: MirFunction, node: Node): void {
    const isLong = node.kind === 'new-array' || (node.kind === 'array-literal' && node.elements.length > fewElements);
    if (isLong) this.#long.add(rootOf(this.arrays.of(fn, node)));
    if (node.kind !== 'library-call' || node.function !== 'T[].push') return;
    const array = rootOf(this.arrays.of(fn, node.arguments[0]!));
    this.#long.add(array);
    if (this.#keepsPushed) this.#kept.add(array);
  }

  #noteStores(fn: MirFunction, node: Node, fills: ReadonlySet<Node>): void {
    for (const { target, value, fn: of } of assignmentsOf(this.#program, fn, node)) {
      if (typeof target === 'string' || value.type.kind !== 'struct') continue;
      const array = rootOf(this.arrays.ofHolder(of, target));
      if (!isNew(value)) this.#shared.add(array);
      if (node.kind === 'set-element' && !fills.has(node)) this.#replaced.add(array);
    }
    if (node.kind !== 'library-call') return;
    const [array, value] = node.arguments;
    const isPush = node.function === 'T[].push' && value?.type.kind === 'struct';
    if (array !== undefined && ((isPush && !isNew(value)) || node.function === 'T[].pop'))
      this.#shared.add(rootOf(this.arrays.of(fn, array)));
  }

  #noteReads(fn: MirFunction, node: Node, cursors: ReadonlyMap<LocalId, Cursor>): void {
    if (node.kind === 'set-local' && node.value.kind === 'get-element' && cursors.has(node.local)) {
      this.#held.add(rootOf(this.arrays.of(fn, node.value.array)));
      return;
    }
    // Of the operands of these the element is the object; a value that is set is in another one.
    const isField = node.kind === 'get-field' || node.kind === 'set-field';
    for (const part of partsOf(node)) {
      if (!('type' in part) || part.kind !== 'get-element' || part.type.kind !== 'struct') continue;
      if (!isField || part !== node.object) this.#shared.add(rootOf(this.arrays.of(fn, part.array)));
    }
  }

  #noteComparison(fn: MirFunction, { left, right }: Expression & { readonly kind: 'same-object' }): void {
    if (left.kind === 'null' || right.kind === 'null') return;
    this.#keepObjects(left.type);
    if (left.type.kind === 'array') this.#keepBoth(left.type, this.arrays.of(fn, left), this.arrays.of(fn, right));
  }

  /** Arrays of two classes would be of two types. */
  #keepBoth(type: Type, one: ArrayClass, other: ArrayClass): void {
    if (type.kind !== 'array' || rootOf(one) === rootOf(other)) return;
    for (const array of [one, other]) this.#kept.add(rootOf(array));
    this.#keepBoth(type.element, elementsOf(one), elementsOf(other));
  }

  #keepObjects(type: Type): void {
    if (type.kind === 'struct') this.#compared.add(type.id);
  }

  /** Arrays that are made within another one stay as they are. */
  #noteNew(type: Type, lengths: number, made: ArrayClass): void {
    if (type.kind !== 'array' || lengths < 2) return;
    this.#kept.add(rootOf(elementsOf(made)));
    this.#noteNew(type.element, lengths - 1, elementsOf(made));
  }
}

/** Whether a value is a struct that nobody else holds. */
function isNew(value: Expression): boolean {
  return value.kind === 'struct-literal' || (value.kind === 'sequence' && isNew(value.value));
}

/** The values of each field of some literals, if these can be worked out in any order; null where they cannot. */
export function columnsOf(
  elements: readonly Expression[],
  registry: LibraryRegistry,
): readonly (readonly Expression[])[] | null {
  const columns: Expression[][] = [];
  for (const element of elements) {
    if (element.kind !== 'struct-literal') return null;
    for (const { field, value } of element.fields) {
      if (!arePure([value], registry)) return null;
      (columns[field] ??= []).push(value);
    }
  }
  return columns;
}
