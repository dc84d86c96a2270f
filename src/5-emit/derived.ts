// Operations derived from a type: conversion of its values to JSON text, to and from the host, to and from json, their
// equality and their order. Structs have generated functions (derived-structs.ts); arrays and json use functions of the
// prelude.

import { deepestValue } from '../abi/nesting.ts';
import { isValueType } from '../language/types.ts';
import type { Type, ValueType } from '../language/types.ts';
import type { Span } from '../source.ts';
import { createTypeBuilder, eqref, i32, none, notPacked, referenceTo } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { requestStructFunction } from './derived-structs.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { isStaged } from './staging.ts';
import { emitTextOrNull } from './strings.ts';

/** Excludes types without values, for which these operations do not exist. */
export function requireValue(type: Type): asserts type is ValueType {
  if (!isValueType(type)) throw new Error(`there are no values of the type ${type.kind}`);
}

/**
 * The text of a value: either its form in a template (`plain`), or its JSON at a depth, where texts are quoted and NaN
 * is null.
 */
export function emitElementText(
  fb: FunctionBuilder,
  type: Type,
  value: ExpressionRef,
  depth: ExpressionRef | 'plain',
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const plain = depth === 'plain';
  const inside = plain ? m.i64.const(0n) : depth;
  const callPrelude = (
    name: string,
    operands: readonly ExpressionRef[],
    typeArgument: Type | null = null,
  ): ExpressionRef => fb.call(fb.emitter.requestPrelude(name, typeArgument), operands, span);
  requireValue(type);
  switch (type.kind) {
    case 'int':
      return callPrelude('intToText', [value]);
    case 'double':
      return callPrelude(plain ? 'doubleToText' : 'doubleToJson', [value]);
    case 'boolean':
      return callPrelude('booleanToText', [value]);
    case 'string':
      return callPrelude('textToJson', [value]);
    case 'array':
      return callPrelude('arrayToJson', [value, inside], type.element);
    case 'struct':
      return fb.call(requestStructFunction(fb.emitter, 'text', type), [value, inside], span);
    case 'json':
      return plain ? callPrelude('jsonToText', [value]) : callPrelude('jsonInside', [value, inside]);
  }
}

/** Writes a value to the host. */
export function emitElementWrite(
  fb: FunctionBuilder,
  type: Type,
  value: ExpressionRef,
  depth: ExpressionRef,
  span: Span,
): ExpressionRef {
  requireValue(type);
  switch (type.kind) {
    case 'int':
      return fb.emitter.callRuntime('writeInt', [value]);
    case 'double':
      return fb.emitter.callRuntime('writeDouble', [value]);
    case 'boolean':
      return fb.emitter.callRuntime('writeBoolean', [value]);
    case 'string':
      return emitTextOrNull(fb, value, (text) => fb.emitter.callRuntime('writeString', [text]));
    case 'array':
      return fb.call(
        fb.emitter.requestPrelude(isStaged(type.element) ? 'writeNumbers' : 'writeArray', type.element),
        [value, depth],
        span,
      );
    case 'struct':
      return fb.call(requestStructFunction(fb.emitter, 'write', type), [value, depth], span);
    case 'json':
      return fb.call(fb.emitter.requestPrelude('writeJson'), [value, depth], span);
  }
}

/** Reads a value of the type from the host. */
export function emitElementRead(fb: FunctionBuilder, type: Type, span: Span): ExpressionRef {
  const m = fb.module;
  requireValue(type);
  switch (type.kind) {
    case 'int':
      return fb.emitter.callRuntime('readInt', []);
    case 'double':
      return fb.emitter.callRuntime('readDouble', []);
    case 'boolean':
      return fb.emitter.callRuntime('readBoolean', []);
    case 'string':
      return fb.call(fb.emitter.requestPrelude('readText'), [], span);
    case 'array':
      return fb.call(
        fb.emitter.requestPrelude(isStaged(type.element) ? 'readNumbers' : 'readArray', type.element),
        [m.ref.null(fb.emitter.types.wasmType(type))],
        span,
      );
    case 'struct':
      return fb.call(requestStructFunction(fb.emitter, 'read', type), [], span);
    case 'json':
      return fb.call(fb.emitter.requestPrelude('readJson'), [], span);
  }
}

/** A value as json, which is a deep copy. */
export function emitElementToJson(
  fb: FunctionBuilder,
  type: Type,
  value: ExpressionRef,
  depth: ExpressionRef,
  span: Span,
): ExpressionRef {
  requireValue(type);
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'boolean':
      return fb.call(fb.emitter.requestPrelude(scalarsToJson[type.kind]), [value], span);
    case 'string':
      return value;
    case 'json':
      return fb.call(fb.emitter.requestPrelude('copyInside'), [value, depth], span);
    case 'array':
      return fb.call(fb.emitter.requestPrelude('arrayToJsonValue', type.element), [value, depth], span);
    case 'struct':
      return fb.call(requestStructFunction(fb.emitter, 'json', type), [value, depth], span);
  }
}

