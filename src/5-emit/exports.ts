// Exported functions, which the host calls by name. A function of numbers and booleans is exported directly; any other
// gets a wrapper that reads the arguments from the host and returns the result to it.

import { callExport, directExport, initialiseExport } from '../abi/imports.ts';
import { hasDefaults, isDirect } from '../abi/manifest.ts';
import type { ManifestExport } from '../abi/manifest.ts';
import type { ExportedFunction } from '../mir/program.ts';
import { none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitArguments, suspends } from './boundary.ts';
import { emitElementWrite } from './derived.ts';
import { describeType } from './descriptors.ts';
import type { Emitter, FunctionInstance } from './emitter.ts';
import { FunctionBuilder } from './function-builder.ts';
import type { Dispatch } from './function-builder.ts';
import { emitEmptyStack, emitKeepStack } from './stack.ts';

/**
 * Exports the functions, and the function that sets the globals before the first call; returns their entries in the
 * manifest.
 */
export function emitExports(
  emitter: Emitter,
  dispatch: Dispatch,
  exported: readonly ExportedFunction[],
  initialiser: FunctionInstance | null,
): ManifestExport[] {
  if (exported.length > 0 && initialiser !== null)
    emitter.exportFunction(
      initialiser.fn.leavesOnStack === true
        ? emitInitialiseWrapper(emitter, dispatch, initialiser)
        : initialiser.wasmName,
      initialiseExport,
      initialiser.fn.suspends!.body,
    );
  return exported.map(({ function: id, variadic }) => {
    const instance = emitter.request(id, null);
    const described = describeExport(emitter, instance, variadic);
    if (isDirect(described))
      emitter.exportFunction(
        instance.takesDepth || instance.passesFuel || emitter.hasStack
          ? emitDirectWrapper(emitter, dispatch, instance)
          : instance.wasmName,
        directExport(described.name),
        instance.fn.suspends!.body,
      );
    if (!isDirect(described) || hasDefaults(described)) emitCallWrapper(emitter, dispatch, instance);
    return described;
  });
}

function describeExport(emitter: Emitter, { fn }: FunctionInstance, variadic: boolean): ManifestExport {
  const parameters = fn.parameters.map(({ local, initialiser }, index) => {
    const { name, type } = fn.locals[local]!;
    const isRest = variadic && index === fn.parameters.length - 1;
    return { name, type: describeType(emitter, type), required: initialiser === null && !isRest, variadic: isRest };
  });
  return { name: fn.name, parameters, returns: fn.returns.kind === 'void' ? null : describeType(emitter, fn.returns) };
}

/** The instance of a function that is called from outside and calls another: it has the parameters of that one alone. */
function wrapperOf(target: FunctionInstance, wasmName: string): FunctionInstance {
  const { fn } = target;
  const locals = fn.locals.slice(0, fn.parameters.length);
  return {
    ...target,
    wasmName,
    takesDepth: false,
    passesFuel: false,
    takesBudget: false,
    fn: { ...fn, name: wasmName, locals },
  };
}

/** The export of a function with a depth parameter: it passes the whole depth, `f(a, b) = f(a, b, most)`. */
function emitDirectWrapper(emitter: Emitter, dispatch: Dispatch, target: FunctionInstance): string {
  const wasmName = `$${directExport(target.fn.name)}`;
  const { fn } = target;
  const fb = new FunctionBuilder(emitter, wrapperOf(target, wasmName), dispatch);
  const call = fb.call(
    target,
    fn.parameters.map(({ local }) => fb.getLocal(local)),
    fn.span,
  );
  const returns = fn.returns.kind === 'void' ? none : emitter.types.wasmType(fn.returns);
  fb.finish(emitter.module.block(null, [...emitBeginning(emitter), call], returns), returns);
  return wasmName;
}

/** `initialise() { set the globals; keep what they have on the stack }` */
function emitInitialiseWrapper(emitter: Emitter, dispatch: Dispatch, initialiser: FunctionInstance): string {
  const wasmName = `$export.${initialiseExport}`;
  const fb = new FunctionBuilder(emitter, wrapperOf(initialiser, wasmName), dispatch);
  const call = fb.call(initialiser, [], initialiser.fn.span);
  fb.finish(emitter.module.block(null, [call, emitKeepStack(emitter)], none), none);
  return wasmName;
}

/** An error that nobody caught may have left arrays on the stack. */
function emitBeginning(emitter: Emitter): readonly ExpressionRef[] {
  return emitter.hasStack ? [emitEmptyStack(emitter)] : [];
}

/** `void $call.f() { a = read(); b = hasArgument(1) ? read() : default; write(f(a, b)); finish(); }` */
function emitCallWrapper(emitter: Emitter, dispatch: Dispatch, target: FunctionInstance): void {
  const m = emitter.module;
  const { fn } = target;
  const wasmName = `$${callExport(fn.name)}`;
  // The wrapper's places are marked as places of the runtime, so that stacks show only the function.
  const fb = new FunctionBuilder(emitter, wrapperOf(target, wasmName), dispatch, false);
  const body: ExpressionRef[] = [...emitBeginning(emitter), ...emitArguments(fb, fn)];
  const call = fb.call(
    target,
    fn.parameters.map(({ local }) => fb.getLocal(local)),
    fn.span,
  );
  if (fn.returns.kind === 'void') body.push(call);
  else body.push(emitElementWrite(fb, fn.returns, call, m.i64.const(0n), fn.span), emitter.callRuntime('finish', []));
  fb.finish(m.block(null, body, none), none);
  emitter.exportFunction(wasmName, callExport(fn.name), suspends(fn));
}
