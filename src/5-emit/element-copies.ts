// Copies of numbers between arrays and the memory.

import { arrayOf, typeKey } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { elementsOfRow } from './arrays.ts';
import { bytesOf, storageIn } from '../mir/scratch.ts';
import { i32, none, tupleType } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { rawMemory, readRaw, writeRaw } from './element-storage.ts';
import type { Emitter } from './emitter.ts';
import { memoryName } from './memory.ts';

/** The unroll factor of the copy loop: a larger one makes the code larger and not faster (measured). */
const unrolled = 4;

export type Direction = 'store' | 'load';

/**
 * The function that copies `count` elements between an array of numbers, from index `at` on, and the memory, from
 * byte `from` on; its parameters are these. Ints that fit in 32 bits take four bytes in place of eight.
 *
 * ```
 * end = from + count * 8
 * while (from + 32 <= end) { 4 elements; at += 4; from += 32 }
 * while (from < end) { 1 element; at += 1; from += 8 }
 * ```
 */
export function declareCopy(emitter: Emitter, direction: Direction, element: Type): string {
  if (element.kind === 'array') return declareRowsCopy(emitter, direction, element.element);
  const name = nameOf(direction, element);
  emitter.declare(name, () => {
    const m = emitter.module;
    const elements = emitter.types.wasmType({ kind: 'elements', element });
    const elementBytes = bytesOf(storageIn(element));
    const [at, count, from] = [1, 2, 3];
    const end = count;
    const read = (local: number): ExpressionRef => m.local.get(local, i32);
    const moveOne = (index: number): ExpressionRef => {
      const place = index === 0 ? read(at) : m.i32.add(read(at), m.i32.const(index));
      const array = m.local.get(0, elements);
      const memory = rawMemory(m, element);
      const offset = index * elementBytes;
      return direction === 'store'
        ? memory.store(offset, elementBytes, read(from), readRaw(emitter, array, place, element), memoryName)
        : writeRaw(emitter, array, place, memory.load(offset, elementBytes, read(from), memoryName), element);
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
      tupleType([elements, i32, i32, i32]),
      none,
      [],
      m.block(
        null,
        [
          m.local.set(end, m.i32.add(read(from), m.i32.mul(read(count), m.i32.const(elementBytes)))),
          moveMany('rows', unrolled),
          moveMany('rest', 1),
        ],
        none,
      ),
    );
  });
  return name;
}

function nameOf(direction: Direction, element: Type): string {
  return `$${direction}Elements<${typeKey(element)}>`;
}

/**
 * The same for `count` rows, which follow each other in memory; further parameters are the counts of the dimensions
 * inside.
 *
 * ```
 * while (at < count) { copy(elements[at], 0, inner, from, …); at += 1; from += bytes of a row }
 * ```
 */
function declareRowsCopy(emitter: Emitter, direction: Direction, element: Type): string {
  const row = arrayOf(element);
  const name = nameOf(direction, row);
  const copy = declareCopy(emitter, direction, element);
  emitter.declare(name, () => {
    const m = emitter.module;
    const elements = emitter.types.wasmType({ kind: 'elements', element: row });
    const inner = countDimensions(element) + 1;
    const elementBytes = bytesOf(storageIn(innermost(element)));
    const [at, count, from, firstInner] = [1, 2, 3, 4];
    const bytes = firstInner + inner;
    const read = (local: number): ExpressionRef => m.local.get(local, i32);
    const counts = Array.from({ length: inner }, (_, index) => firstInner + index);
    const rowAt = readRaw(emitter, m.local.get(0, elements), read(at), row);
    const [first, ...others] = counts as [number, ...number[]];
    const operands = [elementsOfRow(emitter, rowAt, element), m.i32.const(0), read(first), read(from)];
    const rowBytes = counts.map(read).reduce((product, size) => m.i32.mul(product, size), m.i32.const(elementBytes));
    m.addFunction(
      name,
      tupleType([elements, i32, i32, i32, ...counts.map(() => i32)]),
      none,
      [i32],
      m.block(
        null,
        [
          m.local.set(bytes, rowBytes),
          m.loop(
            'rows',
            m.if(
              m.i32.lt_u(read(at), read(count)),
              m.block(
                null,
                [
                  m.call(copy, [...operands, ...others.map(read)], none),
                  m.local.set(at, m.i32.add(read(at), m.i32.const(1))),
                  m.local.set(from, m.i32.add(read(from), read(bytes))),
                  m.br('rows'),
                ],
                none,
              ),
            ),
          ),
        ],
        none,
      ),
    );
  });
  return name;
}

function innermost(element: Type): Type {
  return element.kind === 'array' ? innermost(element.element) : element;
}

function countDimensions(element: Type): number {
  return element.kind === 'array' ? 1 + countDimensions(element.element) : 0;
}
