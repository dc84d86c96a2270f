// Global variables: mutable wasm globals, added to the module on first use. A value that is known at compile time is
// the initial value; other globals are zero or null until code sets them.

import type { Constant, GlobalId } from '../mir/mir.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { wrapConstant } from './strings.ts';

export function emitGetGlobal(fb: FunctionBuilder, id: GlobalId): ExpressionRef {
  return fb.module.global.get(id, declareGlobal(fb.emitter, id));
}

export function emitSetGlobal(fb: FunctionBuilder, id: GlobalId, value: ExpressionRef): ExpressionRef {
  declareGlobal(fb.emitter, id);
  return fb.module.global.set(id, value);
}

function declareGlobal(emitter: Emitter, id: GlobalId): WasmType {
  const { type, value } = emitter.findGlobal(id);
  const wasmType = emitter.types.wasmType(type);
  emitter.declare(id, () => {
    const initial = value === null ? emitter.zeroOf(type) : emitInitial(emitter, value, wasmType);
    emitter.module.addGlobal(id, wasmType, true, initial);
  });
  return wasmType;
}

function emitInitial(emitter: Emitter, value: Constant, type: WasmType): ExpressionRef {
  const m = emitter.module;
  switch (value.kind) {
    case 'int':
      return m.i64.const(value.value);
    case 'double':
      return m.f64.const(value.value);
    case 'boolean':
      return m.i32.const(value.value ? 1 : 0);
    case 'string':
      return wrapConstant(emitter, value.value);
    case 'null':
      return m.ref.null(type);
  }
}
