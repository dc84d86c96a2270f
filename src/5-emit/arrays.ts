// Arrays: the elements alone or, for array types that the program resizes, a struct of elements and length. Boolean
// elements are bytes. An index is compared as an unsigned 64-bit number, which also finds negative ones, and wrapped to
// 32 bits afterwards.

import { longestArrays } from '../abi/values.ts';
import { arePure } from '../mir/effects.ts';
import { isConstant } from '../mir/kinds.ts';
import type { Expression, GetElement, SetElement } from '../mir/mir.ts';
import { arrayOf, isOnStack } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { bytesOfElement, emitEmptyElements, emitReserve } from './allocation.ts';
import { emitAssertInRange } from './assertions.ts';
import { i32, i64, isRepeatable, none, referenceTo, wrap } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { isNeverNull } from '../mir/never-null.ts';
import { emitStored, readElement, writeRaw } from './element-storage.ts';
import { emitFail, emitNonNull } from './errors.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { arrayFields } from './heap-types.ts';
import { emptyArray } from './stack.ts';
import { emitStackArray, lengthOnStack } from './stack-arrays.ts';

export function emitElements(fb: FunctionBuilder, array: ExpressionRef, element: Type): ExpressionRef {
  return elementsOfRow(fb.emitter, array, element);
}

/** As `emitElements`, outside of a function of the script. */
export function elementsOfRow({ types, module }: Emitter, array: ExpressionRef, element: Type): ExpressionRef {
  if (types.isItsElements(element)) return array;
  const type = referenceTo(types.elementsType(element), false);
  return module.struct.get(arrayFields.elements, array, type, false);
}

/** The length as an i32. */
export function emitLength(fb: FunctionBuilder, array: ExpressionRef, element: Type): ExpressionRef {
  return lengthOfRow(fb.emitter, array, element);
}

/** As `emitLength`, outside of a function of the script. */
export function lengthOfRow(emitter: Emitter, array: ExpressionRef, element: Type): ExpressionRef {
  const { types, module } = emitter;
  if (isOnStack(element)) return lengthOnStack(emitter, array);
  if (types.isFixed(element)) return module.array.len(array);
  return module.struct.get(arrayFields.length, array, i32, false);
}

export function emitLoadElement(
  fb: FunctionBuilder,
  array: ExpressionRef,
  index: ExpressionRef,
  element: Type,
): ExpressionRef {
  return readElement(fb.emitter, emitElements(fb, array, element), index, element);
}

export function emitStoreElement(
  fb: FunctionBuilder,
  array: ExpressionRef,
  index: ExpressionRef,
  value: ExpressionRef,
  element: Type,
  span: Span,
): ExpressionRef {
  const stored = emitStored(fb, value, element, span);
  return writeRaw(fb.emitter, emitElements(fb, array, element), index, stored, element);
}

/** A new array of `count` (i32) zeros or nulls. */
export function emitNewDefault(
  fb: FunctionBuilder,
  element: Type,
  count: () => ExpressionRef,
  span: Span,
): ExpressionRef {
  const m = fb.module;
  if (isOnStack(element)) return emitStackArray(fb, element, [(): ExpressionRef => m.i64.extend_u(count())], span);
  const type = fb.emitter.types.heapType(arrayOf(element));
  const reserve = emitReserve(fb, count(), bytesOfElement(element), span);
  const elements = m.array.new_default(fb.emitter.types.elementsType(element), count());
  return m.block(null, [reserve, emitWrapped(fb, elements, count, element)], referenceTo(type, false));
}

/** An array of the language whose elements are all of these, without spare capacity. */
function emitWrapped(
  fb: FunctionBuilder,
  elements: ExpressionRef,
  count: () => ExpressionRef,
  element: Type,
): ExpressionRef {
  const { types } = fb.emitter;
  return types.isFixed(element)
    ? elements
    : fb.module.struct.new([elements, count()], types.heapType(arrayOf(element)));
}

/**
 * Whether an index is below the length: the comparison of the engines' own bounds check, so that they remove that check
 * from a following access with this index.
 */
export function emitInBounds(fb: FunctionBuilder, index: Expression, elements: Expression): ExpressionRef {
  const raw = fb.expression(elements);
  const length = isOnStack(fb.resolve(elements.type)) ? lengthOnStack(fb.emitter, raw) : fb.module.array.len(raw);
  return fb.module.i32.lt_u(wrap(fb.module, fb.expression(index)), length);
}

