// What a program uses, counted while it runs, where limits are compiled in: the stack, and a unit for each call of a function of the
// script, and one for each turn of a loop once it is over. A function counts its turns in a local and adds them up where
// it ends, stops or fails; every so many units the host is asked whether the program may go on.
//
// `$left` says how many units may still be used until then, and goes below zero; `$granted` how many there were.

import type { CountedLoop, Loop } from '../2-check/typed-tree.ts';
import type { Span } from '../source.ts';
import { i32, i64, none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';

const left = '$left';
const granted = '$granted';

export function declareCounting(emitter: Emitter): void {
  const m = emitter.module;
  emitter.declare(left, () => {
    m.addGlobal(left, i32, true, m.i32.const(0));
    m.addGlobal(granted, i32, true, m.i32.const(0));
  });
}

/** How many units were used since the host was asked. */
export function emitUsedUnits({ module: m }: Emitter): ExpressionRef {
  return m.i32.sub(m.global.get(granted, i32), m.global.get(left, i32));
}

/** Whether the function counts its turns. */
function counts(fb: FunctionBuilder): boolean {
  return fb.emitter.counts && fb.turns !== null;
}

function readTurns(fb: FunctionBuilder): ExpressionRef {
  return fb.module.local.get(fb.turns!, i32);
}

/** `turns -= done` */
export function emitCount(fb: FunctionBuilder, done: ExpressionRef): ExpressionRef {
  return fb.module.local.set(fb.turns!, fb.module.i32.sub(readTurns(fb), done));
}

/** `turns = turnsInARow` */
export function emitBeginCount(fb: FunctionBuilder): ExpressionRef {
  return fb.module.local.set(fb.turns!, fb.module.i32.const(fb.emitter.turnsInARow));
}

/** `left -= units` */
function emitUse(fb: FunctionBuilder, units: ExpressionRef): ExpressionRef {
  declareCounting(fb.emitter);
  const m = fb.module;
  return m.global.set(left, m.i32.sub(m.global.get(left, i32), units));
}

/** Calls that became part of their caller: counted with the turns where those are counted, and like calls elsewhere. */
export function emitUseOfInlined(fb: FunctionBuilder, units: number): ExpressionRef {
  const amount = fb.module.i32.const(units);
  if (counts(fb)) return emitCount(fb, amount);
  return fb.emitter.counts ? emitUse(fb, amount) : fb.module.nop();
}

/** The call of a function; one that can come back to itself asks here whether it may go on. */
export function emitUseOfCall(fb: FunctionBuilder): readonly ExpressionRef[] {
  const m = fb.module;
  return [fb.countsCallsAtEnd ? emitCount(fb, m.i32.const(1)) : emitUse(fb, m.i32.const(1)), ...(fb.instance.fn.isRecursive === true ? [emitAsk(fb, fb.instance.fn.span)] : [])];
}

/** Work of the library, as long as `units` (i32) turns of a loop. */
export function emitUseOfLibrary(fb: FunctionBuilder, units: ExpressionRef, span: Span): ExpressionRef {
  return fb.module.block(null, [emitUse(fb, units), emitAsk(fb, span)], none);
}

/** What is left of the stack for calls: a frame takes a slot of 8 bytes for each local, and 64 beside them (measured on V8). */
export function emitUseOfStack(fb: FunctionBuilder): readonly ExpressionRef[] {
  if (!fb.instance.takesDepth) return [];
  const m = fb.module;
  const frame = m.i32.const(64 + 8 * fb.localCount);
  const rest = m.local.tee(fb.depthParameter, m.i32.sub(fb.depth(), frame), i32);
  return [m.if(m.i32.lt_s(rest, m.i32.const(0)), fb.call(fb.emitter.requestPrelude('failDepth'), [], fb.instance.fn.span))];
}

/** Adds up the turns so far; nothing where they are not counted. */
export function emitAddUp(fb: FunctionBuilder): readonly ExpressionRef[] {
  const m = fb.module;
  return counts(fb) ? [emitUse(fb, m.i32.sub(m.i32.const(fb.emitter.turnsInARow), readTurns(fb))), emitBeginCount(fb)] : [];
}

/** Adds up the turns, and asks whether the program may go on if it is time to. */
export function emitAddUpAndAsk(fb: FunctionBuilder, span: Span): readonly ExpressionRef[] {
  return counts(fb) ? [...emitAddUp(fb), emitAsk(fb, span)] : [];
}

/** `if (left < 0) askLimits()` */
function emitAsk(fb: FunctionBuilder, span: Span): ExpressionRef {
  const m = fb.module;
  declareCounting(fb.emitter);
  return m.if(m.i32.lt_s(m.global.get(left, i32), m.i32.const(0)), fb.call(fb.emitter.requestPrelude('askLimits'), [], span));
}

/** `look(granted - left)`, when `granted = left`: what is told is not told again. */
export function emitTell(fb: FunctionBuilder, look: (used: ExpressionRef) => ExpressionRef): ExpressionRef {
  const m = fb.module;
  const used = fb.newLocal(i32);
  return m.block(null, [m.local.set(used, emitUsedUnits(fb.emitter)), m.global.set(granted, m.global.get(left, i32)), look(m.local.get(used, i32))], i32);
}

/** `left = granted = units` */
export function emitGrant({ module: m }: FunctionBuilder, units: ExpressionRef): ExpressionRef {
  return m.block(null, [m.global.set(granted, units), m.global.set(left, m.global.get(granted, i32))], none);
}

/** The whole body of a function that counts: an error on its way out takes the turns along. */
export function emitCounted(fb: FunctionBuilder, body: ExpressionRef): ExpressionRef {
  if (!counts(fb)) return body;
  const m = fb.module;
  const label = fb.newLabel('counted');
  return m.try(label, body, [], [m.block(null, [...emitAddUp(fb), m.rethrow(label)])]);
}

/** Counts the turns of a loop all at once, behind it and wherever it says so. */
export interface TurnsAtOnce {
  readonly begin: ExpressionRef;
  /** `turns -= |variable - begin| / step`, and begins anew. */
  readonly count: () => readonly ExpressionRef[];
}

/** For a loop that cannot fail, so that nobody sees the turns before they are counted; null for others. */
export function turnsAtOnce(fb: FunctionBuilder, { counted }: Loop): TurnsAtOnce | null {
  if (!counts(fb) || counted?.isQuiet !== true || counted.step.kind !== 'int') return null;
  const m = fb.module;
  const { value: step } = counted.step;
  const from = fb.newLocal(i64);
  const begin = (): ExpressionRef => m.local.set(from, fb.getLocal(counted.variable));
  return { begin: begin(), count: () => [emitCount(fb, m.i32.wrap(emitTurns(fb, counted, step, from))), begin()] };
}

function emitTurns(fb: FunctionBuilder, { variable }: CountedLoop, value: bigint, from: number): ExpressionRef {
  const m = fb.module;
  const [now, before] = [fb.getLocal(variable), m.local.get(from, i64)];
  const distance = value > 0n ? m.i64.sub(now, before) : m.i64.sub(before, now);
  const size = value > 0n ? value : -value;
  return size === 1n ? distance : m.i64.div_u(distance, m.i64.const(size));
}
