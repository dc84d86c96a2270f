// Arrays on the stack in linear memory (4-optimise/transform/stack-allocation.ts): a value of such an array type is an
// address. There are the length and, in an array of arrays, the bytes of a row, in four bytes each, and eight bytes of
// which no use is made; then come the elements, as narrow as on the heap, or the rows, one behind the other.
// `new double[2][3]`:
//
//   2, 48, -, - | 3, 0, -, - | e00 e01 e02 - | 3, 0, -, - | e10 e11 e12 -
//
// Nothing is tested here.

import type { Type } from '../language/types.ts';
import { storageIn } from '../mir/scratch.ts';
import { bytesOnStack, headerBytes } from '../mir/stack.ts';
import type { Span } from '../source.ts';
import { bytesOfElement, emitReserveBytes, headerOnHeap, reference } from './allocation.ts';
import { f64, i32, i64, isRepeatable, none, tupleType } from './binaryen.ts';
import type { ExpressionRef, WasmModule } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { memoryName } from './memory.ts';
import { declareAllocate } from './stack.ts';

const rowBytesOffset = 4;

export function lengthOnStack({ module: m }: Emitter, array: ExpressionRef): ExpressionRef {
  return m.i32.load(0, 4, array, memoryName);
}

/** A row, or a number as it lies there: an int that is narrow as 32 bits. */
export function readOnStack(
  emitter: Emitter,
  array: ExpressionRef,
  index: ExpressionRef,
  element: Type,
): ExpressionRef {
  const { module: m } = emitter;
  if (element.kind === 'array') return emitRow(emitter, array, index);
  const place = placeOf(m, array, index, element);
  switch (bytesOnStack(element)) {
    case 1:
      return m.i32.load8_u(headerBytes, 1, place, memoryName);
    case 2:
      return m.i32.load16_u(headerBytes, 2, place, memoryName);
    case 4:
      return m.i32.load(headerBytes, 4, place, memoryName);
    case 8:
      return numbersOf(m, element).load(headerBytes, 8, place, memoryName);
  }
}

/** An int of fewer bits, as a whole one. */
export function readIntOnStack(
  { module: m }: Emitter,
  array: ExpressionRef,
  index: ExpressionRef,
  element: Type,
): ExpressionRef {
  const place = placeOf(m, array, index, element);
  switch (bytesOnStack(element)) {
    case 1:
      return m.i64.load8_u(headerBytes, 1, place, memoryName);
    case 2:
      return m.i64.load16_u(headerBytes, 2, place, memoryName);
    case 4:
      return storageIn(element) === 'i32'
        ? m.i64.load32_s(headerBytes, 4, place, memoryName)
        : m.i64.load32_u(headerBytes, 4, place, memoryName);
    case 8:
      return m.i64.load(headerBytes, 8, place, memoryName);
  }
}

/** Stores a number as it lies there. */
export function writeOnStack(
  { module: m }: Emitter,
  array: ExpressionRef,
  index: ExpressionRef,
  value: ExpressionRef,
  element: Type,
): ExpressionRef {
  const place = placeOf(m, array, index, element);
  switch (bytesOnStack(element)) {
    case 1:
      return m.i32.store8(headerBytes, 1, place, value, memoryName);
    case 2:
      return m.i32.store16(headerBytes, 2, place, value, memoryName);
    case 4:
      return m.i32.store(headerBytes, 4, place, value, memoryName);
    case 8:
      return numbersOf(m, element).store(headerBytes, 8, place, value, memoryName);
  }
}

/** Copies numbers; elements and an index say where. */
export function copyOnStack(
  { module: m }: Emitter,
  to: readonly [ExpressionRef, ExpressionRef],
  from: readonly [ExpressionRef, ExpressionRef],
  count: ExpressionRef,
  element: Type,
): ExpressionRef {
  const [target, source] = [to, from].map(([array, index]) => behindHeader(m, placeOf(m, array, index, element)));
  return m.memory.copy(target!, source!, inBytes(m, count, element), memoryName, memoryName);
}

/** Gives numbers a value as it lies there. */
export function fillOnStack(
  emitter: Emitter,
  [array, index]: readonly [ExpressionRef, ExpressionRef],
  value: ExpressionRef,
  count: ExpressionRef,
  element: Type,
): ExpressionRef {
  const m = emitter.module;
  const target = behindHeader(m, placeOf(m, array, index, element));
  const bytes = inBytes(m, count, element);
  return bytesOnStack(element) === 1
    ? m.memory.fill(target, value, bytes, memoryName)
    : m.call(declareFill(emitter, element), [target, bytes, value], none);
}

/**
 * The function that gives so many bytes from an address on a value of more than one byte.
 *
 * ```
 * end = address + bytes
 * while (address + 16 <= end) { 16 bytes; address += 16 }
 * while (address < end) { 1 number; address += its bytes }
 * ```
 */
