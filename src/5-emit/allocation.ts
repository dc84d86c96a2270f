// Counts allocations, in modules with a memory limit: those whose size the program decides. Allocations of a fixed size
// are covered by the counted iterations and calls that make them, since the host also checks memory when those are
// polled.

import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import type { ExpressionRef } from './binaryen.ts';
import { i32, none, referenceTo, wrap } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';

/** Of an object, and counted for an array wherever it lies. */
export const headerOnHeap = 16;
/** A reference counts as 8, as in engines that do not compress references. */
export const reference = 8;
const bytesOf: Readonly<Record<Type['kind'], number>> = {
  boolean: 1,
  codeUnits: 2,
  offsets: 4,
  int: 8,
  double: 8,
  vector: 16,
  string: reference,
  json: reference,
  struct: reference,
  array: reference,
  elements: reference,
  slots: reference,
  null: reference,
  // No element has these types.
  void: 0,
  invalid: 0,
  variable: 0,
};

export function bytesOfElement({ kind }: Type): number {
  return bytesOf[kind];
}

/** Counts `count` (i32) elements of so many bytes before they are allocated. */
export function emitReserve(fb: FunctionBuilder, count: ExpressionRef, bytesEach: number, span: Span): ExpressionRef {
  const m = fb.module;
  const bytes = m.i64.add(
    m.i64.mul(m.i64.extend_u(count), m.i64.const(BigInt(bytesEach))),
    m.i64.const(BigInt(headerOnHeap)),
  );
  return emitReserveBytes(fb, bytes, span);
}

/** Like `emitReserve`, for a number of bytes (i64). */
export function emitReserveBytes(fb: FunctionBuilder, bytes: ExpressionRef, span: Span): ExpressionRef {
  if (!fb.emitter.countsMemory) return fb.module.block(null, [], none);
  return fb.call(fb.emitter.requestPrelude('reserveMemory'), [bytes], span);
}

/** `n` (i64) code units, offsets or slots, all zero. */
export function emitNewRow(fb: FunctionBuilder, n: ExpressionRef, type: Type, span: Span): ExpressionRef {
  const m = fb.module;
  const heapType = fb.emitter.types.heapType(type);
  if (!fb.emitter.countsMemory) return m.array.new_default(heapType, wrap(m, n));
  const { first, read } = fb.tee(wrap(m, n), i32);
  return m.block(
    null,
    [emitReserve(fb, first, bytesOfElement(type), span), m.array.new_default(heapType, read())],
    referenceTo(heapType, false),
  );
}

/** The elements of every empty array that can grow, and of json objects without members: a single row. */
export function emitEmptyElements(emitter: Emitter, element: Type): ExpressionRef {
  const m = emitter.module;
  const heapType = emitter.types.elementsType(element);
  const type = referenceTo(heapType, false);
  const name = `$empty:${typeKey(element)}`;
  emitter.declare(name, () => m.addGlobal(name, type, false, m.array.new_fixed(heapType, [])));
  return m.global.get(name, type);
}
