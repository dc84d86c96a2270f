// Functions that are generated for a struct: conversion to JSON text, to and from the host, to and from json. They are
// built as Mir, and only for the structs that need them.

import { textPiece } from '../mir/builders.ts';
import type { Expression, Statement } from '../mir/mir.ts';
import type { MirFunction, Local, Struct } from '../mir/program.ts';
import { arrayOf, booleanType, hiddenTypes, intType, jsonType, stringType, voidType } from '../language/types.ts';
import type { StructType, Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import type { Emitter, FunctionInstance } from './emitter.ts';

type Purpose = 'text' | 'write' | 'read' | 'json' | 'cast';

/** The function of a struct for a purpose, built on first use. */
export function requestStructFunction(emitter: Emitter, purpose: Purpose, type: StructType): FunctionInstance {
  const struct = emitter.structs.get(type.id)!;
  return emitter.requestDerived(`$${purpose}:${type.id}`, () => makers[purpose](emitter, struct, type));
}

const makers: Readonly<Record<Purpose, (emitter: Emitter, struct: Struct, type: StructType) => MirFunction>> = {
  /** `string text(S x, int depth) { if (x == null) return "null"; enter(x, depth); return "{\"a\":" + … + "}"; }` */
  text: (_emitter, struct, type) => {
    const { span } = struct;
    const parts = struct.fields.flatMap((field, index): Expression[] => [
      text(`${index === 0 ? '{' : ','}${JSON.stringify(field.name)}:`, span),
      callNative('jsonText', field.type, [getField(struct, type, index), deeper(span)], stringType, span),
    ]);
    const pieces = [...parts, text('}', span)].map(textPiece);
    const whole: Expression = { kind: 'build-text', pieces, type: stringType, span };
    return walker(`$text:${type.id}`, struct, type, stringType, [
      ifNull(type, span, [{ kind: 'return', value: text('null', span), span }]),
      evaluate(enter(type, span), span),
      { kind: 'return', value: whole, span },
    ]);
  },

  /**
   * `void write(S x, int depth) { if (x == null) { writeNull(); return; } enter(x, depth); beginStruct(i); … end(); }`
   */
  write: (emitter, struct, type) => {
    const { span } = struct;
    const index: Expression = { kind: 'int', value: BigInt(emitter.structIndex(struct.id)), type: intType, span };
    const fields = struct.fields.map((field, at) =>
      evaluate(callNative('write', field.type, [getField(struct, type, at), deeper(span)], voidType, span), span),
    );
    return walker(`$write:${type.id}`, struct, type, voidType, [
      ifNull(type, span, [
        evaluate(callNative('writeNull', null, [], voidType, span), span),
        { kind: 'return', value: null, span },
      ]),
      evaluate(enter(type, span), span),
      evaluate(callNative('beginStruct', null, [index], voidType, span), span),
      ...fields,
      evaluate(callNative('end', null, [], voidType, span), span),
    ]);
  },

  /**
   * `json json(S x, int depth) { if (x == null) return null; enter(x, depth); o = newObject(n); appendMember(o, "a",
   * …); return o; }`
   */
  json: (_emitter, struct, type) => {
    const { span } = struct;
    const object: Expression = { kind: 'get-local', local: 2, type: jsonObject, span };
    const count: Expression = { kind: 'int', value: BigInt(struct.fields.length), type: intType, span };
    const members = struct.fields.map((field, at) => {
      const value = callNative('toJson', field.type, [getField(struct, type, at), deeper(span)], jsonType, span);
      return evaluate(callPrelude('appendMember', [object, text(field.name, span), value], null, voidType, span), span);
    });
    return walker(
      `$json:${type.id}`,
      struct,
      type,
      jsonType,
      [
        ifNull(type, span, [{ kind: 'return', value: { kind: 'null', type: jsonType, span }, span }]),
        evaluate(enter(type, span), span),
        { kind: 'set-local', local: 2, value: callPrelude('newObject', [count], null, jsonObject, span), span },
        ...members,
        { kind: 'return', value: callNative('ofObject', null, [object], jsonType, span), span },
      ],
      [{ name: 'o', type: jsonObject, origin: 'temporary' }],
    );
  },

  /**
   * `S cast(json x, int depth) { if (x == null) return null; o = objectToCast(x, "S", depth); return { a: castField(o,
   * "a", depth), … }; }`
   */
  cast: (_emitter, struct, type) => {
    const { span } = struct;
    const object: Expression = { kind: 'get-local', local: 2, type: jsonObject, span };
    const fields = struct.fields.map((field, at) => {
      const like: Expression = { kind: 'null', type: arrayOf(field.type), span };
      return {
        field: at,
        value: callPrelude(
          'castField',
          [object, text(field.name, span), getDepth(span), like],
          field.type,
          field.type,
          span,
        ),
      };
    });
    const found = callPrelude(
      'objectToCast',
      [getSelf(jsonType, span), text(struct.name, span), getDepth(span)],
      null,
      jsonObject,
      span,
    );
    return walker(
      `$cast:${type.id}`,
      struct,
      jsonType,
      type,
      [
        ifNull(jsonType, span, [{ kind: 'return', value: { kind: 'null', type, span }, span }]),
        { kind: 'set-local', local: 2, value: found, span },
        { kind: 'return', value: { kind: 'struct-literal', struct: struct.id, fields, type, span }, span },
      ],
      [{ name: 'o', type: jsonObject, origin: 'temporary' }],
    );
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
      id: `$read:${type.id}`,
      name: '',
      parameters: [],
      locals: [],
      returns: type,
      generic: false,
      span,
      body: [
        {
          kind: 'if',
          arms: [{ condition: isNull, then: [{ kind: 'return', value: { kind: 'null', type, span }, span }] }],
          otherwise: [],
          span,
        },
        { kind: 'return', value: made, span },
      ],
    };
  },
};

