// Intrinsics: operators and library functions that are a few inline instructions. Their operands are evaluated in
// order; the intrinsics that only the prelude uses (text.*, codeUnits.*, offsets.*, array.*) do not test them.

import { elementKinds } from '../abi/imports.ts';
import type { Expression } from '../mir/mir.ts';
import { hiddenTypes } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { bytesOfElement, emitNewRow, emitReserve, emitReserveBytes } from './allocation.ts';
import { eqref, f64, i32, i64, isRepeatable, negate, none, referenceTo, wrap } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { copyRaw, emitStored, fillRaw, storedElement } from './element-storage.ts';
import { emitLength, emitElements, emitLoadElement, emitNewDefault, emitStoreElement, longestArray } from './arrays.ts';
import {
  emitAncestors,
  emitElementEqual,
  emitElementLess,
  emitElementRead,
  emitElementText,
  emitElementWrite,
} from './derived.ts';
import { emitGrant, emitReportUsedFuel, emitLibraryCharge } from './fuel.ts';
import { emitChoice, emitClamp, emitDivide, emitRemainder } from './division.ts';
import { emitFail, emitRaise, emitRaiseRow } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { arrayFields, stringFields } from './heap-types.ts';
import { jsonIntrinsics } from './json-intrinsics.ts';
import type { Intrinsic } from './json-intrinsics.ts';
import { emitStackPointer } from './stack.ts';
import { emitRowBytes } from './stack-arrays.ts';
import { emitStagedRoom, emitStaging } from './staging.ts';
import { emitText, emitTextFromHost, wrapText } from './strings.ts';

const codeUnits = { kind: 'codeUnits' } as const;
const offsets = { kind: 'offsets' } as const;
const textWindow = hiddenTypes.get('TextWindow')!;

