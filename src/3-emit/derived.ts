// What follows from a type: its values as JSON text, to the host and from the host, and their equality.
// For a struct these are functions made as typed trees, one for each struct that is used so; arrays
// have generic functions in the prelude.

import type { CheckedFunction, Expression, Local, Statement, Struct } from '../2-check/typed-tree.ts';
import { deepestValue } from '../abi/values.ts';
import { arrayOf, booleanType, intType, stringType, voidType } from '../language/types.ts';
import type { StructType, Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { createTypeBuilder, eqref, none, notPacked, referenceTo } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitTextOrNull } from './strings.ts';

/**
 * The text of a value: as it stands in a template (`plain`), or inside JSON at a depth, where texts are
 * quoted and NaN is null.
 */
export function emitElementText(fb: FunctionBuilder, type: Type, value: ExpressionRef, depth: ExpressionRef | 'plain', span: Span): ExpressionRef {
  const m = fb.module;
  const plain = depth === 'plain';
  const inside = plain ? m.i64.const(0n) : depth;
  const callPrelude = (name: string, operands: readonly ExpressionRef[], typeArgument: Type | null = null): ExpressionRef =>
    fb.call(fb.emitter.requestPrelude(name, typeArgument), operands, span);
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
    default:
      throw new Error(`no text of ${type.kind}`);
  }
}

/** Writes a value to the host. */
export function emitElementWrite(fb: FunctionBuilder, type: Type, value: ExpressionRef, depth: ExpressionRef, span: Span): ExpressionRef {
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
      return fb.call(fb.emitter.requestPrelude('writeArray', type.element), [value, depth], span);
    case 'struct':
      return fb.call(requestStructFunction(fb.emitter, 'write', type), [value, depth], span);
    default:
      throw new Error(`no value of ${type.kind} goes to the host`);
  }
}

/** Reads a value of the type from the host. */
export function emitElementRead(fb: FunctionBuilder, type: Type, span: Span): ExpressionRef {
  const m = fb.module;
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
      return fb.call(fb.emitter.requestPrelude('readArray', type.element), [m.ref.null(fb.emitter.types.wasmType(type))], span);
    case 'struct':
      return fb.call(requestStructFunction(fb.emitter, 'read', type), [], span);
    default:
      throw new Error(`no value of ${type.kind} comes from the host`);
  }
}

/** `a == b` for two values of the type. */
export function emitElementEqual(fb: FunctionBuilder, type: Type, a: ExpressionRef, b: ExpressionRef, span: Span): ExpressionRef {
  const m = fb.module;
  switch (type.kind) {
    case 'int':
      return m.i64.eq(a, b);
    case 'double':
      return m.f64.eq(a, b);
    case 'boolean':
      return m.i32.eq(a, b);
    case 'string':
      return fb.call(fb.emitter.requestPrelude('textsAreEqual'), [a, b], span);
    case 'struct':
    case 'array':
      return m.ref.eq(a, b);
    default:
      throw new Error(`values of ${type.kind} are not compared`);
  }
}

/** Whether a sorts before b; NaN sorts behind every number. */
export function emitElementLess(fb: FunctionBuilder, type: Type, a: ExpressionRef, b: ExpressionRef, span: Span): ExpressionRef {
  const m = fb.module;
  switch (type.kind) {
    case 'int':
      return m.i64.lt_s(a, b);
    case 'double':
      return fb.call(fb.emitter.requestPrelude('doubleSortsBefore'), [a, b], span);
    case 'string':
      return fb.call(fb.emitter.requestPrelude('textIsBefore'), [a, b], span);
    default:
      throw new Error(`values of ${type.kind} are not sorted`);
  }
}

// Functions of structs

type Purpose = 'text' | 'write' | 'read';

function requestStructFunction(emitter: Emitter, purpose: Purpose, type: StructType) {
  const struct = emitter.structs.get(type.id)!;
  return emitter.requestDerived(`$${purpose}:${type.id}`, () => makers[purpose](emitter, struct, type));
}

