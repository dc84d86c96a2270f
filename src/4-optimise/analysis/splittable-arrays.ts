// Which arrays of structs can be one array for each field instead. Their structs are values: nobody sets a field of one
// by itself or asks whether two are the same object, so that a copy is as good as the object. And nobody outside sees the
// arrays, and none of their elements is null.

import type { MirFunction, MirProgram, Struct } from '../../mir/program.ts';
import type { Expression, StructId } from '../../mir/mir.ts';
import { nodesOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Type } from '../../language/types.ts';
import { ArrayClasses, elementsOf, rootOf } from './alias-classes.ts';
import type { ArrayClass } from './alias-classes.ts';
import { functionsOf } from './analyses.ts';
import { Exposure } from './exposure.ts';
import { NullPlaces } from './null-places.ts';

/** Structs with more fields are read as a whole where they are read, and lie together. */
const mostFields = 8;

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
  /** Structs of which an object is more than its fields. */
  readonly #objects = new Set<StructId>();
  readonly #kept = new Set<ArrayClass>();

  constructor(program: MirProgram) {
    const functions = functionsOf(program);
    this.#program = program;
    this.arrays = new ArrayClasses(program, functions);
    this.arrays.complete();
    this.#exposure = new Exposure(program, this.arrays);
    this.#nulls = new NullPlaces(program, this.arrays, this.#exposure);
    for (const fn of functions) visitAll(nodesOf(fn), (node) => this.#note(fn, node));
  }

  /** The struct of the elements of arrays that can be split; null for all others. */
  structOf(type: Type, array: () => ArrayClass): Struct | null {
    if (type.kind !== 'array' || type.element.kind !== 'struct') return null;
    const struct = this.#program.structs.get(type.element.id);
    if (struct === undefined || !this.#isValue(struct)) return null;
    const own = rootOf(array());
    return this.#kept.has(own) || this.#exposure.isExposed(own) || this.#nulls.hasNull(own) ? null : struct;
  }

  mayBeNull(fn: MirFunction, node: Expression): boolean {
    return this.#nulls.mayBeNull(fn, node);
  }

  #isValue({ id, fields }: Struct): boolean {
    return fields.length > 0 && fields.length <= mostFields && !this.#objects.has(id);
  }

  #note(fn: MirFunction, node: Node): void {
    if (node.kind === 'set-field') this.#objects.add(node.struct);
    if (node.kind === 'same-object') this.#noteComparison(fn, node);
    if (node.kind === 'call' && node.typeArgument !== null) this.#keepObjects(node.typeArgument);
    if ((node.kind === 'get-element' || node.kind === 'set-element') && this.#nulls.mayBeNull(fn, node.array))
      this.#kept.add(rootOf(this.arrays.of(fn, node.array)));
    if (node.kind === 'new-array') this.#noteNew(node.type, node.lengths.length, this.arrays.of(fn, node));
    if (node.kind !== 'library-call') return;
    if (node.typeArgument !== null && !moving.has(node.function)) this.#keepObjects(node.typeArgument);
    const [array] = node.arguments;
    if (array?.type.kind !== 'array') return;
    // The error of a call says what was null; and what it costs would be charged for each field.
    const isKept = this.#nulls.mayBeNull(fn, array) || node.function === 'T[].fill';
    if (isKept) this.#kept.add(rootOf(this.arrays.of(fn, array)));
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
    if (type.kind === 'struct') this.#objects.add(type.id);
  }

  /** Arrays that are made within another one stay as they are. */
  #noteNew(type: Type, lengths: number, made: ArrayClass): void {
    if (type.kind !== 'array' || lengths < 2) return;
    this.#kept.add(rootOf(elementsOf(made)));
    this.#noteNew(type.element, lengths - 1, elementsOf(made));
  }
}
