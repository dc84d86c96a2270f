// The scratch memory: loads and stores of loop nests, and how their arrays come into it and back. Nothing is tested
// here; what a nest compares in front of itself keeps it inside of what it has reserved (4-optimise/nests).

import type { CopyElements, Expression, Load, Store } from '../mir/mir.ts';
import { laneCount } from '../mir/lane-wise.ts';
import { bytesOf } from '../mir/scratch.ts';
import { isResident } from '../mir/stack.ts';
import type { Type } from '../language/types.ts';
import { i32, i64, none, v128 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitAssert } from './assertions.ts';
import { emitStored } from './element-storage.ts';
import { declareCopy } from './element-copies.ts';
import { memoryName, pageBytes, useMemory } from './memory.ts';
import { emitMarkWritten } from './stack.ts';
import { emitLow32 } from './wrap32.ts';

const numberBytes = 8;

export function emitLoad(fb: FunctionBuilder, node: Load): ExpressionRef {
  const { address, offset, type, storage } = node;
  const place = emitLow32(fb, address);
  const load =
    storage === undefined
      ? accessOf(fb, type).load(offset, numberBytes, place, memoryName)
      : emitLoadWidened(fb, { offset, storage, type }, place);
  if (node.asserted === undefined) return load;
  return fb.module.block(null, [...emitAsserted(fb, node.asserted), load], fb.wasmType(type));
}

type Storage = Exclude<Load['storage'], undefined>;

/** An int of four bytes, or the two or four of a vector. */
function emitLoadWidened(
  { module: m }: FunctionBuilder,
  { offset, storage, type }: { readonly offset: number; readonly storage: Storage; readonly type: Type },
  place: ExpressionRef,
): ExpressionRef {
  const isSigned = storage === 'i32';
  const bytes = bytesOf(storage);
  if (type.kind === 'vector' && laneCount(type.element) === 4) return m.v128.load(offset, bytes, place, memoryName);
  if (type.kind === 'vector')
    return isSigned
      ? m.v128.load32x2_s(offset, bytes, place, memoryName)
      : m.v128.load32x2_u(offset, bytes, place, memoryName);
  return isSigned ? m.i64.load32_s(offset, bytes, place, memoryName) : m.i64.load32_u(offset, bytes, place, memoryName);
}

/** Two ints of four bytes as the first two of four lanes. */
export function emitLoadOfHalves(fb: FunctionBuilder, { address, offset, storage, asserted }: Load): ExpressionRef {
  const load = fb.module.v128.load64_zero(offset, bytesOf(storage), emitLow32(fb, address), memoryName);
  return asserted === undefined ? load : fb.module.block(null, [...emitAsserted(fb, asserted), load], v128);
}

/** The low halves of both lanes. */
const narrowed = [0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11];

export function emitNarrowed(fb: FunctionBuilder, value: ExpressionRef): ExpressionRef {
  return fb.reuse(value, v128, (read) => fb.module.i8x16.shuffle(read(), read(), narrowed), v128);
}

/** A build with assertions traps where a value has no room. */
function emitStoreNarrowed(
  fb: FunctionBuilder,
  { offset, value, span }: Store,
  storage: Storage,
  place: ExpressionRef,
): ExpressionRef {
  const { module: m } = fb;
  const bytes = bytesOf(storage);
  if (value.type.kind !== 'vector') {
    const low = emitStored(fb, fb.expression(value), { kind: 'int', storage }, span);
    return m.i32.store(offset, bytes, place, low, memoryName);
  }
  if (laneCount(value.type.element) === 4) return m.v128.store(offset, bytes, place, fb.expression(value), memoryName);
  const { first, read } = fb.tee(fb.expression(value), v128);
  const low = m.i8x16.shuffle(first, read(), narrowed);
  const store = m.v128.store64_lane(offset, bytes, 0, place, low, memoryName);
  if (!fb.emitter.assertsBounds) return store;
  const group = m.i64x2;
  const whole =
    storage === 'i32'
      ? group.extend_low_i32x4_s(m.i8x16.shuffle(read(), read(), narrowed))
      : group.extend_low_i32x4_u(m.i8x16.shuffle(read(), read(), narrowed));
  return m.block(null, [store, emitAssert(fb, group.all_true(group.eq(read(), whole)), span)], none);
}

