// Strings: a JS string together with cached facts about it. Constants are imports of the engine's string constants,
// wrapped in immutable globals.

import { stringConstantsModule } from '../abi/imports.ts';
import { eqref, externref, externString, referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { stringFields } from './heap-types.ts';

const stringType = { kind: 'string' } as const;

/** Engines limit the length of import names, and the name of a string constant is its text. */
const longestConstant = 30_000;

/** A new string struct for a JS string that is not null. The measure is -1 if it is unknown; the hash is 0: unknown. */
export function wrapText(emitter: Emitter, text: ExpressionRef, measure = emitter.module.i32.const(-1)): ExpressionRef {
  const m = emitter.module;
  return m.struct.new([text, m.ref.null(eqref), measure, m.i32.const(0)], emitter.types.heapType(stringType));
}

/** The string of a literal: a global, or its code units if the text cannot be an import name. */
export function emitStringConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  if (value.length > longestConstant || value.includes('\0')) return emitLongConstant(emitter, value);
  const name = `$text:${value}`;
  const type = referenceTo(emitter.types.heapType(stringType), false);
  emitter.declare(name, () => m.addGlobal(name, type, false, wrapConstant(emitter, value)));
  return m.global.get(name, type);
}

/**
 * The measure of a text: its length if each character is one code unit, -2 - length otherwise. So one comparison of a
 * position with the measure tests both that the position is in range and that it is the index of a code unit too.
 */
function measureOf(value: string): number {
  const length = [...value].length;
  return length === value.length ? length : -2 - length;
}

/** A string as the initial value of a global; its text must be valid as an import name. */
export function wrapConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  const name = `$constant:${value}`;
  emitter.declare(name, () => m.addGlobalImport(name, stringConstantsModule, value, externString));
  return wrapText(emitter, m.global.get(name, externString), m.i32.const(measureOf(value)));
}

/** A long text, or a text with NUL: its pieces are joined where the literal is evaluated. */
function emitLongConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  const pieces = value
    .split(/(\0)/)
    .flatMap((piece) => piece.match(new RegExp(`[^]{1,${longestConstant}}`, 'gu')) ?? []);
  const texts = pieces.map((piece) => {
    if (piece === '\0') return emitter.callStringBuiltin('fromCharCode', [m.i32.const(0)]);
    const name = `$constant:${piece}`;
    emitter.declare(name, () => m.addGlobalImport(name, stringConstantsModule, piece, externString));
    return m.global.get(name, externString);
  });
  const text = texts.reduce((joined, piece) => emitter.callStringBuiltin('concat', [joined, piece]));
  return wrapText(emitter, text, m.i32.const(measureOf(value)));
}

/** The JS string inside a string that is not null. */
export function emitText(fb: FunctionBuilder, string: ExpressionRef): ExpressionRef {
  return fb.module.struct.get(stringFields.text, string, externString, false);
}

/** A JS string or null from the host, as a string of the language. */
export function emitTextFromHost(fb: FunctionBuilder, text: ExpressionRef): ExpressionRef {
  const m = fb.module;
  const string = fb.emitter.types.heapType({ kind: 'string' });
  const { first, read } = fb.tee(text, externref);
  return m.if(
    m.ref.is_null(first),
    m.ref.null(referenceTo(string, true)),
    wrapText(fb.emitter, m.ref.as_non_null(read())),
  );
}

/** Passes the JS string of a string, or a null reference, to `use`. */
export function emitTextOrNull(
  fb: FunctionBuilder,
  value: ExpressionRef,
  use: (text: ExpressionRef) => ExpressionRef,
): ExpressionRef {
  const m = fb.module;
  const type = fb.emitter.types.wasmType(stringType);
  const { first, read } = fb.tee(value, type);
  return use(m.if(m.ref.is_null(first), m.ref.null(externref), emitText(fb, read())));
}
