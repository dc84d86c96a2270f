// Templates: values as text, and the joining of texts.

import type { Expression } from '../mir/mir.ts';
import { branchOnNonNull, referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { stringType } from '../language/types.ts';
import { emitElementText } from './derived.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitStringConstant } from './strings.ts';

/** The text of a value in a template. */
export function emitToText(fb: FunctionBuilder, node: Expression & { readonly kind: 'to-text' }): ExpressionRef {
  const m = fb.module;
  const type = fb.resolve(node.operand.type);
  const value = fb.expression(node.operand);
  if (type.kind !== 'string') return emitElementText(fb, type, value, 'plain', node.span);
  const there = fb.newLabel('text');
  const result = referenceTo(fb.emitter.types.heapType({ kind: 'string' }), false);
  return m.block(there, [branchOnNonNull(m, there, value), emitStringConstant(fb.emitter, 'null')], result);
}

/** The most texts that are evaluated before the first two are joined; each of them needs a wasm local. */
const mostTexts = 64;

/** Joins texts from left to right, two at a time. */
export function emitConcat(
  fb: FunctionBuilder,
  { parts, span }: Expression & { readonly kind: 'concat' },
): ExpressionRef {
  const m = fb.module;
  const join = (one: ExpressionRef, other: ExpressionRef): ExpressionRef =>
    fb.call(fb.emitter.requestPrelude('concatTexts'), [one, other], span);
  if (parts.length === 2) return join(fb.expression(parts[0]!), fb.expression(parts[1]!));
  const type = fb.wasmType(stringType);
  const locals = parts.slice(0, mostTexts).map(() => fb.newLocal(type));
  const whole = fb.newLocal(type);
  const read = (local: number): ExpressionRef => m.local.get(local, type);
  const code: ExpressionRef[] = [];
  for (let at = 0; at < parts.length; at += mostTexts) {
    const texts = parts.slice(at, at + mostTexts);
    code.push(...texts.map((part, index) => m.local.set(locals[index]!, fb.expression(part))));
    texts.forEach((_, index) => {
      const text = read(locals[index]!);
      code.push(m.local.set(whole, at + index === 0 ? text : join(read(whole), text)));
    });
  }
  return m.block(null, [...code, read(whole)], type);
}
