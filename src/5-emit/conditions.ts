// Conditions that only jump. Each test of `a && b` and `a || b` gets a branch of its own, in the order in which it is
// written: Binaryen would make one number of both, whose second half is then always worked out, or put the cheaper one
// first, although whoever wrote them has put first what is decided most often.

import type { Expression } from '../mir/mir.ts';
import { negate, none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';

/**
 * Goes on at a label, unless the condition holds.
 * ```
 * a && b     (br_if $label (eqz a))  (br_if $label (eqz b))
 * a || b     block $decided  (br_if $decided a)  (br_if $label (eqz b))  end
 * ```
 */
export function emitJumpUnless(fb: FunctionBuilder, node: Expression, label: string): readonly ExpressionRef[] {
  return emitJump(fb, node, label, false);
}

/** Goes on at a label, if the condition holds. */
export function emitJumpIf(fb: FunctionBuilder, node: Expression, label: string): readonly ExpressionRef[] {
  return emitJump(fb, node, label, true);
}

/** Jumps if the condition is `outcome`. */
function emitJump(fb: FunctionBuilder, node: Expression, label: string, outcome: boolean): readonly ExpressionRef[] {
  const m = fb.module;
  if (node.kind === 'operate' && node.operator === '!(boolean)')
    return emitJump(fb, node.operands[0]!, label, !outcome);
  if (node.kind !== 'logical') {
    const test = fb.expression(node);
    return [m.br_if(label, outcome ? test : negate(m, test))];
  }
  // One operand alone decides `a || b` if it is true, and `a && b` if it is false.
  const decisive = node.operator === '||';
  if (outcome === decisive) return node.operands.flatMap((operand) => emitJump(fb, operand, label, outcome));
  const decided = fb.newLabel('decided');
  const front = node.operands.slice(0, -1).flatMap((operand) => emitJump(fb, operand, decided, decisive));
  return [m.block(decided, [...front, ...emitJump(fb, node.operands.at(-1)!, label, outcome)], none)];
}