function declareFill(emitter: Emitter, element: Type): string {
  const size = bytesOnStack(element);
  const type = element.kind === 'double' ? f64 : size === 8 ? i64 : i32;
  const name = `$fill<${size}${element.kind === 'double' ? ' double' : ''}>`;
  emitter.declare(name, () => {
    const m = emitter.module;
    const [address, end, value] = [0, 1, 2];
    const read = (local: number): ExpressionRef => m.local.get(local, i32);
    const one = (): ExpressionRef => m.local.get(value, type);
    const lanes = element.kind === 'double' ? m.f64x2 : size === 8 ? m.i64x2 : size === 4 ? m.i32x4 : m.i16x8;
    const store = {
      1: () => m.i32.store8(0, 1, read(address), one(), memoryName),
      2: () => m.i32.store16(0, 2, read(address), one(), memoryName),
      4: () => m.i32.store(0, 4, read(address), one(), memoryName),
      8: () => numbersOf(m, element).store(0, 8, read(address), one(), memoryName),
    }[size];
    const repeat = (label: string, bytes: number, put: ExpressionRef): ExpressionRef =>
      m.loop(
        label,
        m.if(
          m.i32.le_u(m.i32.add(read(address), m.i32.const(bytes)), read(end)),
          m.block(null, [put, m.local.set(address, m.i32.add(read(address), m.i32.const(bytes))), m.br(label)], none),
        ),
      );
    m.addFunction(
      name,
      tupleType([i32, i32, type]),
      none,
      [],
      m.block(
        null,
        [
          m.local.set(end, m.i32.add(read(address), read(end))),
          repeat('many', 16, m.v128.store(0, 8, read(address), lanes.splat(one()), memoryName)),
          repeat('rest', size, store()),
        ],
        none,
      ),
    );
  });
  return name;
}

function behindHeader(m: WasmModule, place: ExpressionRef): ExpressionRef {
  return m.i32.add(place, m.i32.const(headerBytes));
}

/** `array + 16 + index * rowBytes` */
function emitRow(emitter: Emitter, array: ExpressionRef, index: ExpressionRef): ExpressionRef {
  const m = emitter.module;
  const row = (read: () => ExpressionRef, at: ExpressionRef): ExpressionRef =>
    m.i32.add(
      m.i32.add(read(), m.i32.const(headerBytes)),
      m.i32.mul(at, m.i32.load(rowBytesOffset, 4, read(), memoryName)),
    );
  if (isRepeatable(array)) return row(() => m.copyExpression(array), index);
  const name = '$row';
  emitter.declare(name, () =>
    m.addFunction(
      name,
      tupleType([i32, i32]),
      i32,
      [],
      row(() => m.local.get(0, i32), m.local.get(1, i32)),
    ),
  );
  return m.call(name, [array, index], i32);
}

function numbersOf(m: WasmModule, element: Type): WasmModule['i64'] | WasmModule['f64'] {
  return element.kind === 'double' ? m.f64 : m.i64;
}

function placeOf(m: WasmModule, array: ExpressionRef, index: ExpressionRef, element: Type): ExpressionRef {
  return m.i32.add(array, inBytes(m, index, element));
}

function inBytes(m: WasmModule, count: ExpressionRef, element: Type): ExpressionRef {
  const bytes = bytesOnStack(element);
  return bytes === 1 ? count : m.i32.shl(count, m.i32.const(Math.log2(bytes)));
}

/**
 * A new array of so many zeros along each dimension, whose lengths (i64) have been tested.
 *
 * ```
 * reserve(…);  array = $newOnStack2<8>(n, m);  if (array == 0) fail;  array
 * ```
 */
export function emitStackArray(
  fb: FunctionBuilder,
  element: Type,
  counts: readonly (() => ExpressionRef)[],
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const number = innermost(element);
  const array = fb.newLocal(i32);
  const make = m.call(
    declareNew(fb.emitter, counts.length, bytesOnStack(number)),
    counts.map((count) => count()),
    i32,
  );
  return m.block(
    null,
    [
      emitReserveBytes(fb, chargedFor(fb, counts, bytesOfElement(number)), span),
      m.if(m.i32.eqz(m.local.tee(array, make, i32)), emitNoRoom(fb, span)),
      m.local.get(array, i32),
    ],
    i32,
  );
}

/** What a script is charged for: an object for each array, and references to rows. */
function chargedFor(
  fb: FunctionBuilder,
  [count, ...inner]: readonly (() => ExpressionRef)[],
  bytesEach: number,
): ExpressionRef {
  const m = fb.module;
  const each = (): ExpressionRef =>
    inner.length === 0
      ? m.i64.const(BigInt(bytesEach))
      : m.i64.add(chargedFor(fb, inner, bytesEach), m.i64.const(BigInt(reference)));
  return m.i64.add(m.i64.mul(count!(), each()), m.i64.const(BigInt(headerOnHeap)));
}

/**
 * The function that makes an array of so many dimensions, with numbers of so many bytes, and gives its address; 0 where
 * there is no room. Its parameters are the lengths.
 *
 * ```
 * rowBytes = padded(aligned(16 + m * 8));  bytes = aligned(16 + n * rowBytes)
 * array = $allocate(bytes);  if (array == 0) return 0
 * $lengths2(array, n, rowBytes, m, 0);  return array
 * ```
 */
