// The boundary between program and host: yields, the result, and `run`, which sets the globals, reads the arguments and
// calls the entry.

import { runExport } from '../abi/imports.ts';
import type { Expression, Statement } from '../mir/mir.ts';
import type { MirFunction } from '../mir/program.ts';
import type { Span } from '../source.ts';
import { none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitFuelWriteBack, emitFuelWriteBackAfter } from './fuel.ts';
import { emitElementRead, emitElementWrite, requireValue } from './derived.ts';
import type { Emitter, FunctionInstance } from './emitter.ts';
import { emitLeave } from './errors.ts';
import { FunctionBuilder } from './function-builder.ts';
import type { Dispatch } from './function-builder.ts';
import { emitTextOrNull } from './strings.ts';

/** Simple values are yielded by one call; others are written first and then yielded. */
export function emitYield(fb: FunctionBuilder, value: Expression, span: Span): ExpressionRef {
  const type = fb.resolve(value.type);
  fb.emitter.yields.add(type);
  if (type.kind === 'null') return emitYieldWritten(fb, value, span);
  requireValue(type);
  switch (type.kind) {
    case 'int':
      return fb.at(span, fb.emitter.callRuntime('yieldInt', emitFuelWriteBackAfter(fb, [fb.expression(value)])));
    case 'double':
      return fb.at(span, fb.emitter.callRuntime('yieldDouble', emitFuelWriteBackAfter(fb, [fb.expression(value)])));
    case 'boolean':
      return fb.at(span, fb.emitter.callRuntime('yieldBoolean', emitFuelWriteBackAfter(fb, [fb.expression(value)])));
    case 'string':
      return emitTextOrNull(fb, fb.expression(value), (text) =>
        fb.at(span, fb.emitter.callRuntime('yieldString', emitFuelWriteBackAfter(fb, [text]))),
      );
    case 'json':
    case 'struct':
    case 'array':
      return emitYieldWritten(fb, value, span);
  }
}

function emitYieldWritten(fb: FunctionBuilder, value: Expression, span: Span): ExpressionRef {
  return fb.module.block(
    null,
    [emitWrite(fb, value, span), ...emitFuelWriteBack(fb), fb.at(span, fb.emitter.callRuntime('yieldValue', []))],
    none,
  );
}

/** `return value` of the entry. In a guard clause the error continues instead, and there is no result. */
export function emitFinish(fb: FunctionBuilder, node: Statement & { readonly kind: 'finish' }): ExpressionRef {
  const m = fb.module;
  const leave = [...emitLeave(fb, 0), ...emitFuelWriteBack(fb)];
  const inGuardClause = fb.contexts.some((context) => context.kind === 'guard');
  if (node.value === null) return m.block(null, [...leave, m.return()]);
  if (inGuardClause) return m.block(null, [m.drop(fb.expression(node.value)), ...leave]);
  fb.emitter.results.add(fb.resolve(node.value.type));
  return m.block(null, [
    emitWrite(fb, node.value, node.span),
    ...emitFuelWriteBack(fb),
    // A stack that is taken there says which return it is.
    fb.at(node.span, fb.emitter.callRuntime('finish', [])),
    ...leave,
    m.return(),
  ]);
}

function emitWrite(fb: FunctionBuilder, value: Expression, span: Span): ExpressionRef {
  const type = fb.resolve(value.type);
  if (type.kind === 'null') return fb.emitter.callRuntime('writeNull', []);
  return emitElementWrite(fb, type, fb.expression(value), fb.module.i64.const(0n), span);
}

/** Adds `run`: sets the globals, reads each argument or evaluates its default, calls the entry. */
export function emitRun(
  emitter: Emitter,
  dispatch: Dispatch,
  initialiser: FunctionInstance | null,
  entry: FunctionInstance,
): void {
  const m = emitter.module;
  const instance: FunctionInstance = { ...entry, wasmName: '$run' };
  const fb = new FunctionBuilder(emitter, instance, dispatch, false);
  const body: ExpressionRef[] = [];
  if (initialiser !== null) body.push(fb.call(initialiser, [], entry.fn.span));
  body.push(...emitArguments(fb, entry.fn));
  body.push(
    fb.call(
      entry,
      entry.fn.parameters.map(({ local }) => fb.getLocal(local)),
      entry.fn.span,
    ),
  );
  fb.finish(m.block(null, body, none), none);
  emitter.exportFunction('$run', runExport, suspends(entry.fn) || initialiser?.fn.suspends!.body === true);
}

/** Whether a call from the host may have to wait; it also evaluates the default values. */
export function suspends({ suspends: noted }: MirFunction): boolean {
  return noted!.body || noted!.defaults;
}

/** Reads each argument into its local, or evaluates its default. */
export function emitArguments(fb: FunctionBuilder, entry: MirFunction): ExpressionRef[] {
  const m = fb.module;
  return entry.parameters.map(({ local, initialiser }, index) => {
    const has = fb.emitter.callRuntime('hasArgument', [m.i32.const(index)]);
    const read = fb.setLocal(local, emitElementRead(fb, fb.resolve(entry.locals[local]!.type), entry.span));
    if (initialiser === null) return m.block(null, [m.drop(has), read]);
    return m.if(has, read, fb.setLocal(local, fb.expression(initialiser)));
  });
}
