// Staging: int[] and double[] cross the boundary through the memory. Modules that copy no elements have none.

import { stagedNumbers } from '../abi/imports.ts';
import type { Type } from '../language/types.ts';
import { none, wrap } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitElements } from './arrays.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { declareCopy } from './element-copies.ts';
import type { Direction } from './element-copies.ts';
import { useMemory } from './memory.ts';

/** Whether arrays of the element type go through the staging memory. */
export function isStaged(element: Type): boolean {
  return element.kind === 'int' || element.kind === 'double';
}

/** How many elements the staging memory holds. */
export function emitStagedRoom(fb: FunctionBuilder): ExpressionRef {
  return fb.module.i64.const(BigInt(stagedNumbers));
}

/** Copies `count` elements between the array, from index `at` on, and the memory, from byte 0 on. */
export function emitStaging(
  fb: FunctionBuilder,
  direction: Direction,
  operands: readonly ExpressionRef[],
  element: Type,
): ExpressionRef {
  const m = fb.module;
  const [array, at, count] = operands as [ExpressionRef, ExpressionRef, ExpressionRef];
  useMemory(fb.emitter, 'staging');
  const copy = declareCopy(fb.emitter, direction, element);
  return m.call(copy, [emitElements(fb, array, element), wrap(m, at), wrap(m, count), m.i32.const(0)], none);
}
