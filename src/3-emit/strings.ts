// Strings: a JS string with what is known of it beside it. Constants are imports of the engine's string
// constants, wrapped in immutable globals.

import { stringConstantsModule } from '../abi/imports.ts';
import type { Expression } from '../2-check/typed-tree.ts';
import { branchOnNonNull, externString, referenceTo } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import { emitElementText } from './derived.ts';
import { emitExpression } from './expressions.ts';
import type { FunctionBuilder } from './function-builder.ts';

const stringType = { kind: 'string' } as const;

/** Engines refuse longer names of imports, and a constant's name is its text. */
const longestConstant = 30_000;

/** A new string struct around a JS string that is not null; `length` in characters, -1 where unknown. */
export function wrapText(emitter: Emitter, text: ExpressionRef, length = emitter.module.i32.const(-1)): ExpressionRef {
  const m = emitter.module;
  const points = m.ref.null(emitter.types.wasmType({ kind: 'points' }));
  return m.struct.new([text, points, length], emitter.types.heapType(stringType));
}

/** The string of a literal: a global, or for text that cannot be a name its units. */
export function emitStringConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  if (value.length > longestConstant || value.includes('\0')) return emitLongConstant(emitter, value);
  const name = `$text:${value}`;
  const type = referenceTo(emitter.types.heapType(stringType), false);
  emitter.declare(name, () => m.addGlobal(name, type, false, wrapConstant(emitter, value)));
  return m.global.get(name, type);
}

/** Sets up string constants as first values of globals. */
export function prepareStringConstants(emitter: Emitter): void {
  emitter.stringGlobalInitialiser = (value) => wrapConstant(emitter, value);
}

function wrapConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  const name = `$constant:${value}`;
  emitter.declare(name, () => m.addGlobalImport(name, stringConstantsModule, value, externString));
  return wrapText(emitter, m.global.get(name, externString), m.i32.const([...value].length));
}

/** Long text, and text with NUL in it: pieces joined where it stands. */
function emitLongConstant(emitter: Emitter, value: string): ExpressionRef {
  const m = emitter.module;
  const pieces = value.split(/(\0)/).flatMap((piece) => piece.match(new RegExp(`[^]{1,${longestConstant}}`, 'gu')) ?? []);
  const texts = pieces.map((piece) => {
    if (piece === '\0') return emitter.callStringBuiltin('fromCharCode', [m.i32.const(0)]);
    const name = `$constant:${piece}`;
    emitter.declare(name, () => m.addGlobalImport(name, stringConstantsModule, piece, externString));
    return m.global.get(name, externString);
  });
  const text = texts.reduce((joined, piece) => emitter.callStringBuiltin('concat', [joined, piece]));
  return wrapText(emitter, text, m.i32.const([...value].length));
}

/** A value as a template shows it. */
export function emitToText(fb: FunctionBuilder, node: Expression & { readonly kind: 'to-text' }): ExpressionRef {
  const m = fb.module;
  const type = fb.resolve(node.operand.type);
  const value = emitExpression(fb, node.operand);
  if (type.kind !== 'string') return emitElementText(fb, type, value, 'plain', node.span);
  const there = fb.newLabel('text');
  const result = referenceTo(fb.emitter.types.heapType(stringType), false);
  return m.block(there, [branchOnNonNull(m, there, value), emitStringConstant(fb.emitter, 'null')], result);
}

/** Texts joined from left to right. */
export function emitConcat(fb: FunctionBuilder, node: Expression & { readonly kind: 'concat' }): ExpressionRef {
  const join = fb.emitter.requestPrelude('concatTexts');
  return node.parts
    .map((part) => emitExpression(fb, part))
    .reduce((joined, part) => fb.call(join, [joined, part], node.span));
}

