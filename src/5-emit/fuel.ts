// What a program uses, counted while it runs, where limits are compiled in: the stack, and a unit for each call of a
// function of the script, and one for each iteration of a loop once it is over. A function keeps the fuel in a local and
// writes it back where it ends, stops or fails, and before it calls what makes calls; every so many units the host is
// asked whether the program may go on. A function that makes calls asks when it is called, so that between two
// questions no more calls are made than the text of the program holds.
//
// `$left` says how many units may still be used until then, and goes below zero; `$granted` how many there were.

import type { CountedLoop, Loop } from '../mir/mir.ts';
import { defaultIterationsPerCall } from '../language/settings.ts';
import type { Span } from '../source.ts';
import { i32, i64, isRepeatable, none, typeOf, unreachable } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
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

/** Whether the function holds what is left in a local. */
function counts(fb: FunctionBuilder): boolean {
  return fb.emitter.counts && fb.fuelLocal !== null;
}

function readFuel(fb: FunctionBuilder): ExpressionRef {
  return fb.module.local.get(fb.fuelLocal!, i32);
}

/** `fuel -= done` */
export function emitCount(fb: FunctionBuilder, done: ExpressionRef): ExpressionRef {
  return fb.module.local.set(fb.fuelLocal!, fb.module.i32.sub(readFuel(fb), done));
}

/** `fuel = left`, where it is counted; else `fuel = iterationsPerCall` */
export function emitBeginCount(fb: FunctionBuilder): ExpressionRef {
  const m = fb.module;
  if (!counts(fb)) return m.local.set(fb.fuelLocal!, m.i32.const(fb.emitter.iterationsPerCall));
  declareCounting(fb.emitter);
  return m.local.set(fb.fuelLocal!, m.global.get(left, i32));
}

/** `left -= units`, in functions that hold nothing */
function emitUse(fb: FunctionBuilder, units: ExpressionRef): ExpressionRef {
  declareCounting(fb.emitter);
  const m = fb.module;
  return m.global.set(left, m.i32.sub(m.global.get(left, i32), units));
}

/** `left = fuel`: before anything else looks at it, and before every error. */
export function emitFuelWriteBack(fb: FunctionBuilder): readonly ExpressionRef[] {
  if (!counts(fb)) return [];
  declareCounting(fb.emitter);
  return [fb.module.global.set(left, readFuel(fb))];
}

/** `fuel = left`: after a call, and where an error was caught. */
export function emitFuelReload(fb: FunctionBuilder): readonly ExpressionRef[] {
  return counts(fb) ? [emitBeginCount(fb)] : [];
}

/** Operands of a call that may use units or fail: what is left is put back when the last of them has been evaluated. */
export function emitFuelWriteBackAfter(
  fb: FunctionBuilder,
  operands: readonly ExpressionRef[],
): readonly ExpressionRef[] {
  const last = operands.at(-1);
  if (!counts(fb) || last === undefined) return operands;
  const m = fb.module;
  const type = typeOf(last);
  if (isRepeatable(last)) return [...operands.slice(0, -1), m.block(null, [...emitFuelWriteBack(fb), last], type)];
  if (type === unreachable || type === none) return operands;
  const local = fb.temporary(type);
  return [
    ...operands.slice(0, -1),
    m.block(null, [m.local.set(local, last), ...emitFuelWriteBack(fb), m.local.get(local, type)], type),
  ];
}

/** A call with what is left put back before it, and taken again after it. */
export function emitAround(
  fb: FunctionBuilder,
  operands: readonly ExpressionRef[],
  call: (operands: readonly ExpressionRef[]) => ExpressionRef,
  type: WasmType,
): ExpressionRef {
  if (!counts(fb)) return call(operands);
  const m = fb.module;
  const called =
    operands.length === 0
      ? m.block(null, [...emitFuelWriteBack(fb), call(operands)], type)
      : call(emitFuelWriteBackAfter(fb, operands));
  if (type === none) return m.block(null, [called, emitBeginCount(fb)], none);
  const local = fb.temporary(type);
  return m.block(null, [m.local.set(local, called), emitBeginCount(fb), m.local.get(local, type)], type);
}

/** Calls that became part of their caller. */
export function emitUseOfInlined(fb: FunctionBuilder, units: number): ExpressionRef {
  const amount = fb.module.i32.const(units);
  if (counts(fb)) return emitCount(fb, amount);
  return fb.emitter.counts ? emitUse(fb, amount) : fb.module.nop();
}

