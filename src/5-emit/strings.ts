// Strings: a JS string with what is known of it beside it. Constants are imports of the engine's string
// constants, wrapped in immutable globals.

import { stringConstantsModule } from '../abi/imports.ts';
import { eqref, externref, externString, referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { stringFields } from './heap-types.ts';

const stringType = { kind: 'string' } as const;

/** Engines refuse longer names of imports, and a constant's name is its text. */
const longestConstant = 30_000;

/** A new string struct around a JS string that is not null; the measure is -1 where unknown, the hash 0. */
export function wrapText(emitter: Emitter, text: ExpressionRef, measure = emitter.module.i32.const(-1)): ExpressionRef {
  const m = emitter.module;
  return m.struct.new([text, m.ref.null(eqref), measure, m.i32.const(0)], emitter.types.heapType(stringType));
}

/** The string of a literal: a global, or for text that cannot be a name its code units. */
export function emitStringConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  if (value.length > longestConstant || value.includes('\0')) return emitLongConstant(emitter, value);
  const name = `$text:${value}`;
  const type = referenceTo(emitter.types.heapType(stringType), false);
  emitter.declare(name, () => m.addGlobal(name, type, false, wrapConstant(emitter, value)));
  return m.global.get(name, type);
}

/**
 * What is noted of a text: its length where characters and code units are the same, -2 - length otherwise. So one
 * comparison tells both that a position is in range and that it is the position of a code unit.
 */
function measureOf(value: string): number {
  const length = [...value].length;
  return length === value.length ? length : -2 - length;
}

/** A string that a global can hold from the start; its text must do as the name of an import. */
export function wrapConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  const name = `$constant:${value}`;
  emitter.declare(name, () => m.addGlobalImport(name, stringConstantsModule, value, externString));
  return wrapText(emitter, m.global.get(name, externString), m.i32.const(measureOf(value)));
}

/** Long text, and text with NUL in it: pieces joined where it stands. */
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

/** The JS string of a string or a null reference, handed to `use`. */
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
