// Calls of the program's functions, and of library functions, wherever those run.

import type { WireType } from '../abi/imports.ts';
import { wireType } from '../abi/values.ts';
import type { Call, Expression, LibraryCall } from '../mir/mir.ts';
import type { Implementation } from '../language/implementation.ts';
import { stringType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { parameterAt, refusesNull } from '../library/declare.ts';
import type { LibraryFunction } from '../library/declare.ts';
import type { Span } from '../source.ts';
import { negate, typeOf, wrap } from './binaryen.ts';
import type { ExpressionRef, WasmModule } from './binaryen.ts';
import { emitAttributeBehind } from './counters.ts';
import { emitFuelWriteBack, emitFuelWriteBackAfter } from './fuel.ts';
import { emitElementRead } from './derived.ts';
import { emitNonNull } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { intrinsics } from './intrinsics.ts';
import { emitCallAtSite } from './json-sites.ts';
import { emitPluginCall } from './plugin-calls.ts';
import { emitText, emitTextFromHost } from './strings.ts';

export function emitCall(fb: FunctionBuilder, node: Call): ExpressionRef {
  const typeArgument = node.typeArgument === null ? null : fb.resolve(node.typeArgument);
  const target = fb.emitter.request(node.function, typeArgument);
  const call = fb.call(
    target,
    node.arguments.map((argument) => fb.expression(argument)),
    node.span,
  );
  return emitAttributeBehind(fb, call);
}

/** First tests the receiver and every text or array among the arguments for null. */
export function emitLibraryCall(fb: FunctionBuilder, node: LibraryCall): ExpressionRef {
  const row = fb.emitter.registry.byId(node.function);
  const operands = node.arguments.map((argument, index) => emitArgument(fb, row, argument, index));
  if (row.implementation.kind === 'host') return emitHostCall(fb, row, operands, node);
  if (row.implementation.kind === 'plugin') return emitPluginCall(fb, row, row.implementation, operands, node);
  const typeArgument = node.typeArgument === null ? null : fb.resolve(node.typeArgument);
  return emitImplementation(fb, row.implementation, operands, node, typeArgument);
}

function emitArgument(fb: FunctionBuilder, row: LibraryFunction, argument: Expression, index: number): ExpressionRef {
  if (!refusesNull(row, index)) return fb.expression(argument);
  const parameter = parameterAt(row, index);
  const what =
    parameter === null ? describeReceiver(fb, row, argument) : `argument '${parameter.name}' of ${row.name}()`;
  return emitNonNull(fb, argument, () => what, argument.span);
}

/** The text for the receiver; in a foreach, the script has no expression for the length that is read. */
function describeReceiver(fb: FunctionBuilder, row: LibraryFunction, receiver: Expression): string {
  const isForeach = receiver.kind === 'get-local' && fb.instance.fn.locals[receiver.local]!.origin === 'foreach';
  return isForeach ? 'the elements' : `${row.name}()`;
}

/** Runs an operator or library function on evaluated operands. */
export function emitImplementation(
  fb: FunctionBuilder,
  implementation: Implementation,
  operands: readonly ExpressionRef[],
  node: Expression,
  typeArgument: Type | null,
): ExpressionRef {
  switch (implementation.kind) {
    case 'instruction':
      return emitInstruction(fb.module, implementation.op, operands);
    case 'intrinsic': {
      const write = intrinsics[implementation.name];
      if (write === undefined) throw new Error(`no intrinsic ${implementation.name}`);
      return write(fb, operands, { node, typeArgument });
    }
    case 'prelude': {
      const key = node.kind === 'library-call' ? node.arguments[1] : undefined;
      return (
        emitCallAtSite(fb, implementation.name, operands, key, node.span) ??
        fb.call(fb.emitter.requestPrelude(implementation.name, typeArgument), operands, node.span)
      );
    }
    case 'constant':
      return fb.module.f64.const(implementation.value);
    case 'host':
    case 'plugin':
      throw new Error('an operator cannot run in the host');
  }
}

/** `f64.convert_s.i64` is a path into Binaryen's module object. */
export function emitInstruction(module: WasmModule, op: string, operands: readonly ExpressionRef[]): ExpressionRef {
  if (op === 'i32.eqz') return negate(module, operands[0]!);
  let found: unknown = module;
  for (const part of op.split('.')) found = (found as Record<string, unknown>)[part];
  if (typeof found !== 'function') throw new Error(`no instruction ${op}`);
  return (found as (...operands: readonly ExpressionRef[]) => ExpressionRef)(...operands);
}

function emitHostCall(
  fb: FunctionBuilder,
  row: LibraryFunction,
  operands: readonly ExpressionRef[],
  node: LibraryCall,
): ExpressionRef {
  const wires = operands.map((operand, index) =>
    toWire(fb, operand, row.parameters[index]!.type, wireType(row.parameters[index]!.type, row.library)),
  );
  const call = fb.at(node.span, emitHostImport(fb, row, wires));
  if (row.effects.waits) return emitWaitingCall(fb, row, call, node);
  return row.returns.kind === 'void' ? call : fromWire(fb, call, row.returns, wireType(row.returns, row.library));
}

/** The call may raise guard errors, and the host reads the used fuel during it. */
function emitHostImport(fb: FunctionBuilder, row: LibraryFunction, wires: readonly ExpressionRef[]): ExpressionRef {
  const call = fb.emitter.callHost(row, emitFuelWriteBackAfter(fb, wires));
  const before = wires.length === 0 ? emitFuelWriteBack(fb) : [];
  return before.length === 0 ? call : fb.module.block(null, [...before, call], typeOf(call));
}

/** `settle(call); read the result` */
function emitWaitingCall(
  fb: FunctionBuilder,
  row: LibraryFunction,
  call: ExpressionRef,
  { span }: LibraryCall,
): ExpressionRef {
  const m = fb.module;
  const settled = fb.call(fb.emitter.requestPrelude('settle'), [m.i64.extend_u(call)], span);
  if (row.returns.kind === 'void') return settled;
  return m.block(null, [settled, emitResult(fb, row.returns, span)], fb.wasmType(row.returns));
}

function emitResult(fb: FunctionBuilder, type: Type, span: Span): ExpressionRef {
  if (type.kind !== 'json') return emitElementRead(fb, type, span);
  return fb.call(fb.emitter.requestPrelude('parseJson'), [emitElementRead(fb, stringType, span)], span);
}

function toWire(fb: FunctionBuilder, value: ExpressionRef, type: Type, wire: WireType): ExpressionRef {
  if (wire === 'string') return emitText(fb, value);
  return type.kind === 'int' && wire === 'i32' ? wrap(fb.module, value) : value;
}

function fromWire(fb: FunctionBuilder, value: ExpressionRef, type: Type, wire: WireType): ExpressionRef {
  if (wire === 'string') return emitTextFromHost(fb, value);
  return type.kind === 'int' && wire === 'i32' ? fb.module.i64.extend_s(value) : value;
}
