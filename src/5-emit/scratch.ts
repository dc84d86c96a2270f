// The scratch memory: loads and stores of loop nests, and how their arrays come into it and back. Nothing is tested
// here; what a nest compares in front of itself keeps it inside of what it has reserved (4-optimise/nests).

import type { CopyElements, Expression, Load, Store } from '../mir/mir.ts';
import type { Type } from '../language/types.ts';
import { i64, none, v128 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitAssert } from './assertions.ts';
import { declareCopy } from './element-copies.ts';
import { memoryName, pageBytes, useMemory } from './memory.ts';
import { emitLow32 } from './wrap32.ts';

const numberBytes = 8;

export function emitLoad(fb: FunctionBuilder, node: Load): ExpressionRef {
  const { address, offset, type } = node;
  const load = accessOf(fb, type).load(offset, numberBytes, emitLow32(fb, address), memoryName);
  if (node.asserted === undefined) return load;
  return fb.module.block(null, [...emitAsserted(fb, node.asserted), load], fb.wasmType(type));
}

export function emitStore(fb: FunctionBuilder, node: Store): ExpressionRef {
  const { address, offset, value } = node;
  const place = emitLow32(fb, address);
  const store = accessOf(fb, value.type).store(offset, numberBytes, place, fb.expression(value), memoryName);
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
  useMemory(fb.emitter, 'scratch');
  const copy = declareCopy(fb.emitter, into === 'scratch' ? 'store' : 'load', elements.type.element);
  const [count, ...inner] = counts.map((one) => emitLow32(fb, one)) as [ExpressionRef, ...ExpressionRef[]];
  const operands = [fb.expression(elements), fb.module.i32.const(0), count, emitLow32(fb, address), ...inner];
  return fb.module.call(copy, operands, none);
}

/**
 * `bytes <= size || grow(more)`: the host says how far the memory of a run may grow. A nest that would need more runs as
 * it was.
 */
export function emitReserveScratch(fb: FunctionBuilder, bytes: Expression): ExpressionRef {
  const m = fb.module;
  useMemory(fb.emitter, 'scratch');
  const pages = m.i64.shr_u(
    m.i64.add(fb.expression(bytes), m.i64.const(BigInt(pageBytes - 1))),
    m.i64.const(BigInt(Math.log2(pageBytes))),
  );
  const { first, read } = fb.tee(m.i64.sub(pages, m.i64.extend_u(m.memory.size(memoryName))), i64);
  const grow = m.i32.ne(m.memory.grow(m.i32.wrap(read()), memoryName), m.i32.const(-1));
  return m.if(m.i64.le_s(first, m.i64.const(0n)), m.i32.const(1), grow);
}