const jsonObject = hiddenTypes.get('JsonObject')!;

/** A function of a value and a depth. */
function walker(
  id: string,
  struct: Struct,
  type: Type,
  returns: Type,
  body: readonly Statement[],
  others: readonly Local[] = [],
): MirFunction {
  const locals: Local[] = [
    { name: 'x', type, origin: 'temporary' },
    { name: 'depth', type: intType, origin: 'temporary' },
    ...others,
  ];
  const parameters = [
    { local: 0, initialiser: null },
    { local: 1, initialiser: null },
  ];
  return { id, name: '', parameters, locals, returns, body, generic: false, span: struct.span };
}

function getSelf(type: Type, span: Span): Expression {
  return { kind: 'get-local', local: 0, type, span };
}

function getField(struct: Struct, type: StructType, field: number): Expression {
  const { span } = struct;
  return {
    kind: 'get-field',
    object: getSelf(type, span),
    struct: struct.id,
    field,
    type: struct.fields[field]!.type,
    span,
  };
}

function getDepth(span: Span): Expression {
  return { kind: 'get-local', local: 1, type: intType, span };
}

function deeper(span: Span): Expression {
  const one: Expression = { kind: 'int', value: 1n, type: intType, span };
  return { kind: 'operate', operator: '+(int,int)', operands: [getDepth(span), one], type: intType, span };
}

function ifNull(type: Type, span: Span, then: readonly Statement[]): Statement {
  const condition: Expression = { kind: 'is-null', operand: getSelf(type, span), type: booleanType, span };
  return { kind: 'if', arms: [{ condition, then }], otherwise: [], span };
}

function enter(type: StructType, span: Span): Expression {
  return callPrelude('enterValue', [getSelf(type, span), getDepth(span)], type, voidType, span);
}

function evaluate(expression: Expression, span: Span): Statement {
  return { kind: 'evaluate', expression, span };
}

function text(value: string, span: Span): Expression {
  return { kind: 'string', value, type: stringType, span };
}

function callNative(
  name: string,
  typeArgument: Type | null,
  operands: readonly Expression[],
  type: Type,
  span: Span,
): Expression {
  return { kind: 'library-call', function: `Native.${name}`, arguments: operands, typeArgument, type, span };
}

function callPrelude(
  name: string,
  operands: readonly Expression[],
  typeArgument: Type | null,
  type: Type,
  span: Span,
): Expression {
  return { kind: 'call', function: `prelude#${name}`, arguments: operands, typeArgument, type, span };
}
