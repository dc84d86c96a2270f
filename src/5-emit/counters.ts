// The counters of an instrumented program: an array of the module, which an export reads. Where the work of the library
// is counted too, a global says for which place of the script it is at the moment.

import { countExport } from '../abi/imports.ts';
import { intType } from '../language/types.ts';
import { i32, i64, none, referenceTo, typeOf, unreachable } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';

const counters = '$counters';
const attributed = '$attributed';

function typeOfCounters({ types }: Emitter): WasmType {
  return referenceTo(types.elementsType(intType), false);
}

/** Adds the counters to the module, and the export; nothing where there are none. */
export function declareCounters(emitter: Emitter, count: number): void {
  if (count === 0) return;
  const { module: m, types } = emitter;
  const array = m.array.new_default(types.elementsType(intType), m.i32.const(count));
  m.addGlobal(counters, typeOfCounters(emitter), false, array);
  m.addFunction('$count', i32, i64, [], readCounter(emitter, m.local.get(0, i32)));
  emitter.exportFunction('$count', countExport, false);
  if (emitter.attributes) m.addGlobal(attributed, i32, true, m.i32.const(0));
}

function readCounter(emitter: Emitter, index: ExpressionRef): ExpressionRef {
  const { module: m } = emitter;
  return m.array.get(m.global.get(counters, typeOfCounters(emitter)), index, i64, false);
}

function emitAdd(emitter: Emitter, index: () => ExpressionRef, units: ExpressionRef): ExpressionRef {
  const { module: m } = emitter;
  const more = m.i64.add(readCounter(emitter, index()), units);
  return m.array.set(m.global.get(counters, typeOfCounters(emitter)), index(), more);
}

/** `counters[counter] += 1` */
export function emitCount({ module: m, emitter }: FunctionBuilder, counter: number): ExpressionRef {
  return emitAdd(emitter, () => m.i32.const(counter), m.i64.const(1n));
}

/** `attributed = counter` */
export function emitAttribute(fb: FunctionBuilder, counter: number): ExpressionRef {
  fb.attributed = counter;
  return fb.module.global.set(attributed, fb.module.i32.const(counter));
}

/** A call of a function of the script, which has attributed its own work to itself. */
export function emitAttributeBehind(fb: FunctionBuilder, call: ExpressionRef): ExpressionRef {
  const type = typeOf(call);
  if (fb.attributed === null || type === unreachable) return call;
  const { module: m } = fb;
  const again = emitAttribute(fb, fb.attributed);
  if (type === none) return m.block(null, [call, again], none);
  const local = fb.temporary(type);
  return m.block(null, [m.local.set(local, call), again, m.local.get(local, type)], type);
}

/** `counters[attributed] += units` (i32) */
export function emitAttributed({ module: m, emitter }: FunctionBuilder, units: ExpressionRef): ExpressionRef {
  return emitAdd(emitter, () => m.global.get(attributed, i32), m.i64.extend_u(units));
}