function declareNew(emitter: Emitter, dimensions: number, bytesEach: number): string {
  const name = `$newOnStack${dimensions}<${bytesEach}>`;
  emitter.declare(name, () => {
    const m = emitter.module;
    const counts = Array.from({ length: dimensions }, (_, at) => at);
    const array = 2 * dimensions;
    const read = (local: number): ExpressionRef => m.local.get(local, i64);
    const setup: ExpressionRef[] = [];
    // From the innermost dimension on.
    for (const count of counts.toReversed()) {
      const inner = count === dimensions - 1 ? m.i64.const(BigInt(bytesEach)) : read(dimensions + count + 1);
      const whole = m.i64.add(m.i64.mul(read(count), inner), m.i64.const(BigInt(2 * headerBytes - 1)));
      const bytes = dimensions + count;
      setup.push(m.local.set(bytes, m.i64.and(whole, m.i64.const(BigInt(-headerBytes)))));
      if (count > 0)
        setup.push(
          m.local.set(
            bytes,
            padded(m, () => read(bytes)),
          ),
        );
    }
    const lengths = counts.flatMap((count) => [
      m.i32.wrap(read(count)),
      count === dimensions - 1 ? m.i32.const(0) : m.i32.wrap(read(dimensions + count + 1)),
    ]);
    const readArray = (): ExpressionRef => m.local.get(array, i32);
    const allocate = m.call(declareAllocate(emitter), [read(dimensions)], i32);
    m.addFunction(
      name,
      tupleType(counts.map(() => i64)),
      i32,
      [...counts.map(() => i64), i32],
      m.block(
        null,
        [
          ...setup,
          m.if(
            m.local.tee(array, allocate, i32),
            m.call(declareLengths(emitter, dimensions), [readArray(), ...lengths], none),
          ),
          readArray(),
        ],
        i32,
      ),
    );
  });
  return name;
}

/**
 * Rows that are a multiple of this apart have their elements in few sets of a cache: walks down a column, and several rows
 * at once, would have each other's thrown out. Those get this much more.
 */
const [unlucky, padding] = [1024n, 64n];

function padded(m: WasmModule, bytes: () => ExpressionRef): ExpressionRef {
  const isUnlucky = m.i64.eqz(m.i64.and(bytes(), m.i64.const(unlucky - 1n)));
  return m.i64.add(bytes(), m.select(isUnlucky, m.i64.const(padding), m.i64.const(0n)));
}

/** The bytes of a row, so many dimensions inside. */
export function emitRowBytes({ module: m }: Emitter, array: ExpressionRef, depth: ExpressionRef): ExpressionRef {
  const place = m.i32.add(array, m.i32.shl(depth, m.i32.const(Math.log2(headerBytes))));
  return m.i64.load32_u(rowBytesOffset, 4, place, memoryName);
}

function innermost(element: Type): Type {
  return element.kind === 'array' ? innermost(element.element) : element;
}

/** More than any limit. */
const everything = 2n ** 62n;

/** Fails with the error of a memory limit, or with that of an engine that gives no more. */
function emitNoRoom(fb: FunctionBuilder, span: Span): ExpressionRef {
  const m = fb.module;
  const reserve = emitReserveBytes(fb, m.i64.const(everything), span);
  return m.block(null, [reserve, fb.call(fb.emitter.requestPrelude('failNoRoom'), [], span), m.unreachable()]);
}

/**
 * The function that sets the lengths of an array and of its rows: its parameters are the address and, for each
 * dimension, the length and the bytes of a row.
 *
 * ```
 * array.length = n;  array.rowBytes = rowBytes
 * for (row = array + 16; n > 0; n--) { $lengths1(row, m, 0);  row += rowBytes }
 * ```
 */
function declareLengths(emitter: Emitter, dimensions: number): string {
  const name = `$lengths${dimensions}`;
  const inner = dimensions > 1 ? declareLengths(emitter, dimensions - 1) : null;
  emitter.declare(name, () => {
    const m = emitter.module;
    const [array, length, rowBytes] = [0, 1, 2];
    const parameters = Array.from({ length: 1 + 2 * dimensions }, () => i32);
    const row = parameters.length;
    const read = (local: number): ExpressionRef => m.local.get(local, i32);
    const store = (offset: number, local: number): ExpressionRef =>
      m.i32.store(offset, 4, read(array), read(local), memoryName);
    const operands = parameters.slice(3).map((_, at) => read(at + 3));
    const rows =
      inner === null
        ? []
        : [
            m.local.set(row, m.i32.add(read(array), m.i32.const(headerBytes))),
            m.loop(
              'rows',
              m.if(
                read(length),
                m.block(
                  null,
                  [
                    m.call(inner, [read(row), ...operands], none),
                    m.local.set(row, m.i32.add(read(row), read(rowBytes))),
                    m.local.set(length, m.i32.sub(read(length), m.i32.const(1))),
                    m.br('rows'),
                  ],
                  none,
                ),
              ),
            ),
          ];
    const body = [store(0, length), store(rowBytesOffset, rowBytes), ...rows];
    m.addFunction(name, tupleType(parameters), none, [i32], m.block(null, body, none));
  });
  return name;
}
