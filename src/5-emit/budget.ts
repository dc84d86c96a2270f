// The budget of a call: a function that counts the depth of calls and passes its fuel, and has no loop, has both in one
// i64, which is its last parameter and its last result. It is the units that are left, which may be below zero, times
// 2^29, and the bytes of stack that are left, divided by 8. So one subtraction uses both, one test finds whether either is
// used up, and no call has to keep the depth meanwhile. The constants have no more than 32 bits, and so fit into the
// instructions of processors.
//
// Functions with loops have two parameters: the charges of a loop would wait for what its calls give back.

import type { Expression } from '../mir/mir.ts';
import { i32, i64, none, tupleType, wrap } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionInstance } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';

/** The bits of a budget for the stack, the highest of which is its sign. */
const stackBits = 29n;
const signOfStack = 1n << (stackBits - 1n);
const signOfUnits = -(1n << 63n);

export function unitsOfBudget(units: number): bigint {
  return BigInt(units) << stackBits;
}

export function readBudget(fb: FunctionBuilder): ExpressionRef {
  const { module: m } = fb;
  const budget = m.local.get(fb.fuelLocal!, i64);
  return fb.owed === 0 ? budget : m.i64.sub(budget, m.i64.const(unitsOfBudget(fb.owed)));
}

export function setBudget(fb: FunctionBuilder, budget: ExpressionRef): ExpressionRef {
  const { module: m } = fb;
  return m.local.set(fb.fuelLocal!, fb.owed === 0 ? budget : m.i64.add(budget, m.i64.const(unitsOfBudget(fb.owed))));
}

/** The eighth of the bytes of stack that the budget has, which is not below zero but where a call fails. */
export function emitStackOf(fb: FunctionBuilder): ExpressionRef {
  const { module: m } = fb;
  return m.i64.and(m.local.get(fb.fuelLocal!, i64), m.i64.const((1n << stackBits) - 1n));
}

export function emitBudgetOf({ module: m }: FunctionBuilder, stack: ExpressionRef, fuel: ExpressionRef): ExpressionRef {
  return m.i64.or(stack, m.i64.shl(m.i64.extend_s(fuel), m.i64.const(stackBits)));
}

/** The units of a budget. */
export function emitUnitsOf({ module: m }: FunctionBuilder, budget: ExpressionRef): ExpressionRef {
  return wrap(m, m.i64.shr_s(budget, m.i64.const(stackBits)));
}

/** Units as a part of a budget. */
export function emitBudgetOfUnits(fb: FunctionBuilder, units: Expression): ExpressionRef {
  const { i64: instructions } = fb.module;
  if (units.kind === 'int') return instructions.const(units.value << stackBits);
  return instructions.shl(instructions.extend_s(wrap(fb.module, fb.expression(units))), instructions.const(stackBits));
}

/** `left = the units of the budget`, by a function of its own: most places that need it are in front of an error. */
export function emitBudgetWriteBack(fb: FunctionBuilder, left: string): ExpressionRef {
  const { module: m, emitter } = fb;
  const name = '$keepUnits';
  emitter.declare(name, () => {
    const units = m.i32.sub(emitUnitsOf(fb, m.local.get(0, i64)), m.local.get(1, i32));
    m.addFunction(name, tupleType([i64, i32]), none, [], m.global.set(left, units));
  });
  return m.call(name, [m.local.get(fb.fuelLocal!, i64), m.i32.const(fb.owed)], none);
}

/** Whether the function begins with the charge and the poll of a call, which the test of its stack does too. */
export function chargesAtEntry({ fn, takesBudget }: FunctionInstance): boolean {
  const [first, second] = fn.body;
  return (
    takesBudget &&
    first?.kind === 'charge' &&
    first.units.kind === 'int' &&
    first.units.value === 1n &&
    second?.kind === 'poll'
  );
}

/**
 * `budget -= frame and unit; if (either is below zero) { give both back; enterCall(budget - frame); budget -= frame; }`,
 * where enterCall uses the unit again, or fails.
 */
export function emitBudgetCheck(fb: FunctionBuilder, frame: bigint): readonly ExpressionRef[] {
  const m = fb.module;
  const charges = chargesAtEntry(fb.instance);
  const own = charges ? frame + unitsOfBudget(1) : frame;
  const less = (amount: bigint): ExpressionRef => m.i64.sub(readBudget(fb), m.i64.const(amount));
  const use = (amount: bigint): ExpressionRef => setBudget(fb, less(amount));
  const fail = fb.call(
    fb.emitter.requestPrelude(charges ? 'enterCall' : 'checkStack'),
    [less(frame)],
    fb.instance.fn.span,
  );
  const signs = m.i64.and(readBudget(fb), m.i64.const(charges ? signOfUnits | signOfStack : signOfStack));
  return [
    ...(fb.frameLocal === null ? [] : [m.local.set(fb.frameLocal, m.i64.const(frame))]),
    use(own),
    m.if(m.i64.ne(signs, m.i64.const(0n)), m.block(null, [use(-own), fail, use(frame)], none)),
  ];
}
