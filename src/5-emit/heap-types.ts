// Language types as wasm types. int is i64, double f64, boolean i32; everything else a reference:
//   string   struct { text: (ref extern), characters: eqref, measure: i32, hash: i32 }
//   T[]      an array of the elements, boolean packed to i8; where the program resizes arrays of this type
//            struct { elements: (ref elements of T), length: i32 }; on the stack an address, i32
//   a struct struct of its fields, in order
//   json     eqref: null, a small number as i31 (json-intrinsics.ts), otherwise a struct that holds it: an i64, an f64, an i32 for a
//            boolean, a string, an array of json, or for an object a row of json (prelude/json-objects.slu)
// A type is built on first use, in one recursion group with all types that it refers to and that are not built yet.

import { arrayOf, isOnStack, jsonType, typeKey } from '../language/types.ts';
import type { StructType, Type } from '../language/types.ts';
import { representationOf } from '../mir/program.ts';
import type { StructId } from '../mir/mir.ts';
import type { ArrayRepresentations, Struct } from '../mir/program.ts';
import {
  createTypeBuilder,
  eqHeapType,
  eqref,
  externString,
  f64,
  i16,
  i32,
  i64,
  none,
  notPacked,
  nullref,
  referenceTo,
  v128,
} from './binaryen.ts';
import type { HeapType, HeapTypeBuilder, WasmType } from './binaryen.ts';
import { packingOf } from './element-packing.ts';

/** Field numbers of the runtime's own structs. */
// A text's `characters` are null; or its code units (all of them or a window), if a loop has read them; or the offsets
// of its characters, if some of them are beyond the BMP.
export const stringFields = { text: 0, characters: 1, measure: 2, hash: 3 } as const;
export const arrayFields = { elements: 0, length: 1 } as const;

/** A heap type before it is built: a type of the language, or one that represents a part of it. */
type Shape =
  | { readonly kind: 'string' }
  | { readonly kind: 'codeUnits' }
  | { readonly kind: 'offsets' }
  | Box
  | { readonly kind: 'array'; readonly element: Type }
  | { readonly kind: 'elements'; readonly element: Type }
  | { readonly kind: 'struct'; readonly type: StructType };

/** A json value that needs a box, since it is not a reference. */
export type Box =
  | { readonly kind: 'boxed-int' }
  | { readonly kind: 'boxed-double' }
  | { readonly kind: 'boxed-boolean' };

export class HeapTypes {
  readonly #structs: ReadonlyMap<StructId, Struct>;
  readonly #built = new Map<string, HeapType>();
  readonly #arrays: ArrayRepresentations;

  constructor(structs: ReadonlyMap<StructId, Struct>, arrays: ArrayRepresentations) {
    this.#structs = structs;
    this.#arrays = arrays;
  }

