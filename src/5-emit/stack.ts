// The stack in linear memory, on which arrays lie that no one sees behind the function that makes them (stack-arrays.ts).
// It grows upwards, behind the page through which numbers cross the boundary. What a function puts there is gone when its
// caller goes on, or catches what it throws.

import { stagingBytes } from '../abi/imports.ts';
import { i32, i64 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import { memoryName, pageBytes, useMemory } from './memory.ts';

const stackPointer = '$stack';
/** Where it begins in a call from the host. */
const stackBase = '$base';
/** The header of an array without elements; the stack begins behind it, at a line of the cache. */
export const emptyArray = stagingBytes;
const lineBytes = 64;
/** Nothing from here on has been written: it is zero. */
const firstClean = '$clean';
/** The header of a row may be read where there is none: the memory does not end directly behind an array. */
const beyond = 64n;

/**
 * The function that takes so many bytes (i64) of the stack, all zero, and gives their address; 0 where the memory may not
 * grow.
 *
 * ```
 * address = $stack;  end = address + bytes
 * if (end + 64 > the size of the memory) grow it, or return 0
 * fill [address, min(end, $clean)) with zeros;  $clean = max($clean, end);  $stack = end
 * ```
 */
export function declareAllocate(emitter: Emitter): string {
  const name = '$allocate';
  emitter.declare(name, () => {
    const m = emitter.module;
    const [bytes, address, end] = [0, 1, 2];
    const readEnd = (): ExpressionRef => m.local.get(end, i64);
    const readAddress = (): ExpressionRef => m.local.get(address, i32);
    const sizeIn = (pages: ExpressionRef): ExpressionRef => m.i64.shl(m.i64.extend_u(pages), m.i64.const(16n));
    const needed = (): ExpressionRef => m.i64.add(readEnd(), m.i64.const(beyond));
    const missing = m.i64.sub(needed(), sizeIn(m.memory.size(memoryName)));
    const pages = m.i64.shr_u(m.i64.add(missing, m.i64.const(BigInt(pageBytes - 1))), m.i64.const(16n));
    const failed = m.i32.eq(m.memory.grow(m.i32.wrap(pages), memoryName), m.i32.const(-1));
    const clean = (): ExpressionRef => emitClean(emitter);
    const least = m.select(m.i64.lt_u(readEnd(), m.i64.extend_u(clean())), m.i32.wrap(readEnd()), clean());
    m.addFunction(
      name,
      i64,
      i32,
      [i32, i64],
      m.block(
        null,
        [
          m.local.set(address, emitStackPointer(emitter)),
          m.local.set(end, m.i64.add(m.i64.extend_u(readAddress()), m.local.get(bytes, i64))),
          m.if(m.i64.gt_u(needed(), sizeIn(m.memory.size(memoryName))), m.if(failed, m.return(m.i32.const(0)))),
          m.if(
            m.i32.lt_u(readAddress(), clean()),
            m.memory.fill(readAddress(), m.i32.const(0), m.i32.sub(least, readAddress()), memoryName),
          ),
          emitMarkWritten(emitter, readEnd),
          m.global.set(stackPointer, m.i32.wrap(readEnd())),
          readAddress(),
        ],
        i32,
      ),
    );
  });
  return name;
}

/** Notes that memory up to an end (i64) is written: what is taken there later has to be cleared. */
export function emitMarkWritten(emitter: Emitter, end: () => ExpressionRef): ExpressionRef {
  const m = emitter.module;
  return m.if(m.i64.gt_u(end(), m.i64.extend_u(emitClean(emitter))), m.global.set(firstClean, m.i32.wrap(end())));
}

function emitClean(emitter: Emitter): ExpressionRef {
  declareStack(emitter);
  return emitter.module.global.get(firstClean, i32);
}

export function emitStackPointer(emitter: Emitter): ExpressionRef {
  declareStack(emitter);
  return emitter.module.global.get(stackPointer, i32);
}

/** What has been put on the stack since then is gone. */
export function emitSetStackPointer(emitter: Emitter, value: ExpressionRef): ExpressionRef {
  declareStack(emitter);
  return emitter.module.global.set(stackPointer, value);
}

/** The statements that save the stack pointer in a local, and those that restore it. */
export interface SavedStack {
  readonly save: readonly ExpressionRef[];
  readonly restore: readonly ExpressionRef[];
}

export const nothingSaved: SavedStack = { save: [], restore: [] };

export function emitSavedStack(emitter: Emitter, local: number): SavedStack {
  const m = emitter.module;
  return {
    save: [m.local.set(local, emitStackPointer(emitter))],
    restore: [emitSetStackPointer(emitter, m.local.get(local, i32))],
  };
}

/** As at the beginning of a call from the host: there is what globals hold. */
export function emitEmptyStack(emitter: Emitter): ExpressionRef {
  declareStack(emitter);
  return emitSetStackPointer(emitter, emitter.module.global.get(stackBase, i32));
}

/** What is on the stack now stays there in all calls from the host. */
export function emitKeepStack(emitter: Emitter): ExpressionRef {
  const pointer = emitStackPointer(emitter);
  return emitter.module.global.set(stackBase, pointer);
}

function declareStack(emitter: Emitter): void {
  useMemory(emitter, 'stack');
  emitter.declare(stackPointer, () => {
    const m = emitter.module;
    const first = m.i32.const(stagingBytes + lineBytes);
    for (const name of [stackPointer, firstClean, stackBase]) m.addGlobal(name, i32, true, m.copyExpression(first));
  });
}