export const intrinsics: Readonly<Record<string, Intrinsic>> = {
  ...jsonIntrinsics,

  'int.negate': (fb, [x]) => fb.module.i64.sub(fb.module.i64.const(0n), x!),
  'int.complement': (fb, [x]) => fb.module.i64.xor(x!, fb.module.i64.const(-1n)),
  'int.abs': (fb, [x]) =>
    fb.reuse(
      x!,
      i64,
      (read) =>
        fb.module.select(
          fb.module.i64.lt_s(read(), fb.module.i64.const(0n)),
          fb.module.i64.sub(fb.module.i64.const(0n), read()),
          read(),
        ),
      i64,
    ),
  'int.min': (fb, [a, b]) => emitChoice(fb, a!, b!, (one, other) => fb.module.i64.lt_s(one, other)),
  'int.max': (fb, [a, b]) => emitChoice(fb, a!, b!, (one, other) => fb.module.i64.gt_s(one, other)),
  'int.clamp': (fb, [x, low, high]) => emitClamp(fb, x!, low!, high!, i64),
  'double.clamp': (fb, [x, low, high]) => emitClamp(fb, x!, low!, high!, f64),
  'int.divide': (fb, [a, b], { node }) => emitDivide(fb, a!, b!, node),
  'int.remainder': (fb, [a, b], { node }) => emitRemainder(fb, a!, b!, node),

  'double.isNaN': (fb, [x]) => fb.reuse(x!, f64, (read) => fb.module.f64.ne(read(), read()), i32),
  'double.isFinite': (fb, [x]) => fb.module.f64.lt(fb.module.f64.abs(x!), fb.module.f64.const(Infinity)),
  // Machines and optimisers produce different NaNs; scripts must see a single one.
  'double.toBits': (fb, [x]) =>
    fb.reuse(
      x!,
      f64,
      (read) =>
        fb.module.select(
          fb.module.f64.eq(read(), read()),
          fb.module.i64.reinterpret(read()),
          fb.module.i64.const(0x7ff8_0000_0000_0000n),
        ),
      i64,
    ),
  'double.truncate': (fb, [x], { node }) => emitToInt(fb, x!, node),
  'double.floor': (fb, [x], { node }) => emitToInt(fb, fb.module.f64.floor(x!), node),
  'double.ceil': (fb, [x], { node }) => emitToInt(fb, fb.module.f64.ceil(x!), node),
  'double.round': (fb, [x], { node }) => emitToInt(fb, emitRound(fb, x!), node),

  'text.codeUnitCount': (fb, [s]) => widen(fb, fb.emitter.callStringBuiltin('length', [emitText(fb, s!)])),
  'text.codeUnitAt': (fb, [s, at]) =>
    widen(fb, fb.emitter.callStringBuiltin('charCodeAt', [emitText(fb, s!), cut(fb, at!)])),
  'text.slice': (fb, [s, from, to, length]) =>
    wrapText(
      fb.emitter,
      fb.emitter.callStringBuiltin('substring', [emitText(fb, s!), cut(fb, from!), cut(fb, to!)]),
      cut(fb, length!),
    ),
  'text.join2': (fb, [a, b, length]) =>
    wrapText(
      fb.emitter,
      fb.emitter.callStringBuiltin('concat', [emitText(fb, a!), emitText(fb, b!)]),
      cut(fb, length!),
    ),
  'text.join3': (fb, [a, b, c, length]) => {
    const first = fb.emitter.callStringBuiltin('concat', [emitText(fb, a!), emitText(fb, b!)]);
    return wrapText(fb.emitter, fb.emitter.callStringBuiltin('concat', [first, emitText(fb, c!)]), cut(fb, length!));
  },
  'text.isSame': (fb, [a, b]) => fb.module.ref.eq(a!, b!),
  'text.sameCodeUnits': (fb, [a, b]) => fb.emitter.callStringBuiltin('equals', [emitText(fb, a!), emitText(fb, b!)]),
  'text.compareCodeUnits': (fb, [a, b]) =>
    fb.module.i64.extend_s(fb.emitter.callStringBuiltin('compare', [emitText(fb, a!), emitText(fb, b!)])),
  'text.measure': (fb, [s]) => fb.module.i64.extend_s(fb.module.struct.get(stringFields.measure, s!, i32, false)),
  'text.setMeasure': (fb, [s, length]) => fb.module.struct.set(stringFields.measure, s!, cut(fb, length!)),
  'text.offsetsOf': (fb, [s]) => charactersAs(fb, s!, offsets),
  'text.setOffsets': (fb, [s, p]) => fb.module.struct.set(stringFields.characters, s!, p!),
  'text.codeUnitsOf': (fb, [s]) => charactersAs(fb, s!, codeUnits),
  'text.setCodeUnits': (fb, [s, u]) => fb.module.struct.set(stringFields.characters, s!, u!),
  'text.windowOf': (fb, [s]) => charactersAs(fb, s!, textWindow),
  'text.setWindow': (fb, [s, w]) => fb.module.struct.set(stringFields.characters, s!, w!),
  'text.hash': (fb, [s]) => fb.module.i64.extend_s(fb.module.struct.get(stringFields.hash, s!, i32, false)),
  'text.setHash': (fb, [s, hash]) => fb.module.struct.set(stringFields.hash, s!, cut(fb, hash!)),
  'text.ofCodeUnit': (fb, [codeUnit]) =>
    wrapText(fb.emitter, fb.emitter.callStringBuiltin('fromCharCode', [cut(fb, codeUnit!)]), fb.module.i32.const(1)),
  'text.ofCodeUnits': (fb, [u, from, to, length]) =>
    wrapText(
      fb.emitter,
      fb.emitter.callStringBuiltin('fromCharCodeArray', [u!, cut(fb, from!), cut(fb, to!)]),
      cut(fb, length!),
    ),
  'text.copyCodeUnits': (fb, [s, to, at]) =>
    fb.module.drop(fb.emitter.callStringBuiltin('intoCharCodeArray', [emitText(fb, s!), to!, cut(fb, at!)])),

  'codeUnits.new': (fb, [n], { node }) => emitNewRow(fb, n!, codeUnits, node.span),
  'codeUnits.count': (fb, [u]) => widen(fb, fb.module.array.len(u!)),
  'codeUnits.move': (fb, [to, at, from, start, n]) =>
    fb.module.array.copy(to!, cut(fb, at!), from!, cut(fb, start!), cut(fb, n!)),
  'codeUnits.get': (fb, [u, at]) => widen(fb, fb.module.array.get(u!, cut(fb, at!), i32, false)),
  'codeUnits.set': (fb, [u, at, codeUnit]) => fb.module.array.set(u!, cut(fb, at!), cut(fb, codeUnit!)),
  'offsets.new': (fb, [n], { node }) => emitNewRow(fb, n!, offsets, node.span),
  'offsets.get': (fb, [p, at]) => widen(fb, fb.module.array.get(p!, cut(fb, at!), i32, false)),
  'offsets.set': (fb, [p, at, offset]) => fb.module.array.set(p!, cut(fb, at!), cut(fb, offset!)),

  'offsets.count': (fb, [p]) => widen(fb, fb.module.array.len(p!)),

  'array.longest': (fb, [like], { typeArgument }) => {
    const longest = fb.module.i64.const(longestArray(typeArgument!));
    return isRepeatable(like!) ? longest : fb.module.block(null, [fb.module.drop(like!), longest], i64);
  },
  'memory.top': (fb) =>
    fb.emitter.hasStack ? fb.module.i64.extend_u(emitStackPointer(fb.emitter)) : fb.module.i64.const(0n),
  'array.address': (fb, [a]) => fb.module.i64.extend_u(a!),
  'array.rowBytes': (fb, [a, depth]) => emitRowBytes(fb.emitter, a!, cut(fb, depth!)),
  'array.capacity': (fb, [a], { typeArgument }) => widen(fb, fb.module.array.len(emitElements(fb, a!, typeArgument!))),
  'array.setCapacity': (fb, [a, n], { node, typeArgument }) => emitSetCapacity(fb, a!, n!, typeArgument!, node.span),
  'array.count': (fb, [a], { typeArgument }) => widen(fb, emitLength(fb, a!, typeArgument!)),
  'array.setCount': (fb, [a, n]) => fb.module.struct.set(arrayFields.length, a!, cut(fb, n!)),
  'array.get': (fb, [a, at], { typeArgument }) => emitLoadElement(fb, a!, cut(fb, at!), typeArgument!),
  'array.set': (fb, [a, at, x], { node, typeArgument }) =>
    emitStoreElement(fb, a!, cut(fb, at!), x!, typeArgument!, node.span),
  'array.new': (fb, [like, n], { node, typeArgument }) =>
    fb.reuse(
      n!,
      i64,
      (read) => {
        const made = emitNewDefault(fb, typeArgument!, () => cut(fb, read()), node.span);
        return isRepeatable(like!) ? made : fb.module.block(null, [fb.module.drop(like!), made]);
      },
      fb.emitter.types.wasmType({ kind: 'array', element: typeArgument! }),
    ),
  'array.move': (fb, [to, at, from, start, n], { typeArgument }) =>
    copyRaw(
      fb.emitter,
      [emitElements(fb, to!, typeArgument!), cut(fb, at!)],
      [emitElements(fb, from!, typeArgument!), cut(fb, start!)],
      cut(fb, n!),
      typeArgument!,
    ),
  'array.fillRange': (fb, [a, from, x, n], { node, typeArgument }) =>
    fillRaw(
      fb.emitter,
      [emitElements(fb, a!, typeArgument!), cut(fb, from!)],
      emitStored(fb, x!, typeArgument!, node.span),
      cut(fb, n!),
      typeArgument!,
    ),
  'array.forget': (fb, [a, from, n], { typeArgument }) =>
    fb.module.array.fill(
      emitElements(fb, a!, typeArgument!),
      cut(fb, from!),
      storedElement(fb.module, fb.emitter.zeroOf(typeArgument!), typeArgument!),
      cut(fb, n!),
    ),
  'element.asInt': (_fb, [x]) => x!,
  'element.asDouble': (_fb, [x]) => x!,
  'element.equal': (fb, [a, b], { node, typeArgument }) => emitElementEqual(fb, typeArgument!, a!, b!, node.span),
  'element.less': (fb, [a, b], { node, typeArgument }) => emitElementLess(fb, typeArgument!, a!, b!, node.span),
  'element.jsonText': (fb, [x, depth], { node, typeArgument }) =>
    emitElementText(fb, typeArgument!, x!, depth!, node.span),
  'element.write': (fb, [x, depth], { node, typeArgument }) =>
    emitElementWrite(fb, typeArgument!, x!, depth!, node.span),
  'element.read': (fb, _operands, { node, typeArgument }) => emitElementRead(fb, typeArgument!, node.span),

  'ancestors.enter': (fb, [x, depth]) => emitAncestors(fb, 'enter', [x!, cut(fb, depth!)]),
  'ancestors.same': (fb, [i, j]) => emitAncestors(fb, 'same', [cut(fb, i!), cut(fb, j!)]),

  'stream.writeNull': (fb) => fb.emitter.callRuntime('writeNull', []),
  'stream.beginArray': (fb, [like, n], { typeArgument }) => {
    const { kind: element } = typeArgument!;
    const kind = element === 'int' || element === 'double' || element === 'json' ? element : 'other';
    const begin = fb.emitter.callRuntime('beginArray', [cut(fb, n!), fb.module.i32.const(elementKinds[kind])]);
    return isRepeatable(like!) ? begin : fb.module.block(null, [fb.module.drop(like!), begin]);
  },
  'stream.beginStruct': (fb, [index]) => fb.emitter.callRuntime('beginStruct', [cut(fb, index!)]),
  'stream.discard': (fb) => fb.emitter.callRuntime('discard', []),
  'stream.end': (fb) => fb.emitter.callRuntime('end', []),
  'stream.readNull': (fb) => fb.emitter.callRuntime('readNull', []),
  'limits.poll': (fb) =>
    fb.module.i64.extend_s(emitReportUsedFuel(fb, (used) => fb.emitter.callRuntime('look', [used]))),
  'limits.grant': (fb, [units]) => emitGrant(fb, cut(fb, units!)),
  'limits.askMemory': (fb, [bytes]) =>
    fb.module.i64.extend_s(fb.emitter.callRuntime('reserve', [fb.module.f64.convert_s.i64(bytes!)])),
  'limits.reserve': (fb, [bytes], { node }) =>
    fb.emitter.countsMemory ? emitReserveBytes(fb, bytes!, node.span) : dropped(fb, bytes!),
  'limits.pass': (fb, [n], { node }) =>
    fb.emitter.counts ? callPrelude(fb, 'countPassed', [n!], node) : dropped(fb, n!),
  'limits.visit': (fb, [n], { node }) =>
    fb.emitter.counts ? callPrelude(fb, 'countVisits', [n!], node) : dropped(fb, n!),
  'limits.beginVisits': (fb, _operands, { node }) =>
    fb.emitter.counts ? callPrelude(fb, 'restartVisits', [], node) : fb.module.block(null, [], none),
  'limits.use': (fb, [units], { node }) =>
    fb.emitter.counts ? emitLibraryCharge(fb, cut(fb, units!), node.span) : dropped(fb, units!),
  'stream.failure': (fb) => widen(fb, fb.emitter.callRuntime('failure', [])),
  'stream.readArray': (fb) => widen(fb, fb.emitter.callRuntime('readArray', [])),
  'stream.readString': (fb) => emitTextFromHost(fb, fb.emitter.callRuntime('readString', [])),

  'staging.room': (fb) => emitStagedRoom(fb),
  'staging.store': (fb, operands, { typeArgument }) => emitStaging(fb, 'store', operands, typeArgument!),
  'staging.load': (fb, operands, { typeArgument }) => emitStaging(fb, 'load', operands, typeArgument!),
  'staging.write': (fb, [n]) => fb.emitter.callRuntime('writeStaged', [cut(fb, n!)]),
  'staging.read': (fb, [n]) => fb.emitter.callRuntime('readStaged', [cut(fb, n!)]),

  'raise.message': (fb, [type, message], { node }) =>
    emitRaise(fb, cut(fb, type!), emitText(fb, message!), fb.place(node.span), node.span),
  'raise.row': (fb, [, ...numbers], { node }) => emitRaiseRow(fb, node, numbers),
  'raise.place': (fb, _operands, { node }) => widen(fb, fb.place(node.span)),
};