/** Array, index, null check, bounds check, array.get. */
export function emitGetElement(fb: FunctionBuilder, node: GetElement): ExpressionRef {
  const m = fb.module;
  const element = elementOf(fb.resolve(node.array.type));
  const index = fb.expression(node.index);
  if (node.asserted === true && !fb.instance.trusted) return emitAssertedElement(fb, node, index, element);
  if (!node.checked || node.isRedundant === true || fb.instance.trusted) {
    return emitLoadElement(fb, fb.expression(node.array), wrap(m, index), element);
  }
  const place = saveAccess(fb, node.array, index, node.span, []);
  const load = emitLoadElement(fb, place.array(), wrap(m, place.index()), element);
  return m.block(
    null,
    [...place.setup, emitBoundsTest(fb, place, node.span), load],
    fb.emitter.types.wasmType(element),
  );
}

/** Array, index, assertion, array.get, which traps for null. */
function emitAssertedElement(
  fb: FunctionBuilder,
  node: GetElement,
  index: ExpressionRef,
  element: Type,
): ExpressionRef {
  const m = fb.module;
  const type = fb.wasmType(node.array.type);
  const [array, at] = [fb.newLocal(type), fb.newLocal(i64)];
  const readArray = (): ExpressionRef => m.local.get(array, type);
  const readIndex = (): ExpressionRef => m.local.get(at, i64);
  return m.block(
    null,
    [
      m.local.set(array, fb.expression(node.array)),
      m.local.set(at, index),
      emitAssertInRange(fb, readIndex(), m.i64.extend_u(emitLength(fb, readArray(), element)), node.span),
      emitLoadElement(fb, readArray(), wrap(m, readIndex()), element),
    ],
    fb.emitter.types.wasmType(element),
  );
}

/** Array, index, value, null check, bounds check, array.set. */
export function emitSetElement(fb: FunctionBuilder, node: SetElement): ExpressionRef {
  const m = fb.module;
  const element = elementOf(fb.resolve(node.array.type));
  const index = fb.expression(node.index);
  const value = fb.expression(node.value);
  const isLate = isRepeatable(value) || arePure([node.value], fb.emitter.registry);
  if (fb.instance.trusted || (node.isRedundant === true && isLate)) {
    return emitStoreElement(fb, fb.expression(node.array), wrap(m, index), value, element, node.span);
  }
  if (node.isRedundant === true) return emitTestedByValue(fb, node, index, value, element);
  const place = saveAccess(
    fb,
    node.array,
    index,
    node.span,
    isLate ? [] : [{ value, type: fb.wasmType(node.value.type) }],
  );
  const stored = place.hoisted[0]?.() ?? value;
  return m.block(
    null,
    [
      ...place.setup,
      emitBoundsTest(fb, place, node.span),
      emitStoreElement(fb, place.array(), wrap(m, place.index()), stored, element, node.span),
    ],
    none,
  );
}

/** Array, index, value, array.set. The value may be what tests the array for null: its elements are read behind it. */
function emitTestedByValue(
  fb: FunctionBuilder,
  node: SetElement,
  index: ExpressionRef,
  value: ExpressionRef,
  element: Type,
): ExpressionRef {
  const m = fb.module;
  const [arrayType, type] = [fb.wasmType(node.array.type), fb.wasmType(node.value.type)];
  const [array, at, local] = [fb.newLocal(arrayType), fb.newLocal(i64), fb.newLocal(type)];
  const read = m.local.get(array, arrayType);
  return m.block(
    null,
    [
      m.local.set(array, fb.expression(node.array)),
      m.local.set(at, index),
      m.local.set(local, value),
      emitStoreElement(fb, read, wrap(m, m.local.get(at, i64)), m.local.get(local, type), element, node.span),
    ],
    none,
  );
}

/** An evaluated array that is not null, and an evaluated index; both can be read several times. */
interface Access {
  readonly setup: readonly ExpressionRef[];
  /** The array with its null check, for the first read. */
  readonly tested: ExpressionRef;
  readonly array: () => ExpressionRef;
  readonly index: () => ExpressionRef;
  readonly element: Type;
  readonly hoisted: readonly (() => ExpressionRef)[];
}

