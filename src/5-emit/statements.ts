// The one gate for statements.

import type { Statement } from '../2-check/typed-tree.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitSetElement } from './arrays.ts';
import { emitFinish, emitYield } from './boundary.ts';
import { emitUseOfInlined } from './fuel.ts';
import { emitThrow, emitTry } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitSetGlobal } from './globals.ts';
import { emitHoldArray, emitSetHeld } from './hoisted-arrays.ts';
import { emitSetItem, emitSetMember } from './json.ts';
import { emitBreak, emitContinue, emitIf, emitLoop, emitReturn } from './loops.ts';
import { emitCallPart, emitHandBack } from './loop-outlining.ts';
import { emitSetField } from './structs.ts';
import { emitSetLocal } from './string-builder.ts';

export function emitStatement(fb: FunctionBuilder, node: Statement): ExpressionRef {
  const m = fb.module;
  switch (node.kind) {
    case 'set-local':
      return emitSetLocal(fb, node);
    case 'set-global':
      return emitSetGlobal(fb, node.global, fb.expression(node.value));
    case 'set-field':
      return emitSetField(fb, node);
    case 'set-element':
      return emitSetElement(fb, node);
    case 'hold-array':
      return emitHoldArray(fb, node);
    case 'set-held':
      return emitSetHeld(fb, node);
    case 'call-part':
      return emitCallPart(fb, node.part, node.span);
    case 'hand-back':
      return fb.module.block(null, [...emitHandBack(fb, node.locals, false)]);
    case 'set-member':
      return emitSetMember(fb, node);
    case 'set-item':
      return emitSetItem(fb, node);
    case 'use':
      return emitUseOfInlined(fb, node.units);
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