/** The call of a function; one that makes calls asks here whether it may go on. */
export function emitUseOfCall(fb: FunctionBuilder): readonly ExpressionRef[] {
  const { fn } = fb.instance;
  const one = fb.module.i32.const(1);
  return [
    counts(fb) ? emitCount(fb, one) : emitUse(fb, one),
    ...(fn.makesCalls === true ? [emitPoll(fb, fn.span)] : []),
  ];
}

/** Work of the library, as long as `units` (i32) iterations of a loop. */
export function emitUseOfLibrary(fb: FunctionBuilder, units: ExpressionRef, span: Span): ExpressionRef {
  return fb.module.block(null, [emitUse(fb, units), emitPoll(fb, span)], none);
}

/**
 * What is left of the stack for calls: a frame takes a slot of 8 bytes for each local, and 64 beside them (measured on
 * V8).
 */
export function emitUseOfStack(fb: FunctionBuilder): readonly ExpressionRef[] {
  if (!fb.instance.takesDepth) return [];
  const m = fb.module;
  const frame = m.i32.const(64 + 8 * fb.variableCount);
  const rest = m.local.tee(fb.depthParameter, m.i32.sub(fb.depth(), frame), i32);
  return [
    m.if(m.i32.lt_s(rest, m.i32.const(0)), fb.call(fb.emitter.requestPrelude('failDepth'), [], fb.instance.fn.span)),
  ];
}

/** `if (fuel < 0) askLimits()` */
export function emitPoll(fb: FunctionBuilder, span: Span): ExpressionRef {
  const m = fb.module;
  declareCounting(fb.emitter);
  const rest = counts(fb) ? readFuel(fb) : m.global.get(left, i32);
  return m.if(m.i32.lt_s(rest, m.i32.const(0)), fb.call(fb.emitter.requestPrelude('askLimits'), [], span));
}

/** The poll behind the last iteration of a call; nothing where fuel is not counted. */
export function emitPollAfterIterations(fb: FunctionBuilder, span: Span): readonly ExpressionRef[] {
  return counts(fb) ? [emitPoll(fb, span)] : [];
}

/** `look(granted - left)`, when `granted = left`: what is told is not told again. */
export function emitTell(fb: FunctionBuilder, look: (used: ExpressionRef) => ExpressionRef): ExpressionRef {
  const m = fb.module;
  const used = fb.newLocal(i32);
  return m.block(
    null,
    [
      m.local.set(used, emitUsedUnits(fb.emitter)),
      m.global.set(granted, m.global.get(left, i32)),
      look(m.local.get(used, i32)),
    ],
    i32,
  );
}

/** `left = granted = units`; a setting of the compiler may have it asked more often. */
export function emitGrant(fb: FunctionBuilder, units: ExpressionRef): ExpressionRef {
  const m = fb.module;
  const { iterationsPerCall } = fb.emitter;
  const set = (value: ExpressionRef): ExpressionRef =>
    m.block(null, [m.global.set(granted, value), m.global.set(left, m.global.get(granted, i32))], none);
  if (iterationsPerCall >= defaultIterationsPerCall) return set(units);
  const most = (): ExpressionRef => m.i32.const(iterationsPerCall);
  return fb.reuse(units, i32, (read) => set(m.select(m.i32.lt_s(read(), most()), read(), most())));
}

/** Charges the iterations of a loop all at once, behind it and wherever it says so. */
export interface IterationsAtOnce {
  readonly begin: ExpressionRef;
  /** `fuel -= |variable - begin| / step`, and begins anew. */
  readonly count: () => readonly ExpressionRef[];
}

/** For a loop that cannot fail, so that nobody sees the iterations before they are charged; null for others. */
export function iterationsAtOnce(fb: FunctionBuilder, { counted }: Loop): IterationsAtOnce | null {
  if (!counts(fb) || counted?.isPure !== true || counted.step.kind !== 'int') return null;
  const m = fb.module;
  const { value: step } = counted.step;
  const from = fb.newLocal(i64);
  const begin = (): ExpressionRef => m.local.set(from, fb.getLocal(counted.variable));
  return { begin: begin(), count: () => [emitCount(fb, m.i32.wrap(emitIterations(fb, counted, step, from))), begin()] };
}

function emitIterations(fb: FunctionBuilder, { variable }: CountedLoop, value: bigint, from: number): ExpressionRef {
  const m = fb.module;
  const [now, before] = [fb.getLocal(variable), m.local.get(from, i64)];
  const distance = value > 0n ? m.i64.sub(now, before) : m.i64.sub(before, now);
  const size = value > 0n ? value : -value;
  return size === 1n ? distance : m.i64.div_u(distance, m.i64.const(size));
}
