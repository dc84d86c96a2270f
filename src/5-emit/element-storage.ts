// Reads and writes elements of arrays, of ints in as many bits as they have room for (element-packing.ts).
//
//   int[] bytes, u8      (array.get_u $bytes …) and i64.extend_i32_u; i32.wrap_i64 and (array.set $bytes …)

import { isOnStack } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { emitAssertInRange } from './assertions.ts';
import { i32, i64, wrap } from './binaryen.ts';
import type { ExpressionRef, WasmModule } from './binaryen.ts';
import { storageOf } from './element-packing.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { copyOnStack, fillOnStack, readIntOnStack, readOnStack, writeOnStack } from './stack-arrays.ts';

/** The element at an index of 32 bits, as a value. */
export function readElement(
  emitter: Emitter,
  elements: ExpressionRef,
  index: ExpressionRef,
  element: Type,
): ExpressionRef {
  const storage = storageOf(element);
  if (storage !== null && isOnStack(element)) return readIntOnStack(emitter, elements, index, element);
  const found = readRaw(emitter, elements, index, element);
  if (storage === null) return found;
  return storage.isSigned ? emitter.module.i64.extend_s(found) : emitter.module.i64.extend_u(found);
}

/** An element as it lies in an array. */
export function readRaw(emitter: Emitter, elements: ExpressionRef, index: ExpressionRef, element: Type): ExpressionRef {
  if (isOnStack(element)) return readOnStack(emitter, elements, index, element);
  const type = storageOf(element) === null ? emitter.types.wasmType(element) : i32;
  return emitter.module.array.get(elements, index, type, false);
}

/** Sets an element to what lies in an array like that. */
export function writeRaw(
  emitter: Emitter,
  elements: ExpressionRef,
  index: ExpressionRef,
  value: ExpressionRef,
  element: Type,
): ExpressionRef {
  return isOnStack(element)
    ? writeOnStack(emitter, elements, index, value, element)
    : emitter.module.array.set(elements, index, value);
}

/** Elements, and an index of 32 bits. */
type Place = readonly [elements: ExpressionRef, index: ExpressionRef];

/** Copies elements between arrays that lie in memory alike; it may be one. */
export function copyRaw(emitter: Emitter, to: Place, from: Place, count: ExpressionRef, element: Type): ExpressionRef {
  return isOnStack(element)
    ? copyOnStack(emitter, to, from, count, element)
    : emitter.module.array.copy(...to, ...from, count);
}

/** Gives elements a value as it lies there. */
export function fillRaw(
  emitter: Emitter,
  at: Place,
  value: ExpressionRef,
  count: ExpressionRef,
  element: Type,
): ExpressionRef {
  return isOnStack(element)
    ? fillOnStack(emitter, at, value, count, element)
    : emitter.module.array.fill(...at, value, count);
}

/** The loads and stores of a memory for such values. */
export function rawMemory(m: WasmModule, element: Type): WasmModule['i32'] | WasmModule['i64'] | WasmModule['f64'] {
  if (element.kind !== 'int') return m.f64;
  return storageOf(element) === null ? m.i64 : m.i32;
}

/** A value as an element. */
export function storedElement(module: WasmModule, value: ExpressionRef, element: Type): ExpressionRef {
  return storageOf(element) === null ? value : wrap(module, value);
}

/** The same, and a build with assertions traps where the value has no room. */
export function emitStored(fb: FunctionBuilder, value: ExpressionRef, element: Type, span: Span): ExpressionRef {
  const storage = storageOf(element);
  if (storage === null || !fb.emitter.assertsBounds) return storedElement(fb.module, value, element);
  const m = fb.module;
  const { first, read } = fb.tee(value, i64);
  const place = m.i64.sub(first, m.i64.const(storage.low));
  return m.block(null, [emitAssertInRange(fb, place, m.i64.const(storage.count), span), wrap(m, read())], i32);
}
