// Assertions of bounds: a build for those who work on the compiler traps at an access that is out of range though no pass
// left it a check. The host calls a trap an internal error, with the place in the script; no clause catches it. Whoever
// loads or stores in another way than through an array of the engine asserts here too.

import type { Span } from '../source.ts';
import { none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';

/** The name is for who reads the module as text. */
const wrong = '$compiler-was-wrong';

/** `if (index >= length) trap`, both of 64 bits and unsigned. */
export function emitAssertInRange(
  fb: FunctionBuilder,
  index: ExpressionRef,
  length: ExpressionRef,
  span: Span,
): ExpressionRef {
  return trapIf(fb, fb.module.i64.ge_u(index, length), span);
}

/** `if (!condition) trap` */
export function emitAssert(fb: FunctionBuilder, condition: ExpressionRef, span: Span): ExpressionRef {
  return trapIf(fb, fb.module.i32.eqz(condition), span);
}

function trapIf(fb: FunctionBuilder, condition: ExpressionRef, span: Span): ExpressionRef {
  const m = fb.module;
  fb.emitter.declare(wrong, () => m.addFunction(wrong, none, none, [], m.unreachable()));
  return m.if(condition, fb.at(span, m.call(wrong, [], none)));
}
