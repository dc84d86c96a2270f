// Dispatch on the kind of a statement.

import type { Statement } from '../mir/mir.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitSetElement } from './arrays.ts';
import { emitFinish, emitYield } from './boundary.ts';
import { emitAttribute, emitCount } from './counters.ts';
import { emitCharge, emitPoll } from './fuel.ts';
import { emitThrow, emitTry } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitSetGlobal } from './globals.ts';
import { emitHoistArray, emitSetHoisted, emitSetRange } from './hoisted-arrays.ts';
import { emitSetItem, emitSetMember } from './json.ts';
import { emitBreak, emitContinue, emitIf, emitLoop, emitReturn } from './loops.ts';
import { emitExit } from './osr.ts';
import { emitCallOutlined, emitReturnLiveOuts } from './loop-outlining.ts';
import { emitCopyElements, emitStore } from './scratch.ts';
import { emitSetField } from './structs.ts';
import { emitAppendText } from './string-builder.ts';

export function emitStatement(fb: FunctionBuilder, node: Statement): ExpressionRef {
  const m = fb.module;
  switch (node.kind) {
    case 'set-local':
      return fb.setLocal(node.local, fb.expression(node.value));
    case 'append-text':
      return emitAppendText(fb, node);
    case 'set-global':
      return emitSetGlobal(fb, node.global, fb.expression(node.value));
    case 'set-field':
      return emitSetField(fb, node);
    case 'set-element':
      return emitSetElement(fb, node);
    case 'store':
      return emitStore(fb, node);
    case 'copy-elements':
      return emitCopyElements(fb, node);
    case 'hoist-array':
      return emitHoistArray(fb, node);
    case 'set-hoisted':
      return emitSetHoisted(fb, node);
    case 'set-range':
      return emitSetRange(fb, node);
    case 'call-outlined':
      return emitCallOutlined(fb, node.outlined, node.span);
    case 'return-live-outs':
      return emitReturnLiveOuts(fb, node);
    case 'set-member':
      return emitSetMember(fb, node);
    case 'set-item':
      return emitSetItem(fb, node);
    case 'charge':
      return emitCharge(fb, node.units);
    case 'poll':
      return emitPoll(fb, node.span);
    case 'count':
      return emitCount(fb, node.counter);
    case 'attribute':
      return emitAttribute(fb, node.counter);
    case 'osr-exit':
      return emitExit(fb, node.entry);
    case 'evaluate': {
      const value = fb.expression(node.expression);
      return node.expression.type.kind === 'void' ? value : m.drop(value);
    }
    case 'if':
      return emitIf(fb, node);
    case 'loop':
      return emitLoop(fb, node);
    case 'break':
      return emitBreak(fb, node.loop);
    case 'continue':
      return emitContinue(fb, node.loop);
    case 'return':
      return emitReturn(fb, node.value);
    case 'finish':
      return emitFinish(fb, node);
    case 'yield':
      return emitYield(fb, node.value, node.span);
    case 'throw':
      return emitThrow(fb, node);
    case 'try':
      return emitTry(fb, node);
    case 'block':
      return fb.block(node.statements);
  }
}
