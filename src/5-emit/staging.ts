// The staging memory, through which int[] and double[] cross the boundary: the memory itself, and the functions that
// copy elements between it and a wasm array. Modules that copy no elements have neither.

import { runtimeModule, stagedNumbers, stagingBytes, stagingImport } from '../abi/imports.ts';
import { typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { i32, none, referenceTo, tupleType, wrap } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitElements } from './arrays.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';

const memoryName = '$staging';

/** The unroll factor of the copy loop: a larger one makes the code larger and not faster (measured). */
const unrolled = 4;
const elementBytes = 8;

type Direction = 'store' | 'load';

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
  const [array, at, count] = operands as [ExpressionRef, ExpressionRef, ExpressionRef];
  const name = declareMove(fb.emitter, direction, element);
  return fb.module.call(name, [emitElements(fb, array, element), wrap(fb.module, at), wrap(fb.module, count)], none);
}

function declareMemory(emitter: Emitter): void {
  emitter.declare(memoryName, () => {
    const pages = stagingBytes / 65_536;
    emitter.module.setMemory(pages, pages, null, [], false, false, memoryName);
    emitter.module.addMemoryImport(memoryName, runtimeModule, stagingImport);
  });
}

/**
 * ```
 * end = count * 8
 * while (from + 32 <= end) { 4 elements; at += 4; from += 32 }
 * while (from < end) { 1 element; at += 1; from += 8 }
 * ```
 */
function declareMove(emitter: Emitter, direction: Direction, element: Type): string {
  const name = `$${direction}Staged<${typeKey(element)}>`;
  emitter.declare(name, () => {
    declareMemory(emitter);
    const m = emitter.module;
    const elements = referenceTo(emitter.types.elementsType(element), true);
    const [at, count, from] = [1, 2, 3];
    const end = count;
    const read = (local: number): ExpressionRef => m.local.get(local, i32);
    const moveOne = (index: number): ExpressionRef => {
      const place = index === 0 ? read(at) : m.i32.add(read(at), m.i32.const(index));
      const array = m.local.get(0, elements);
      const memory = element.kind === 'int' ? m.i64 : m.f64;
      const offset = index * elementBytes;
      return direction === 'store'
        ? memory.store(
            offset,
            elementBytes,
            read(from),
            m.array.get(array, place, emitter.types.wasmType(element), false),
            memoryName,
          )
        : m.array.set(array, place, memory.load(offset, elementBytes, read(from), memoryName));
    };
    const moveMany = (label: string, size: number): ExpressionRef =>
      m.loop(
        label,
        m.if(
          m.i32.le_u(m.i32.add(read(from), m.i32.const(size * elementBytes)), read(end)),
          m.block(
            null,
            [
              ...Array.from({ length: size }, (_, index) => moveOne(index)),
              m.local.set(at, m.i32.add(read(at), m.i32.const(size))),
              m.local.set(from, m.i32.add(read(from), m.i32.const(size * elementBytes))),
              m.br(label),
            ],
            none,
          ),
        ),
      );
    m.addFunction(
      name,
      tupleType([elements, i32, i32]),
      none,
      [i32],
      m.block(
        null,
        [
          m.local.set(end, m.i32.mul(read(count), m.i32.const(elementBytes))),
          moveMany('rows', unrolled),
          moveMany('rest', 1),
        ],
        none,
      ),
    );
  });
  return name;
}
