// Reads and writes elements of arrays, of ints in as many bits as they have room for (element-packing.ts).
//
//   int[] bytes, u8      (array.get_u $bytes …) and i64.extend_i32_u; i32.wrap_i64 and (array.set $bytes …)

import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { emitAssertInRange } from './assertions.ts';
import { i32, i64, wrap } from './binaryen.ts';
import type { ExpressionRef, WasmModule } from './binaryen.ts';
import { storageOf } from './element-packing.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';

/** The element at an index of 32 bits, as a value. */
export function readElement(
  { module: m, types }: Emitter,
  elements: ExpressionRef,
  index: ExpressionRef,
  element: Type,
): ExpressionRef {
  const storage = storageOf(element);
  if (storage === null) return m.array.get(elements, index, types.wasmType(element), false);
  const found = m.array.get(elements, index, i32, false);
  return storage.isSigned ? m.i64.extend_s(found) : m.i64.extend_u(found);
}

/** An element as it lies in an array, and the loads and stores of a memory for such values. */
export function readRaw(
  { module: m, types }: Emitter,
  elements: ExpressionRef,
  index: ExpressionRef,
  element: Type,
): ExpressionRef {
  return m.array.get(elements, index, storageOf(element) === null ? types.wasmType(element) : i32, false);
}

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