  /** Whether arrays of this element type consist of their elements only. */
  isFixed(element: Type): boolean {
    return representationOf(this.#arrays, element).kind === 'elements';
  }

  /** The same, or an address. */
  isItsElements(element: Type): boolean {
    return isOnStack(element) || this.isFixed(element);
  }

  /** The wasm type of a variable of the type. */
  wasmType(type: Type): WasmType {
    switch (type.kind) {
      case 'int':
        return i64;
      case 'double':
        return f64;
      case 'boolean':
        return i32;
      case 'vector':
        return v128;
      case 'void':
        return none;
      case 'string':
      case 'codeUnits':
      case 'offsets':
      case 'slots':
      case 'elements':
      case 'struct':
      case 'array':
      case 'json':
        if (isOnStack(type)) return i32;
        return referenceTo(this.heapType(type), true);
      // The bottom type of all references here: null is valid wherever one of them is expected.
      case 'null':
        return nullref;
      case 'invalid':
      case 'variable':
        throw new Error(`a value of type ${type.kind} has no representation`);
    }
  }

  /** The heap type behind a reference type. */
  heapType(type: Type): HeapType {
    if (type.kind === 'json') return eqHeapType;
    return this.#heapTypeOf(this.#shapeOf(type));
  }

  /** The heap type of a boxed json value. */
  boxType(box: Box['kind']): HeapType {
    return this.#heapTypeOf({ kind: box });
  }

  /** The heap type of the elements of an array of `element`. */
  elementsType(element: Type): HeapType {
    return this.#heapTypeOf({ kind: 'elements', element });
  }

  #heapTypeOf(shape: Shape): HeapType {
    const key = keyOf(shape);
    if (!this.#built.has(key)) this.#build(shape);
    return this.#built.get(key)!;
  }

  #build(wanted: Shape): void {
    const group = this.#reach(wanted);
    const keys = [...group.keys()];
    const numbers = new Map(keys.map((key, index) => [key, index]));
    const builder = createTypeBuilder(keys.length);
    const refer = (shape: Shape, nullable: boolean): WasmType => {
      const built = this.#built.get(keyOf(shape));
      return built === undefined
        ? builder.getTempRefType(builder.getTempHeapType(numbers.get(keyOf(shape))!), nullable)
        : referenceTo(built, nullable);
    };
    [...group.values()].forEach((shape, index) => this.#define(builder, index, shape, refer));
    if (keys.length > 1) builder.createRecGroup(0, keys.length);
    builder.buildAndDispose().forEach((heapType, index) => this.#built.set(keys[index]!, heapType));
  }

  /** The shape, and all shapes that it refers to, directly or not, and that are not built yet. */
  #reach(wanted: Shape): Map<string, Shape> {
    const group = new Map<string, Shape>();
    // This uses a worklist instead of recursion, since a chain of structs may have any length.
    const pending = [wanted];
    for (let shape = pending.pop(); shape !== undefined; shape = pending.pop()) {
      const key = keyOf(shape);
      if (this.#built.has(key) || group.has(key)) continue;
      // The types of texts never refer back to the shape, and the array types that the engine's string builtins take
      // must be in recursion groups of their own.
      if (isLeaf(shape) && shape !== wanted) {
        this.#build(shape);
        continue;
      }
      group.set(key, shape);
      pending.push(...this.#partsOf(shape).toReversed());
    }
    return group;
  }

  #partsOf(shape: Shape): readonly Shape[] {
    switch (shape.kind) {
      case 'string':
      case 'codeUnits':
      case 'offsets':
      case 'boxed-int':
      case 'boxed-double':
      case 'boxed-boolean':
        return [];
      case 'array':
        return [{ kind: 'elements', element: shape.element }];
      case 'elements':
        return hasShape(shape.element) ? [this.#shapeOf(shape.element)] : [];
      case 'struct':
        return this.#struct(shape.type)
          .fields.filter((field) => hasShape(field.type))
          .map((field) => this.#shapeOf(field.type));
    }
  }

  #define(
    builder: HeapTypeBuilder,
    index: number,
    shape: Shape,
    refer: (shape: Shape, nullable: boolean) => WasmType,
  ): void {
    const field = (type: WasmType, mutable: boolean) => ({ type, packedType: notPacked, mutable });
    const storage = (type: Type): WasmType =>
      type.kind === 'json' ? eqref : isReference(type) ? refer(this.#shapeOf(type), true) : this.wasmType(type);
    switch (shape.kind) {
      case 'string':
        builder.setStructType(index, [
          field(externString, false),
          field(eqref, true),
          field(i32, true),
          field(i32, true),
        ]);
        return;
      case 'codeUnits':
        builder.setArrayType(index, i32, i16, true);
        return;
      case 'offsets':
        builder.setArrayType(index, i32, notPacked, true);
        return;
      case 'boxed-int':
        builder.setStructType(index, [field(i64, false)]);
        return;
      case 'boxed-double':
        builder.setStructType(index, [field(f64, false)]);
        return;
      case 'boxed-boolean':
        builder.setStructType(index, [field(i32, false)]);
        return;
      case 'array':
        builder.setStructType(index, [
          field(refer({ kind: 'elements', element: shape.element }, false), true),
          field(i32, true),
        ]);
        return;
      case 'elements': {
        const { type, packed } = packingOf(shape.element, storage(shape.element));
        builder.setArrayType(index, type, packed, true);
        return;
      }
      case 'struct':
        builder.setStructType(
          index,
          this.#struct(shape.type).fields.map((part) => field(storage(part.type), true)),
        );
        return;
    }
  }

  #shapeOf(type: Type): Shape {
    return type.kind === 'array' && this.isFixed(type.element)
      ? { kind: 'elements', element: type.element }
      : shapeOf(type);
  }

  #struct(type: StructType): Struct {
    const struct = this.#structs.get(type.id);
    if (struct === undefined) throw new Error(`no struct ${type.id}`);
    return struct;
  }
}

/** Whether values of the type are references. */
export function isReference(type: Type): boolean {
  return (
    type.kind !== 'int' &&
    type.kind !== 'double' &&
    type.kind !== 'boolean' &&
    type.kind !== 'vector' &&
    type.kind !== 'void'
  );
}

/** Whether values of the type have a heap type of their own; json uses the engine's eqref. */
function hasShape(type: Type): boolean {
  return isReference(type) && type.kind !== 'json';
}

function isLeaf(shape: Shape): boolean {
  return shape.kind !== 'array' && shape.kind !== 'elements' && shape.kind !== 'struct';
}

function shapeOf(type: Type): Shape {
  switch (type.kind) {
    case 'string':
    case 'codeUnits':
    case 'offsets':
      return type;
    case 'array':
      return type;
    case 'slots':
      return { kind: 'elements', element: jsonType };
    case 'elements':
      return type;
    case 'struct':
      return { kind: 'struct', type };
    case 'int':
    case 'double':
    case 'boolean':
    case 'void':
    case 'json':
    case 'null':
    case 'invalid':
    case 'variable':
    case 'vector':
      throw new Error(`${type.kind} is not a heap type`);
  }
}

function keyOf(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
    case 'codeUnits':
    case 'offsets':
    case 'boxed-int':
    case 'boxed-double':
    case 'boxed-boolean':
      return shape.kind;
    case 'array':
      return typeKey(arrayOf(shape.element));
    case 'elements':
      return `elements of ${typeKey(shape.element)}`;
    case 'struct':
      return shape.type.id;
  }
}