const scalarsToJson = { int: 'intToJsonValue', double: 'doubleToJsonValue', boolean: 'booleanToJsonValue' } as const;

/** A json as a value of the type, or CastError. */
export function emitElementCast(
  fb: FunctionBuilder,
  type: Type,
  json: ExpressionRef,
  depth: ExpressionRef,
  span: Span,
): ExpressionRef {
  requireValue(type);
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'string':
    case 'json':
      return fb.call(fb.emitter.requestPrelude(scalarCasts[type.kind]), [json, depth], span);
    case 'array': {
      const like = fb.module.ref.null(fb.emitter.types.wasmType(type));
      return fb.call(fb.emitter.requestPrelude('castArray', type.element), [json, depth, like], span);
    }
    case 'struct':
      return fb.call(requestStructFunction(fb.emitter, 'cast', type), [json, depth], span);
  }
}

const scalarCasts = {
  int: 'castInt',
  double: 'castDouble',
  boolean: 'castBoolean',
  string: 'castText',
  json: 'castJson',
} as const;

/** `a == b` for two values of the type. */
export function emitElementEqual(
  fb: FunctionBuilder,
  type: Type,
  a: ExpressionRef,
  b: ExpressionRef,
  span: Span,
): ExpressionRef {
  const m = fb.module;
  requireValue(type);
  switch (type.kind) {
    case 'int':
      return m.i64.eq(a, b);
    case 'double':
      return m.f64.eq(a, b);
    case 'boolean':
      return m.i32.eq(a, b);
    case 'string':
      return fb.call(fb.emitter.requestPrelude('textsAreEqual'), [a, b], span);
    case 'json':
      return fb.call(fb.emitter.requestPrelude('jsonEquals'), [a, b], span);
    case 'struct':
    case 'array':
      return m.ref.eq(a, b);
  }
}

/** Whether a sorts before b; NaN sorts behind every number. */
export function emitElementLess(
  fb: FunctionBuilder,
  type: Type,
  a: ExpressionRef,
  b: ExpressionRef,
  span: Span,
): ExpressionRef {
  const m = fb.module;
  requireValue(type);
  switch (type.kind) {
    case 'int':
      return m.i64.lt_s(a, b);
    case 'double':
      return fb.call(fb.emitter.requestPrelude('doubleSortsBefore'), [a, b], span);
    case 'string':
      return fb.call(fb.emitter.requestPrelude('textIsBefore'), [a, b], span);
    case 'boolean':
    case 'json':
    case 'struct':
    case 'array':
      throw new Error(`values of ${type.kind} are not sorted`);
  }
}

// The objects on the path from the root to the visited one, to detect an object that contains itself.

const ancestorsGlobal = '$ancestors';

/**
 * `enter` stores an object at a depth; `same` compares the objects of two depths, and is false if one has no object.
 */
export function emitAncestors(
  fb: FunctionBuilder,
  action: 'enter' | 'same',
  operands: readonly ExpressionRef[],
): ExpressionRef {
  const m = fb.module;
  const { heapType, type } = declareAncestors(fb.emitter);
  const read = (): ExpressionRef => m.ref.as_non_null(m.global.get(ancestorsGlobal, type));
  if (action === 'same') {
    const local = fb.newLocal(eqref);
    const first = (): ExpressionRef => m.local.get(local, eqref);
    return m.block(
      null,
      [
        m.local.set(local, m.array.get(read(), operands[0]!, eqref, false)),
        m.select(
          m.ref.is_null(first()),
          m.i32.const(0),
          m.ref.eq(first(), m.array.get(read(), operands[1]!, eqref, false)),
        ),
      ],
      i32,
    );
  }
  const make = m.global.set(ancestorsGlobal, m.array.new_default(heapType, m.i32.const(deepestValue)));
  return m.block(
    null,
    [m.if(m.ref.is_null(m.global.get(ancestorsGlobal, type)), make), m.array.set(read(), operands[1]!, operands[0]!)],
    none,
  );
}

function declareAncestors(emitter: Emitter): { heapType: number; type: WasmType } {
  const heapType = emitter.once('ancestors', () => {
    const builder = createTypeBuilder(1);
    builder.setArrayType(0, eqref, notPacked, true);
    return builder.buildAndDispose()[0]!;
  });
  const type = referenceTo(heapType, true);
  emitter.declare(ancestorsGlobal, () =>
    emitter.module.addGlobal(ancestorsGlobal, type, true, emitter.module.ref.null(type)),
  );
  return { heapType, type };
}
