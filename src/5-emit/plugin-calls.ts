// Calls of plugins' functions. Functions of numbers take and return them directly. For other functions, arguments that
// are neither numbers nor texts are written to the stream before the call. The call returns a status; afterwards the
// module reads the result from the stream.

import { wireType } from '../abi/values.ts';
import type { WireType } from '../abi/imports.ts';
import type { LibraryCall } from '../mir/mir.ts';
import type { PluginImplementation } from '../language/implementation.ts';
import type { Type } from '../language/types.ts';
import type { LibraryFunction } from '../library/declare.ts';
import type { Span } from '../source.ts';
import { i32, typeOf } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitFuelWriteBack, emitFuelWriteBackAfter } from './fuel.ts';
import { emitElementRead, emitElementWrite } from './derived.ts';
import { emitFail } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitStringConstant, emitText } from './strings.ts';

interface Operand {
  readonly value: ExpressionRef;
  readonly type: Type;
  /** Null for an operand that goes through the stream. */
  readonly wire: WireType | null;
}

/** The call of a plugin's function; `values` are the emitted operands. */
export function emitPluginCall(
  fb: FunctionBuilder,
  row: LibraryFunction,
  implementation: PluginImplementation,
  values: readonly ExpressionRef[],
  node: LibraryCall,
): ExpressionRef {
  const parameters = [...(row.receiver === null ? [] : [{ type: row.receiver, nullable: false }]), ...row.parameters];
  const operands = parameters.map(({ type, nullable }, index): Operand => ({
    value: values[index]!,
    type,
    wire: findWire(type, nullable, implementation.plugin),
  }));
  switch (implementation.way) {
    case 'direct':
      return fb.at(node.span, callWith(fb, row, implementation, operands));
    case 'linked':
      return emitLinkedCall(fb, row, implementation, operands, node.span);
    case 'streamed':
      return emitStreamedCall(fb, row, implementation, operands, node.span);
  }
}

function findWire(type: Type, nullable: boolean, plugin: string): WireType | null {
  const travelsAlone =
    type.kind === 'int' || type.kind === 'double' || type.kind === 'boolean' || (type.kind === 'string' && !nullable);
  return travelsAlone ? wireType(type, plugin) : null;
}

function callWith(
  fb: FunctionBuilder,
  row: LibraryFunction,
  implementation: PluginImplementation,
  operands: readonly Operand[],
): ExpressionRef {
  const wired = operands.filter(({ wire }) => wire !== null);
  const values = wired.map(({ value, wire }) => (wire === 'string' ? emitText(fb, value) : value));
  const call = fb.emitter.callPlugin(
    implementation,
    emitFuelWriteBackAfter(fb, values),
    wired.map(({ wire }) => wire!),
    row.returns,
  );
  const before = values.length === 0 ? emitFuelWriteBack(fb) : [];
  return before.length === 0 ? call : fb.module.block(null, [...before, call], typeOf(call));
}

/**
 * A call of another module, which may throw exceptions of its own and return any number for a boolean. Errors of the
 * operands belong to the script, so the operands are evaluated before the try:
 * `a = …; try (call a) catch_all (call failPlugin)`
 */
function emitLinkedCall(
  fb: FunctionBuilder,
  row: LibraryFunction,
  implementation: PluginImplementation,
  operands: readonly Operand[],
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const fail = (what: string): ExpressionRef =>
    emitFail(fb, 'failPlugin', [emitStringConstant(fb.emitter, `${row.id} ${what}`)], span);
  const before: ExpressionRef[] = [];
  const saved = operands.map((operand) => saveOperand(fb, operand, before));
  const tried = m.try(
    fb.newLabel('linked'),
    fb.at(span, callWith(fb, row, implementation, saved)),
    [],
    [fail('failed')],
  );
  const call =
    before.length === 0
      ? tried
      : m.block(null, [...before, tried], row.returns.kind === 'void' ? undefined : fb.wasmType(row.returns));
  if (row.returns.kind !== 'boolean') return call;
  return fb.reuse(
    call,
    i32,
    (read) => m.if(m.i32.gt_u(read(), m.i32.const(1)), fail('did not return a boolean'), read()),
    i32,
  );
}

/** `a = …; b = …; write(a); passArgument(); settle(call(b)); read the result` */
function emitStreamedCall(
  fb: FunctionBuilder,
  row: LibraryFunction,
  implementation: PluginImplementation,
  operands: readonly Operand[],
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const before: ExpressionRef[] = [];
  const saved = operands.every(({ wire }) => wire !== null)
    ? operands
    : operands.map((operand) => saveOperand(fb, operand, before));
  for (const { value, type, wire } of saved) {
    if (wire === null)
      before.push(emitElementWrite(fb, type, value, m.i64.const(0n), span), fb.emitter.callRuntime('passArgument', []));
  }
  const call = fb.at(span, callWith(fb, row, implementation, saved));
  const settled = fb.call(fb.emitter.requestPrelude('settle'), [m.i64.extend_u(call)], span);
  if (row.returns.kind === 'void') return m.block(null, [...before, settled]);
  return m.block(null, [...before, settled, emitElementRead(fb, row.returns, span)], fb.wasmType(row.returns));
}

/** Evaluates an operand before the call. */
function saveOperand(fb: FunctionBuilder, operand: Operand, before: ExpressionRef[]): Operand {
  const type = fb.wasmType(operand.type);
  const local = fb.newLocal(type);
  before.push(fb.module.local.set(local, operand.value));
  return { ...operand, value: fb.module.local.get(local, type) };
}