/** The `characters` field of a text, as one of its three types; the measure says which of them it holds. */
function charactersAs(fb: FunctionBuilder, string: ExpressionRef, type: Type): ExpressionRef {
  return fb.module.ref.cast(
    fb.module.struct.get(stringFields.characters, string, eqref, false),
    fb.emitter.types.wasmType(type),
  );
}

/** An int of the language as the i32 operand of an instruction. */
function cut(fb: FunctionBuilder, value: ExpressionRef): ExpressionRef {
  return wrap(fb.module, value);
}

function widen(fb: FunctionBuilder, value: ExpressionRef): ExpressionRef {
  return fb.module.i64.extend_u(value);
}

function callPrelude(
  fb: FunctionBuilder,
  name: string,
  operands: readonly ExpressionRef[],
  { span }: Expression,
): ExpressionRef {
  return fb.call(fb.emitter.requestPrelude(name), operands, span);
}

function dropped(fb: FunctionBuilder, value: ExpressionRef): ExpressionRef {
  return isRepeatable(value) ? fb.module.block(null, [], none) : fb.module.drop(value);
}

/** i64.trunc_sat after a range test, which fails for NaN too; what has 31 bits takes half the time as an i32. */
function emitToInt(fb: FunctionBuilder, value: ExpressionRef, node: Expression): ExpressionRef {
  const m = fb.module;
  if (fb.instance.trusted) return m.i64.trunc_s_sat.f64(value);
  const limit = 2 ** 63;
  const { first, read } = fb.tee(value, f64);
  const inRange = m.i32.and(m.f64.ge(read(), m.f64.const(-limit)), m.f64.lt(read(), m.f64.const(limit)));
  const any = m.block(
    null,
    [m.if(negate(m, inRange), emitFail(fb, 'failToInt', [read()], node.span)), m.i64.trunc_s_sat.f64(read())],
    i64,
  );
  return m.if(m.f64.lt(m.f64.abs(first), m.f64.const(2 ** 31)), m.i64.extend_s(m.i32.trunc_s_sat.f64(read())), any);
}