/** Evaluates array, index and the following operands into locals, in this order; then tests the array for null. */
function saveAccess(
  fb: FunctionBuilder,
  arrayNode: Expression,
  index: ExpressionRef,
  span: Span,
  following: readonly { readonly value: ExpressionRef; readonly type: WasmType }[],
): Access {
  const m = fb.module;
  const nullableType = fb.wasmType(arrayNode.type);
  const knownType =
    isNeverNull(arrayNode) || isOnStack(arrayNode.type)
      ? nullableType
      : referenceTo(fb.emitter.types.heapType(fb.resolve(arrayNode.type)), false);
  const array = fb.expression(arrayNode);
  const setup: ExpressionRef[] = [];
  const save = (value: ExpressionRef, type: WasmType): (() => ExpressionRef) => {
    const local = fb.newLocal(type);
    setup.push(m.local.set(local, value));
    return () => m.local.get(local, type);
  };
  // If the later operands cannot change what the array expression reads, its value needs no local before the test.
  const isLast = following.length === 0 && isRepeatable(index);
  const readArray = isLast ? null : save(array, nullableType);
  const readIndex = isLast ? (): ExpressionRef => m.copyExpression(index) : save(index, i64);
  const hoisted = following.map(({ value, type }) => save(value, type));
  const tested = fb.tee(
    emitNonNull(fb, arrayNode, () => 'an element', span, readArray?.() ?? array),
    knownType,
  );
  return {
    setup,
    tested: tested.first,
    array: tested.read,
    index: readIndex,
    element: elementOf(fb.resolve(arrayNode.type)),
    hoisted,
  };
}

function emitBoundsTest(fb: FunctionBuilder, place: Access, span: Span): ExpressionRef {
  const m = fb.module;
  const lengthOf = (array: ExpressionRef): ExpressionRef => m.i64.extend_u(emitLength(fb, array, place.element));
  const fail = emitFail(fb, 'failIndex', [place.index(), lengthOf(place.array())], span);
  return m.if(m.i64.le_u(lengthOf(place.tested), place.index()), fail);
}

/** A literal of more elements is filled by functions. */
const mostInPlace = 1000;

/** array.new_fixed. Engines limit the operands of one instruction, so stores fill a long literal. */
export function emitArrayLiteral(
  fb: FunctionBuilder,
  node: Expression & { readonly kind: 'array-literal' },
): ExpressionRef {
  const m = fb.module;
  const type = fb.resolve(node.type);
  const element = elementOf(type);
  if (isOnStack(element)) return emitLiteralOnStack(fb, node, element);
  const elementsType = fb.emitter.types.elementsType(element);
  const count = node.elements.length;
  if (count === 0 && !fb.emitter.types.isFixed(element)) {
    return emitWrapped(fb, emitEmptyElements(fb.emitter, element), () => m.i32.const(0), element);
  }
  if (count <= mostInPlace) {
    const elements = m.array.new_fixed(
      elementsType,
      node.elements.map((value) => emitStored(fb, fb.expression(value), element, value.span)),
    );
    return emitWrapped(fb, elements, () => m.i32.const(count), element);
  }
  const known = referenceTo(fb.emitter.types.heapType(type), false);
  const local = fb.newLocal(known);
  const read = (): ExpressionRef => m.local.get(local, known);
  return m.block(
    null,
    [
      m.local.set(
        local,
        emitNewDefault(fb, element, () => m.i32.const(count), node.span),
      ),
      ...(node.elements.every(isConstant)
        ? emitConstants(fb, read, node.elements, element)
        : emitStores(fb, read, node.elements, 0, element)),
      read(),
    ],
    known,
  );
}

function emitLiteralOnStack(
  fb: FunctionBuilder,
  { elements, span }: Expression & { readonly kind: 'array-literal' },
  element: Type,
): ExpressionRef {
  const m = fb.module;
  if (elements.length === 0) return m.i32.const(emptyArray);
  const array = fb.newLocal(i32);
  const made = emitStackArray(fb, element, [(): ExpressionRef => m.i64.const(BigInt(elements.length))], span);
  const read = (): ExpressionRef => m.local.get(array, i32);
  const stores =
    elements.length > mostInPlace && elements.every(isConstant)
      ? emitConstants(fb, read, elements, element)
      : emitStores(fb, read, elements, 0, element);
  return m.block(null, [m.local.set(array, made), ...stores, read()], i32);
}

function emitStores(
  fb: FunctionBuilder,
  array: () => ExpressionRef,
  values: readonly Expression[],
  from: number,
  element: Type,
): ExpressionRef[] {
  return values.map((value, index) =>
    emitStoreElement(fb, array(), fb.module.i32.const(from + index), fb.expression(value), element, value.span),
  );
}