const makers: Readonly<Record<Purpose, (emitter: Emitter, struct: Struct, type: StructType) => CheckedFunction>> = {
  /** `string text(S x, int depth) { if (x == null) return "null"; enter(x, depth); return "{\"a\":" + … + "}"; }` */
  text: (_emitter, struct, type) => {
    const { span } = struct;
    const parts = struct.fields.flatMap((field, index): Expression[] => [
      text(`${index === 0 ? '{' : ','}${JSON.stringify(field.name)}:`, span),
      callNative('jsonText', field.type, [getField(struct, type, index), deeper(span)], stringType, span),
    ]);
    const whole: Expression = { kind: 'concat', parts: [...parts, text('}', span)], type: stringType, span };
    return walker(`$text:${type.id}`, struct, type, stringType, [
      ifNull(type, span, [{ kind: 'return', value: text('null', span), span }]),
      evaluate(enter(type, span), span),
      { kind: 'return', value: whole, span },
    ]);
  },

  /** `void write(S x, int depth) { if (x == null) { writeNull(); return; } enter(x, depth); beginStruct(i); … end(); }` */
  write: (emitter, struct, type) => {
    const { span } = struct;
    const index: Expression = { kind: 'int', value: BigInt(emitter.structIndex(struct.id)), type: intType, span };
    const fields = struct.fields.map((field, at) =>
      evaluate(callNative('write', field.type, [getField(struct, type, at), deeper(span)], voidType, span), span));
    return walker(`$write:${type.id}`, struct, type, voidType, [
      ifNull(type, span, [evaluate(callNative('writeNull', null, [], voidType, span), span), { kind: 'return', value: null, span }]),
      evaluate(enter(type, span), span),
      evaluate(callNative('beginStruct', null, [index], voidType, span), span),
      ...fields,
      evaluate(callNative('end', null, [], voidType, span), span),
    ]);
  },

  /** `S read() { if (readNull()) return null; return { a: read(), … }; }` */
  read: (emitter, struct, type) => {
    const { span } = struct;
    emitter.structIndex(struct.id);
    const isNull = callNative('readNull', null, [], booleanType, span);
    const fields = struct.fields.map((field, at) => {
      const like: Expression = { kind: 'null', type: arrayOf(field.type), span };
      return { field: at, value: callNative('read', field.type, [like], field.type, span) };
    });
    const made: Expression = { kind: 'struct-literal', struct: struct.id, fields, type, span };
    return {
      id: `$read:${type.id}`, name: '', parameters: [], locals: [], returns: type, generic: false, span,
      body: [
        { kind: 'if', condition: isNull, then: [{ kind: 'return', value: { kind: 'null', type, span }, span }], otherwise: [], span },
        { kind: 'return', value: made, span },
      ],
    };
  },
};

/** A function of a struct and a depth. */
function walker(id: string, struct: Struct, type: StructType, returns: Type, body: readonly Statement[]): CheckedFunction {
  const locals: Local[] = [{ name: 'x', type }, { name: 'depth', type: intType }];
  const parameters = [{ local: 0, initialiser: null }, { local: 1, initialiser: null }];
  return { id, name: '', parameters, locals, returns, body, generic: false, span: struct.span };
}

function getSelf(type: StructType, span: Span): Expression {
  return { kind: 'get-local', local: 0, type, span };
}

function getField(struct: Struct, type: StructType, field: number): Expression {
  const { span } = struct;
  return { kind: 'get-field', object: getSelf(type, span), struct: struct.id, field, type: struct.fields[field]!.type, span };
}

function getDepth(span: Span): Expression {
  return { kind: 'get-local', local: 1, type: intType, span };
}

function deeper(span: Span): Expression {
  const one: Expression = { kind: 'int', value: 1n, type: intType, span };
  return { kind: 'operate', operator: '+(int,int)', operands: [getDepth(span), one], type: intType, span };
}

function ifNull(type: StructType, span: Span, then: readonly Statement[]): Statement {
  const condition: Expression = { kind: 'is-null', operand: getSelf(type, span), type: booleanType, span };
  return { kind: 'if', condition, then, otherwise: [], span };
}

function enter(type: StructType, span: Span): Expression {
  return {
    kind: 'call', function: 'prelude#enterValue', arguments: [getSelf(type, span), getDepth(span)],
    typeArgument: type, type: voidType, span,
  };
}

function evaluate(expression: Expression, span: Span): Statement {
  return { kind: 'evaluate', expression, span };
}

function text(value: string, span: Span): Expression {
  return { kind: 'string', value, type: stringType, span };
}

function callNative(name: string, typeArgument: Type | null, operands: readonly Expression[], type: Type, span: Span): Expression {
  return { kind: 'library-call', function: `Native.${name}`, arguments: operands, typeArgument, type, span };
}

// What is being walked through, so that an object inside itself is found

const ancestorsGlobal = '$ancestors';

/** `enter` notes an object at a depth, `same` compares those of two depths. */
export function emitAncestors(fb: FunctionBuilder, action: 'enter' | 'same', operands: readonly ExpressionRef[]): ExpressionRef {
  const m = fb.module;
  const { heapType, type } = declareAncestors(fb.emitter);
  const read = (): ExpressionRef => m.ref.as_non_null(m.global.get(ancestorsGlobal, type));
  if (action === 'same') {
    return m.ref.eq(m.array.get(read(), operands[0]!, eqref, false), m.array.get(read(), operands[1]!, eqref, false));
  }
  const make = m.global.set(ancestorsGlobal, m.array.new_default(heapType, m.i32.const(deepestValue)));
  return m.block(null, [
    m.if(m.ref.is_null(m.global.get(ancestorsGlobal, type)), make),
    m.array.set(read(), operands[1]!, operands[0]!),
  ], none);
}

function declareAncestors(emitter: Emitter): { heapType: number; type: WasmType } {
  const heapType = emitter.once('ancestors', () => {
    const builder = createTypeBuilder(1);
    builder.setArrayType(0, eqref, notPacked, true);
    return builder.buildAndDispose()[0]!;
  });
  const type = referenceTo(heapType, true);
  emitter.declare(ancestorsGlobal, () => emitter.module.addGlobal(ancestorsGlobal, type, true, emitter.module.ref.null(type)));
  return { heapType, type };
}

