// Emits the charges and polls of Mir, and the stack check. A function that holds fuel has it in a local, and writes it
// back where it returns, stops or fails, and before it calls a function that uses fuel too.
//
// If limits are compiled in, `$left` is the number of units that the program may still use before it asks the host; it
// goes below zero. `$granted` is the number of units that the host has granted.
//
// Functions without a loop that pass both fuel and the depth have them in one number: budget.ts says more.

import type { Expression } from '../mir/mir.ts';
import { defaultIterationsPerCall, stackFrame } from '../language/settings.ts';
import type { Span } from '../source.ts';
import { i32, i64, isRepeatable, none, typeOf, unreachable, wrap } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { emitAttributed } from './counters.ts';
import type { Emitter, FunctionInstance } from './emitter.ts';
import {
  emitBudgetCheck,
  emitBudgetOf,
  emitBudgetOfUnits,
  emitBudgetWriteBack,
  emitStackOf,
  emitUnitsOf,
  readBudget,
  setBudget,
  unitsOfBudget,
} from './budget.ts';
import { withFuel } from './function-builder.ts';
import type { FunctionBuilder } from './function-builder.ts';

const left = '$left';
const granted = '$granted';

export function declareFuel(emitter: Emitter): void {
  const m = emitter.module;
  emitter.declare(left, () => {
    m.addGlobal(left, i32, true, m.i32.const(0));
    m.addGlobal(granted, i32, true, m.i32.const(0));
  });
}

/** The number of units used since the program last asked the host. */
export function emitUsedFuel({ module: m }: Emitter): ExpressionRef {
  return m.i32.sub(m.global.get(granted, i32), m.global.get(left, i32));
}

/** Whether fuel is counted and the function holds it in a local. */
export function countsInLocal(fb: FunctionBuilder): boolean {
  return fb.emitter.counts && fb.fuelLocal !== null;
}

function readFuel(fb: FunctionBuilder): ExpressionRef {
  const { module: m } = fb;
  const fuel = fb.instance.takesBudget
    ? emitUnitsOf(fb, m.local.get(fb.fuelLocal!, i64))
    : m.local.get(fb.fuelLocal!, i32);
  return fb.owed === 0 ? fuel : m.i32.sub(fuel, m.i32.const(fb.owed));
}

function setFuel(fb: FunctionBuilder, fuel: ExpressionRef): ExpressionRef {
  const m = fb.module;
  if (fb.instance.takesBudget) return setBudget(fb, emitBudgetOf(fb, emitStackOf(fb), fuel));
  return m.local.set(fb.fuelLocal!, fb.owed === 0 ? fuel : m.i32.add(fuel, m.i32.const(fb.owed)));
}

/** How many bytes the frames of the called function may take. */
export function emitDepth(fb: FunctionBuilder): ExpressionRef {
  const { module: m } = fb;
  if (fb.instance.takesBudget) return m.i32.shl(wrap(m, emitStackOf(fb)), m.i32.const(3));
  return fb.instance.takesDepth ? m.local.get(fb.depthParameter, i32) : fb.emitter.readDepth();
}

/** What a function that passes its budget gives back: its frame is no longer in use. */
function emitBudgetAtEnd(fb: FunctionBuilder): ExpressionRef {
  fb.frameLocal ??= fb.newLocal(i64);
  return fb.module.i64.add(readBudget(fb), fb.module.local.get(fb.frameLocal, i64));
}

/** What a function that passes its fuel gives back besides its result. */
function emitRest(fb: FunctionBuilder): ExpressionRef {
  return fb.instance.takesBudget ? emitBudgetAtEnd(fb) : readFuel(fb);
}

/** `fuel = left` if fuel is counted; otherwise `fuel = iterationsPerCall` */
export function emitFuelLoad(fb: FunctionBuilder): ExpressionRef {
  const m = fb.module;
  if (!countsInLocal(fb)) return m.local.set(fb.fuelLocal!, m.i32.const(fb.emitter.iterationsPerCall));
  declareFuel(fb.emitter);
  return setFuel(fb, m.global.get(left, i32));
}

/** `left -= units`, in functions that hold no fuel */
function emitGlobalCharge(fb: FunctionBuilder, units: ExpressionRef): ExpressionRef {
  declareFuel(fb.emitter);
  const m = fb.module;
  return m.global.set(left, m.i32.sub(m.global.get(left, i32), units));
}

/** `left = fuel`: before other code reads `left`, and before every error. */
export function emitFuelWriteBack(fb: FunctionBuilder): readonly ExpressionRef[] {
  if (!countsInLocal(fb)) return [];
  declareFuel(fb.emitter);
  const write = fb.instance.takesBudget ? emitBudgetWriteBack(fb, left) : fb.module.global.set(left, readFuel(fb));
  return [write];
}