export function emitStore(fb: FunctionBuilder, node: Store): ExpressionRef {
  const { address, offset, value } = node;
  const place = emitLow32(fb, address);
  const store =
    node.storage === undefined
      ? accessOf(fb, value.type).store(offset, numberBytes, place, fb.expression(value), memoryName)
      : emitStoreNarrowed(fb, node, node.storage, place);
  return fb.module.block(null, [...emitAsserted(fb, node.asserted ?? []), store], none);
}

function emitAsserted(fb: FunctionBuilder, conditions: readonly Expression[]): readonly ExpressionRef[] {
  return conditions.map((condition) => emitAssert(fb, fb.expression(condition), condition.span));
}

/** A vector of two numbers that are anywhere. */
export function emitPairOfLoads(fb: FunctionBuilder, first: Load, second: Load): ExpressionRef {
  const m = fb.module.v128;
  const asserted = emitAsserted(fb, [...(first.asserted ?? []), ...(second.asserted ?? [])]);
  const one = m.load64_zero(first.offset, numberBytes, emitLow32(fb, first.address), memoryName);
  const both = m.load64_lane(second.offset, numberBytes, 1, emitLow32(fb, second.address), one, memoryName);
  return asserted.length === 0 ? both : fb.module.block(null, [...asserted, both], v128);
}

function accessOf({ module: m }: FunctionBuilder, type: Type): typeof m.v128 | typeof m.i64 | typeof m.f64 {
  return type.kind === 'vector' ? m.v128 : type.kind === 'int' ? m.i64 : m.f64;
}

export function emitCopyElements(fb: FunctionBuilder, node: CopyElements): ExpressionRef {
  const { into, elements, address, counts } = node;
  if (elements.type.kind !== 'elements') throw new Error('what is copied are no raw elements');
  // The nest works on the array itself.
  if (isResident(elements.type.element)) return fb.module.nop();
  useMemory(fb.emitter, 'scratch');
  const copy = declareCopy(fb.emitter, into === 'scratch' ? 'store' : 'load', elements.type.element);
  const [count, ...inner] = counts.map((one) => emitLow32(fb, one)) as [ExpressionRef, ...ExpressionRef[]];
  const operands = [fb.expression(elements), fb.module.i32.const(0), count, emitLow32(fb, address), ...inner];
  return fb.module.call(copy, operands, none);
}

/** The same behind the arrays on the stack, which is written to from then on. */
function emitReserveBehindStack(fb: FunctionBuilder, bytes: Expression): ExpressionRef {
  const m = fb.module;
  const { first, read } = fb.tee(fb.expression(bytes), i64);
  const isThere = emitGrow(fb, first);
  return m.if(isThere, m.block(null, [emitMarkWritten(fb.emitter, read), m.i32.const(1)], i32), m.i32.const(0));
}

/**
 * `bytes <= size || grow(more)`: the host says how far the memory of a run may grow. A nest that would need more runs as
 * it was.
 */
export function emitReserveScratch(fb: FunctionBuilder, bytes: Expression): ExpressionRef {
  useMemory(fb.emitter, 'scratch');
  return fb.emitter.hasStack ? emitReserveBehindStack(fb, bytes) : emitGrow(fb, fb.expression(bytes));
}

function emitGrow(fb: FunctionBuilder, bytes: ExpressionRef): ExpressionRef {
  const m = fb.module;
  const pages = m.i64.shr_u(
    m.i64.add(bytes, m.i64.const(BigInt(pageBytes - 1))),
    m.i64.const(BigInt(Math.log2(pageBytes))),
  );
  const { first, read } = fb.tee(m.i64.sub(pages, m.i64.extend_u(m.memory.size(memoryName))), i64);
  const grow = m.i32.ne(m.memory.grow(m.i32.wrap(read()), memoryName), m.i32.const(-1));
  return m.if(m.i64.le_s(first, m.i64.const(0n)), m.i32.const(1), grow);
}
