// Templates: any value as text, and texts joined.

import type { Expression } from '../mir/mir.ts';
import { branchOnNonNull, referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitElementText } from './derived.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitBuiltText } from './string-builder.ts';
import { emitStringConstant } from './strings.ts';

/** A value as a template shows it. */
export function emitToText(fb: FunctionBuilder, node: Expression & { readonly kind: 'to-text' }): ExpressionRef {
  const m = fb.module;
  const type = fb.resolve(node.operand.type);
  const value = fb.expression(node.operand);
  if (type.kind !== 'string') return emitElementText(fb, type, value, 'plain', node.span);
  const there = fb.newLabel('text');
  const result = referenceTo(fb.emitter.types.heapType({ kind: 'string' }), false);
  return m.block(there, [branchOnNonNull(m, there, value), emitStringConstant(fb.emitter, 'null')], result);
}

/** Texts joined from left to right. */
export function emitConcat(fb: FunctionBuilder, node: Expression & { readonly kind: 'concat' }): ExpressionRef {
  return (
    emitBuiltText(fb, node) ??
    fb.call(
      fb.emitter.requestPrelude('concatTexts'),
      node.parts.map((part) => fb.expression(part)),
      node.span,
    )
  );
}
