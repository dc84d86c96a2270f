// Outlined loops: functions of one loop each. A call runs a limited number of iterations and returns whether there are
// more; the caller repeats the call until there are none. The live-outs are returned in globals each time.

import type { LocalId, OutlinedLoop, ReturnLiveOuts } from '../mir/mir.ts';
import { leavesOnStack } from '../mir/stack.ts';
import type { Span } from '../source.ts';
import { i32, none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitFuelWriteBack } from './fuel.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitSpill, emitReload, SpilledLocals } from './spilled-locals.ts';
import type { SpilledLocal } from './spilled-locals.ts';
import { emitSavedStack, nothingSaved } from './stack.ts';

/**
 * ```
 * loop $again
 *   more = outlined(inputs);  outputs = globals
 *   (br_if $again more)
 * ```
 * An array on the stack among the outputs is there until the next call.
 */
export function emitCallOutlined(fb: FunctionBuilder, outlined: OutlinedLoop, span: Span): ExpressionRef {
  const { function: id, inputs, outputs } = outlined;
  const m = fb.module;
  const operands = inputs.map((local) =>
    fb.expression({ kind: 'get-local', local, type: fb.instance.fn.locals[local]!.type, span }),
  );
  const again = fb.newLabel('again');
  const more = fb.newLocal(i32);
  const target = fb.emitter.request(id, null);
  const leaves = leavesOnStack(outlined, fb.instance.fn.locals) && fb.emitter.putsOnStack(target);
  const { save, restore } = leaves ? emitSavedStack(fb.emitter, fb.newLocal(i32)) : nothingSaved;
  const call = leaves ? fb.bareCall(target, operands, span) : fb.call(target, operands, span);
  const iterations = m.loop(
    again,
    m.block(
      null,
      [
        ...restore,
        m.local.set(more, call),
        ...spilledOf(fb, outputs).map((one) => emitReload(m, one)),
        m.br_if(again, m.local.get(more, i32)),
      ],
      none,
    ),
  );
  return leaves ? m.block(null, [...save, iterations], none) : iterations;
}

/** The end of a call of an outlined loop. */
export function emitReturnLiveOuts(fb: FunctionBuilder, { locals, hasMore }: ReturnLiveOuts): ExpressionRef {
  const m = fb.module;
  return m.block(null, [
    ...spilledOf(fb, locals).map((one) => emitSpill(m, one)),
    ...emitFuelWriteBack(fb),
    m.return(m.i32.const(hasMore ? 1 : 0)),
  ]);
}

function spilledOf(fb: FunctionBuilder, locals: readonly LocalId[]): readonly SpilledLocal[] {
  return new SpilledLocals(fb.emitter).spill(
    locals.map((local) => ({ local: fb.localNumber(local), type: fb.localType(local) })),
  );
}
