// Intrinsics of json: the kind of a value, its content, and arrays of slots. Only the prelude uses them, so they do not
// check their operands.
//
// An i31 holds an int of 30 bits or a double: the lowest bit says which. The double is the upper 30 bits, divided by
// `fractions`; this quotient, correctly rounded, is the double of every decimal with up to three digits behind the
// point. Any other number is in a box.

import type { Expression } from '../mir/mir.ts';
import { hiddenTypes, jsonType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { emitNewRow } from './allocation.ts';
import { eqref, f64, i32, i64, referenceTo, smallInt, wrap } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { emitElementCast, emitElementToJson } from './derived.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitTextOrNull } from './strings.ts';

export interface CallSite {
  readonly node: Expression;
  /** The type that replaces `T`, if the row of the library is generic. */
  readonly typeArgument: Type | null;
}

export type Intrinsic = (fb: FunctionBuilder, operands: readonly ExpressionRef[], site: CallSite) => ExpressionRef;

/** What the first slots of a json object hold (prelude/json-objects.slu). */
const objectSlots = { shape: 0, more: 1 } as const;

const slots = { kind: 'slots' } as const;
const list: Type = { kind: 'array', element: jsonType };
const jsonShape = hiddenTypes.get('JsonShape')!;

export const jsonIntrinsics: Readonly<Record<string, Intrinsic>> = {
  'json.isBoolean': (fb, [j]) => fb.module.ref.test(j!, boxed(fb, 'boxed-boolean')),
  'json.isInt': (fb, [j]) => fb.reuse(j!, eqref, (read) => emitIsNumber(fb, read, 'boxed-int'), i32),
  'json.isDouble': (fb, [j]) => fb.reuse(j!, eqref, (read) => emitIsNumber(fb, read, 'boxed-double'), i32),
  'json.isText': (fb, [j]) => fb.module.ref.test(j!, reference(fb, { kind: 'string' })),
  'json.isList': (fb, [j]) => fb.module.ref.test(j!, reference(fb, list)),
  'json.isObject': (fb, [j]) => fb.module.ref.test(j!, reference(fb, slots)),

  'json.booleanIn': (fb, [j]) =>
    fb.module.struct.get(0, fb.module.ref.cast(j!, boxed(fb, 'boxed-boolean')), i32, false),
  'json.intIn': (fb, [j]) => fb.reuse(j!, eqref, (read) => emitIntIn(fb, read), i64),
  'json.doubleIn': (fb, [j]) => fb.reuse(j!, eqref, (read) => emitDoubleIn(fb, read), f64),
  'json.textIn': (fb, [j]) => fb.module.ref.cast(j!, reference(fb, { kind: 'string' })),
  'json.listIn': (fb, [j]) => fb.module.ref.cast(j!, reference(fb, list)),
  'json.objectIn': (fb, [j]) => fb.module.ref.cast(j!, reference(fb, slots)),

  'json.ofBoolean': (fb, [x]) => emitBoolean(fb, x!),
  'json.ofInt': (fb, [x]) => fb.reuse(x!, i64, (read) => emitInt(fb, read), eqref),
  'json.ofDouble': (fb, [x]) => fb.reuse(x!, f64, (read) => emitDouble(fb, read), eqref),
  'json.ofReference': (_fb, [x]) => x!,
  'json.same': (fb, [a, b]) => fb.module.ref.eq(a!, b!),
  'element.toJson': (fb, [x, depth], { node, typeArgument }) =>
    emitElementToJson(fb, typeArgument!, x!, depth!, node.span),
  'element.cast': (fb, [j, depth], { node, typeArgument }) => emitElementCast(fb, typeArgument!, j!, depth!, node.span),

  'slots.new': (fb, [n], { node }) => emitNewRow(fb, n!, slots, node.span),
  'slots.count': (fb, [c]) => fb.module.i64.extend_u(fb.module.array.len(c!)),
  'slots.get': (fb, [c, at]) => fb.module.array.get(c!, wrap(fb.module, at!), eqref, false),
  'slots.set': (fb, [c, at, j]) => fb.module.array.set(c!, wrap(fb.module, at!), j!),
  'slots.move': (fb, [to, at, from, start, n]) =>
    fb.module.array.copy(to!, wrap(fb.module, at!), from!, wrap(fb.module, start!), wrap(fb.module, n!)),
  'slots.list': (fb, [c, n]) =>
    fb.module.struct.new([fb.module.ref.as_non_null(c!), wrap(fb.module, n!)], fb.emitter.types.heapType(list)),

  'object.shape': (fb, [o]) => fb.module.ref.cast(emitSlot(fb, o!, objectSlots.shape), reference(fb, jsonShape)),
  'object.hasShape': (fb, [o, shape]) => fb.module.ref.eq(emitSlot(fb, o!, objectSlots.shape), shape!),
  'object.setShape': (fb, [o, shape]) => fb.module.array.set(o!, fb.module.i32.const(objectSlots.shape), shape!),
  'object.more': (fb, [o]) =>
    fb.module.ref.cast(emitSlot(fb, o!, objectSlots.more), referenceTo(fb.emitter.types.heapType(slots), true)),
  'object.setMore': (fb, [o, more]) => fb.module.array.set(o!, fb.module.i32.const(objectSlots.more), more!),

  'stream.beginObject': (fb, [n]) => fb.emitter.callRuntime('beginObject', [wrap(fb.module, n!)]),
  'stream.writeKey': (fb, [key]) => emitTextOrNull(fb, key!, (text) => fb.emitter.callRuntime('writeKey', [text])),
  'stream.writeInt': (fb, [x]) => fb.emitter.callRuntime('writeJsonInt', [x!]),
  'stream.writeDouble': (fb, [x]) => fb.emitter.callRuntime('writeJsonDouble', [x!]),
  'stream.writeBoolean': (fb, [x]) => fb.emitter.callRuntime('writeBoolean', [x!]),
  'stream.writeText': (fb, [s]) => emitTextOrNull(fb, s!, (text) => fb.emitter.callRuntime('writeString', [text])),
  'stream.readKind': (fb) => fb.module.i64.extend_u(fb.emitter.callRuntime('readKind', [])),
  'stream.readInt': (fb) => fb.emitter.callRuntime('readInt', []),
  'stream.readDouble': (fb) => fb.emitter.callRuntime('readDouble', []),
  'stream.readBoolean': (fb) => fb.emitter.callRuntime('readBoolean', []),
};

function emitSlot(fb: FunctionBuilder, row: ExpressionRef, at: number): ExpressionRef {
  return fb.module.array.get(row, fb.module.i32.const(at), eqref, false);
}

function boxed(fb: FunctionBuilder, box: 'boxed-int' | 'boxed-double' | 'boxed-boolean'): WasmType {
  return referenceTo(fb.emitter.types.boxType(box), false);
}

function reference(fb: FunctionBuilder, type: Type): WasmType {
  return referenceTo(fb.emitter.types.heapType(type), false);
}

/** What a double in an i31 is divided by. */
const fractions = 1000;

/** Ints of this many bits, and as many of a double, are in an i31. */
const smallBits = 30;

/** The 31 bits of a small number. */
function emitSmall(fb: FunctionBuilder, read: () => ExpressionRef): ExpressionRef {
  return fb.module.i31.get_s(fb.module.ref.cast(read(), smallInt));
}

function emitIsNumber(
  fb: FunctionBuilder,
  read: () => ExpressionRef,
  box: 'boxed-int' | 'boxed-double',
): ExpressionRef {
  const m = fb.module;
  const isSmall = m.ref.test(read(), smallInt);
  const lowest = m.i32.and(emitSmall(fb, read), m.i32.const(1));
  return m.if(isSmall, box === 'boxed-int' ? m.i32.eqz(lowest) : lowest, m.ref.test(read(), boxed(fb, box)));
}

function emitIntIn(fb: FunctionBuilder, read: () => ExpressionRef): ExpressionRef {
  const m = fb.module;
  return m.if(
    m.ref.test(read(), smallInt),
    m.i64.extend_s(m.i32.shr_s(emitSmall(fb, read), m.i32.const(1))),
    m.struct.get(0, m.ref.cast(read(), boxed(fb, 'boxed-int')), i64, false),
  );
}

function emitDoubleIn(fb: FunctionBuilder, read: () => ExpressionRef): ExpressionRef {
  const m = fb.module;
  return m.if(
    m.ref.test(read(), smallInt),
    emitFraction(fb, m.i32.shr_s(emitSmall(fb, read), m.i32.const(1))),
    m.struct.get(0, m.ref.cast(read(), boxed(fb, 'boxed-double')), f64, false),
  );
}

function emitFraction(fb: FunctionBuilder, count: ExpressionRef): ExpressionRef {
  return fb.module.f64.div(fb.module.f64.convert_s.i32(count), fb.module.f64.const(fractions));
}

/** An int as json: an i31 if wrapping it to the bits of a small number does not change it, otherwise a box. */
function emitInt(fb: FunctionBuilder, read: () => ExpressionRef): ExpressionRef {
  const m = fb.module;
  const spare = (): ExpressionRef => m.i64.const(BigInt(64 - smallBits));
  const isSmall = m.i64.eq(m.i64.shr_s(m.i64.shl(read(), spare()), spare()), read());
  return m.if(
    isSmall,
    m.ref.i31(m.i32.shl(wrap(m, read()), m.i32.const(1))),
    m.struct.new([read()], fb.emitter.types.boxType('boxed-int')),
  );
}

/**
 * A double as json: an i31 if its bits come back from there, otherwise a box. Bits are compared, since -0.0 and NaN need
 * a box.
 */
function emitDouble(fb: FunctionBuilder, read: () => ExpressionRef): ExpressionRef {
  const m = fb.module;
  const spare = (): ExpressionRef => m.i32.const(32 - smallBits);
  const count = fb.tee(m.i32.trunc_s_sat.f64(m.f64.nearest(m.f64.mul(read(), m.f64.const(fractions)))), i32);
  const isSmall = m.i64.eq(
    m.i64.reinterpret(emitFraction(fb, m.i32.shr_s(m.i32.shl(count.first, spare()), spare()))),
    m.i64.reinterpret(read()),
  );
  return m.if(
    isSmall,
    m.ref.i31(m.i32.or(m.i32.shl(count.read(), m.i32.const(1)), m.i32.const(1))),
    m.struct.new([read()], fb.emitter.types.boxType('boxed-double')),
  );
}

/** There is a single object for true and one for false. */
function emitBoolean(fb: FunctionBuilder, value: ExpressionRef): ExpressionRef {
  const m = fb.module;
  const type = boxed(fb, 'boxed-boolean');
  const constant = (name: string, hoisted: number): ExpressionRef => {
    fb.emitter.declare(name, () =>
      m.addGlobal(name, type, false, m.struct.new([m.i32.const(hoisted)], fb.emitter.types.boxType('boxed-boolean'))),
    );
    return m.global.get(name, type);
  };
  return m.if(value, constant('$true', 1), constant('$false', 0));
}
