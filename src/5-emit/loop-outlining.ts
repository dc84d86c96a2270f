// Outlined loops: functions of one loop each. A call runs a limited number of iterations and returns whether there are
// more; the caller repeats the call until there are none. The live-outs are returned in globals each time.

import type { LocalId, OutlinedLoop, ReturnLiveOuts } from '../mir/mir.ts';
import type { Span } from '../source.ts';
import { i32, none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitFuelWriteBack } from './fuel.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitSpill, emitReload, SpilledLocals } from './spilled-locals.ts';
import type { SpilledLocal } from './spilled-locals.ts';

/**
 * ```
 * loop $again
 *   more = outlined(inputs);  outputs = globals
 *   (br_if $again more)
 * ```
 */
export function emitCallOutlined(
  fb: FunctionBuilder,
  { function: id, inputs, outputs }: OutlinedLoop,
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const operands = inputs.map((local) =>
    fb.expression({ kind: 'get-local', local, type: fb.instance.fn.locals[local]!.type, span }),
  );
  const again = fb.newLabel('again');
  const more = fb.newLocal(i32);
  return m.loop(
    again,
    m.block(
      null,
      [
        m.local.set(more, fb.call(fb.emitter.request(id, null), operands, span)),
        ...spilledOf(fb, outputs).map((one) => emitReload(m, one)),
        m.br_if(again, m.local.get(more, i32)),
      ],
      none,
    ),
  );
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