/**
 * A long literal of constants is filled by functions of 500 stores each, since one function with thousands of stores
 * would take long to optimise.
 */
function emitConstants(
  fb: FunctionBuilder,
  array: () => ExpressionRef,
  values: readonly Expression[],
  element: Type,
): ExpressionRef[] {
  const m = fb.module;
  const calls: ExpressionRef[] = [];
  for (let from = 0; from < values.length; from += 500) {
    const name = fb.emitter.newName('$fill');
    const type = isOnStack(element) ? i32 : referenceTo(fb.emitter.types.heapType(arrayOf(element)), false);
    const stores = emitStores(fb, () => m.local.get(0, type), values.slice(from, from + 500), from, element);
    m.addFunction(name, type, none, [], m.block(null, stores, none));
    calls.push(m.call(name, [array()], none));
  }
  return calls;
}

/** Evaluates the lengths from left to right and tests them; loops make the inner arrays. */
export function emitNewArray(fb: FunctionBuilder, node: Expression & { readonly kind: 'new-array' }): ExpressionRef {
  const m = fb.module;
  const setup: ExpressionRef[] = [];
  const counts = node.lengths.map((length) => {
    const local = fb.newLocal(i64);
    setup.push(m.local.set(local, fb.expression(length)));
    return (): ExpressionRef => m.local.get(local, i64);
  });
  const type = fb.resolve(node.type);
  const tests = counts.map((count, depth) => {
    const longest = m.i64.const(longestArray(node.lengths.length - 1 === depth ? innerType(type, depth) : type));
    const test = fb.emitter.requestPrelude(node.isCharged === true ? 'testLength' : 'testNewLength');
    return fb.call(test, [count(), longest], node.span);
  });
  const made = isOnStack(type)
    ? emitStackArray(fb, elementOf(type), counts, node.span)
    : emitDimension(fb, type, counts, node.span);
  return m.block(
    null,
    [...setup, ...tests, ...emitTotalTest(fb, counts, innerType(type, counts.length - 1), node.span), made],
    isOnStack(type) ? i32 : referenceTo(fb.emitter.types.heapType(type), false),
  );
}

/** Tests that all elements together do not exceed the limit. */
function emitTotalTest(
  fb: FunctionBuilder,
  counts: readonly (() => ExpressionRef)[],
  element: Type,
  span: Span,
): ExpressionRef[] {
  const m = fb.module;
  const [first, ...others] = counts;
  if (others.length === 0) return [];
  const test = fb.emitter.requestPrelude('testNewTotal');
  const total = others.reduce(
    (product, count) => fb.call(test, [product, count(), m.i64.const(longestArray(element))], span),
    first!(),
  );
  return [m.drop(total)];
}

/** The element type of the arrays at a depth. */
function innerType(type: Type, depth: number): Type {
  return depth === 0 ? elementOf(type) : innerType(elementOf(type), depth - 1);
}

/** The greatest length of an array. */
export function longestArray(element: Type): bigint {
  return BigInt(element.kind === 'boolean' ? longestArrays.boolean : longestArrays.other);
}

function emitDimension(
  fb: FunctionBuilder,
  type: Type,
  counts: readonly (() => ExpressionRef)[],
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const element = elementOf(type);
  const [count, ...inner] = counts as readonly [() => ExpressionRef, ...(() => ExpressionRef)[]];
  const outer = emitNewDefault(fb, element, () => wrap(m, count()), span);
  if (inner.length === 0) return outer;
  const known = referenceTo(fb.emitter.types.heapType(type), false);
  const array = fb.newLocal(known);
  const index = fb.newLocal(i32);
  const loop = fb.newLabel('fill');
  const read = (): ExpressionRef => m.local.get(array, known);
  const readIndex = (): ExpressionRef => m.local.get(index, i32);
  const store = emitStoreElement(fb, read(), readIndex(), emitDimension(fb, element, inner, span), element, span);
  const next = m.block(null, [store, m.local.set(index, m.i32.add(readIndex(), m.i32.const(1))), m.br(loop)], none);
  return m.block(
    null,
    [
      m.local.set(array, outer),
      m.local.set(index, m.i32.const(0)),
      m.loop(loop, m.if(m.i32.lt_u(readIndex(), emitLength(fb, read(), element)), next)),
      read(),
    ],
    known,
  );
}

export function elementOf(type: Type): Type {
  if (type.kind !== 'array') throw new Error('not an array');
  return type.element;
}