/** Rounds halves up, exactly: floor(x), plus one if the fraction is at least a half. */
function emitRound(fb: FunctionBuilder, value: ExpressionRef): ExpressionRef {
  const m = fb.module;
  const [x, below] = [fb.newLocal(f64), fb.newLocal(f64)];
  const floor = (): ExpressionRef => m.local.get(below, f64);
  const fraction = m.f64.sub(m.local.get(x, f64), floor());
  return m.block(
    null,
    [
      m.local.set(x, value),
      m.local.set(below, m.f64.floor(m.local.get(x, f64))),
      m.if(m.f64.ge(fraction, m.f64.const(0.5)), m.f64.add(floor(), m.f64.const(1)), floor()),
    ],
    f64,
  );
}

/** Moves the elements to a new, larger array. */
function emitSetCapacity(
  fb: FunctionBuilder,
  array: ExpressionRef,
  capacity: ExpressionRef,
  element: Type,
  span: Span,
): ExpressionRef {
  const m = fb.module;
  const elementsType = fb.emitter.types.elementsType(element);
  const type = referenceTo(elementsType, false);
  const store = fb.newLocal(type);
  const count = fb.newLocal(i32);
  const read = (): ExpressionRef => m.local.get(store, type);
  return fb.reuse(array, fb.emitter.types.wasmType({ kind: 'array', element }), (target) =>
    m.block(
      null,
      [
        m.local.set(count, cut(fb, capacity)),
        emitReserve(fb, m.local.get(count, i32), bytesOfElement(element), span),
        m.local.set(store, m.array.new_default(elementsType, m.local.get(count, i32))),
        m.array.copy(
          read(),
          m.i32.const(0),
          emitElements(fb, target(), element),
          m.i32.const(0),
          emitLength(fb, target(), element),
        ),
        m.struct.set(arrayFields.elements, target(), read()),
      ],
      none,
    ),
  );
}