/** `fuel = left`: after a call, and at the beginning of a catch clause. */
export function emitFuelReload(fb: FunctionBuilder): readonly ExpressionRef[] {
  return countsInLocal(fb) ? [emitFuelLoad(fb)] : [];
}

/** The operands of a call that may use units or fail, with the write-back after the evaluation of the last operand. */
export function emitFuelWriteBackAfter(
  fb: FunctionBuilder,
  operands: readonly ExpressionRef[],
): readonly ExpressionRef[] {
  const last = operands.at(-1);
  if (!countsInLocal(fb) || last === undefined) return operands;
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

/** A call with the write-back of the fuel before it, and the reload after it. */
export function emitAround(
  fb: FunctionBuilder,
  operands: readonly ExpressionRef[],
  call: (operands: readonly ExpressionRef[]) => ExpressionRef,
  type: WasmType,
): ExpressionRef {
  if (!countsInLocal(fb)) return call(operands);
  const m = fb.module;
  const called =
    operands.length === 0
      ? m.block(null, [...emitFuelWriteBack(fb), call(operands)], type)
      : call(emitFuelWriteBackAfter(fb, operands));
  if (type === none) return m.block(null, [called, emitFuelLoad(fb)], none);
  const local = fb.temporary(type);
  return m.block(null, [m.local.set(local, called), emitFuelLoad(fb), m.local.get(local, type)], type);
}

/** A call of a function that passes its fuel: its last parameter is the fuel, its last result the fuel that is left. */
export function emitPassing(
  fb: FunctionBuilder,
  target: FunctionInstance,
  operands: readonly ExpressionRef[],
  call: (operands: readonly ExpressionRef[]) => ExpressionRef,
  type: WasmType,
): ExpressionRef {
  const m = fb.module;
  declareFuel(fb.emitter);
  const inBudget = target.takesBudget;
  const keep = (rest: ExpressionRef): ExpressionRef => {
    if (inBudget && fb.instance.takesBudget) return setBudget(fb, rest);
    const fuel = inBudget ? emitUnitsOf(fb, rest) : rest;
    return countsInLocal(fb) ? setFuel(fb, fuel) : m.global.set(left, fuel);
  };
  const called = call([...operands, inBudget ? emitBudget(fb) : emitFuel(fb)]);
  if (type === none) return keep(called);
  const results = withFuel(type, inBudget);
  const local = fb.temporary(results);
  const part = (index: number): ExpressionRef => m.tuple.extract(m.local.get(local, results), index);
  return m.block(null, [m.local.set(local, called), keep(part(1)), part(0)], type);
}

function emitFuel(fb: FunctionBuilder): ExpressionRef {
  return countsInLocal(fb) ? readFuel(fb) : fb.module.global.get(left, i32);
}

/** The budget for a call. */
function emitBudget(fb: FunctionBuilder): ExpressionRef {
  if (fb.instance.takesBudget) return readBudget(fb);
  const { module: m } = fb;
  return emitBudgetOf(fb, m.i64.extend_u(m.i32.shr_u(emitDepth(fb), m.i32.const(3))), emitFuel(fb));
}

/** The end of a function without a result: gives the fuel that is left to the caller, as a result or in the global. */
export function emitFuelAtEnd(fb: FunctionBuilder): readonly ExpressionRef[] {
  return fb.instance.passesFuel ? [fb.module.return(emitRest(fb))] : emitFuelWriteBack(fb);
}

/** Returns the result, and the fuel that is left; `before` is evaluated behind the result. */
export function emitReturnWithFuel(
  fb: FunctionBuilder,
  result: ExpressionRef | null,
  type: WasmType,
  before: readonly ExpressionRef[],
): ExpressionRef {
  const m = fb.module;
  const { passesFuel } = fb.instance;
  const leave = passesFuel ? before : [...before, ...emitFuelWriteBack(fb)];
  if (result === null) return m.block(null, [...leave, passesFuel ? m.return(emitRest(fb)) : m.return()]);
  const give = (value: ExpressionRef): ExpressionRef =>
    m.return(passesFuel ? m.tuple.make([value, emitRest(fb)]) : value);
  if (leave.length === 0) return give(result);
  const local = fb.newLocal(type);
  return m.block(null, [m.local.set(local, result), ...leave, give(m.local.get(local, type))]);
}

/** Subtracts units from the local of the fuel that were charged before; a negative number gives some back. */
export function emitPayment(fb: FunctionBuilder, units: number): ExpressionRef {
  const { module: m } = fb;
  const local = fb.fuelLocal!;
  return fb.instance.takesBudget
    ? m.local.set(local, m.i64.sub(m.local.get(local, i64), m.i64.const(unitsOfBudget(units))))
    : m.local.set(local, m.i32.sub(m.local.get(local, i32), m.i32.const(units)));
}

/** Uses units of fuel; their number is an int. */
export function emitCharge(fb: FunctionBuilder, units: Expression): ExpressionRef {
  const m = fb.module;
  if (fb.mayOwe && units.kind === 'int') {
    fb.owed += Number(units.value);
    return m.nop();
  }
  if (fb.instance.takesBudget) return setBudget(fb, m.i64.sub(readBudget(fb), emitBudgetOfUnits(fb, units)));
  const amount = units.kind === 'int' ? m.i32.const(Number(units.value)) : wrap(m, fb.expression(units));
  return countsInLocal(fb) || !fb.emitter.counts
    ? setFuel(fb, m.i32.sub(readFuel(fb), amount))
    : emitGlobalCharge(fb, amount);
}

/** Whether no fuel is left; with `isNegated`, whether some is left. */
export function emitOutOfFuel(fb: FunctionBuilder, isNegated = false): ExpressionRef {
  const { i32: instructions } = fb.module;
  const zero = instructions.const(0);
  return isNegated ? instructions.gt_s(readFuel(fb), zero) : instructions.le_s(readFuel(fb), zero);
}

/** Charges for a library function that takes as long as `units` (i32) iterations of a loop. */
export function emitLibraryCharge(fb: FunctionBuilder, units: ExpressionRef, span: Span): ExpressionRef {
  const charge = (amount: ExpressionRef): ExpressionRef =>
    fb.module.block(null, [emitGlobalCharge(fb, amount), emitPoll(fb, span)], none);
  // The unit of a call is counted where that begins.
  if (!fb.emitter.attributes || fb.instance.fn.id === 'prelude#enterCall') return charge(units);
  return fb.reuse(units, i32, (read) => fb.module.block(null, [emitAttributed(fb, read()), charge(read())], none));
}

/**
 * Subtracts the size of the frame from the stack that is left, and fails if none is left. Passes add variables, most of
 * which are never alive at the same time; if there are so many that a sixth of them would not fit into the frame that
 * the depth pass counted, that sixth counts.
 */
export function emitStackCheck(fb: FunctionBuilder): readonly ExpressionRef[] {
  if (!fb.instance.takesDepth) return [];
  const m = fb.module;
  const bytes = Math.max(fb.instance.fn.frameBytes!, stackFrame(Math.ceil(fb.variableCount / 6)));
  if (fb.instance.takesBudget) return emitBudgetCheck(fb, BigInt(bytes) >> 3n);
  const rest = m.local.tee(fb.depthParameter, m.i32.sub(emitDepth(fb), m.i32.const(bytes)), i32);
  return [
    m.if(m.i32.lt_s(rest, m.i32.const(0)), fb.call(fb.emitter.requestPrelude('failDepth'), [], fb.instance.fn.span)),
  ];
}

/** `if (fuel < 0) askLimits()` */
export function emitPoll(fb: FunctionBuilder, span: Span): ExpressionRef {
  const m = fb.module;
  declareFuel(fb.emitter);
  const rest = countsInLocal(fb) ? readFuel(fb) : m.global.get(left, i32);
  return m.if(m.i32.lt_s(rest, m.i32.const(0)), fb.call(fb.emitter.requestPrelude('askLimits'), [], span));
}

/** `report(granted - left)`. It sets `granted = left` first, so that the host is told of each used unit once. */
export function emitReportUsedFuel(fb: FunctionBuilder, report: (used: ExpressionRef) => ExpressionRef): ExpressionRef {
  const m = fb.module;
  const used = fb.newLocal(i32);
  return m.block(
    null,
    [
      m.local.set(used, emitUsedFuel(fb.emitter)),
      m.global.set(granted, m.global.get(left, i32)),
      report(m.local.get(used, i32)),
    ],
    i32,
  );
}

/** `left = granted = min(units, iterationsPerCall)`: a lower setting makes the program ask the host more often. */
export function emitGrant(fb: FunctionBuilder, units: ExpressionRef): ExpressionRef {
  const m = fb.module;
  const { iterationsPerCall } = fb.emitter;
  const set = (value: ExpressionRef): ExpressionRef =>
    m.block(null, [m.global.set(granted, value), m.global.set(left, m.global.get(granted, i32))], none);
  if (iterationsPerCall >= defaultIterationsPerCall) return set(units);
  const most = (): ExpressionRef => m.i32.const(iterationsPerCall);
  return fb.reuse(units, i32, (read) => set(m.select(m.i32.lt_s(read(), most()), read(), most())));
}
