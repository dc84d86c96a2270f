// The counters of an instrumented program: an array of the module, which an export reads.

import { countExport } from '../abi/imports.ts';
import { intType } from '../language/types.ts';
import { i32, i64, referenceTo } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';

const counters = '$counters';

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
}

function readCounter(emitter: Emitter, index: ExpressionRef): ExpressionRef {
  const { module: m } = emitter;
  return m.array.get(m.global.get(counters, typeOfCounters(emitter)), index, i64, false);
}

/** `counters[counter] += 1` */
export function emitCount({ module: m, emitter }: FunctionBuilder, counter: number): ExpressionRef {
  const more = m.i64.add(readCounter(emitter, m.i32.const(counter)), m.i64.const(1n));
  return m.array.set(m.global.get(counters, typeOfCounters(emitter)), m.i32.const(counter), more);
}
