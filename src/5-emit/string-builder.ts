// String builders: the pieces of a text are appended to a builder of the prelude, one by one. The builder of a text to
// which a loop appends is in a local; all other texts share one builder.

import type { AppendText, BuildText, BuiltLength, BuiltText, Expression, GrowingText, TextPiece } from '../mir/mir.ts';
import { int } from '../mir/builders.ts';
import { doubleType, hiddenTypes, intType, stringType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import { negate } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitFail } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';

const builderType = hiddenTypes.get('TextBuilder')!;

/** The most pieces that are evaluated before the first of them is appended; each of them needs a wasm local. */
const mostPieces = 64;

/** The prelude's functions that append pieces, and the types of the pieces. */
const appenders: Readonly<Record<TextPiece['append'], { readonly name: string; readonly type: Type }>> = {
  text: { name: 'appendText', type: stringType },
  'short-text': { name: 'appendShortText', type: intType },
  'code-unit': { name: 'appendCodeUnit', type: intType },
  character: { name: 'appendCharacter', type: intType },
  int: { name: 'appendInt', type: intType },
  double: { name: 'appendDouble', type: doubleType },
};

/** Appends an evaluated piece. */
type Append = (builder: ExpressionRef) => ExpressionRef;

/** Joins all pieces to one string. */
export function emitBuildText(
  fb: FunctionBuilder,
  { pieces, span }: Pick<BuildText, 'pieces' | 'span'>,
): ExpressionRef {
  const m = fb.module;
  const type = fb.wasmType(stringType);
  const [builder, joined] = [fb.newLocal(fb.wasmType(builderType)), fb.newLocal(type)];
  const readBuilder = (): ExpressionRef => m.local.get(builder, fb.wasmType(builderType));
  const locals = new PieceLocals(fb);
  const code: ExpressionRef[] = [];
  for (let at = 0; at < pieces.length; at += mostPieces) {
    locals.reset();
    const appends = pieces.slice(at, at + mostPieces).map((piece) => emitPiece(fb, piece, { span }, locals, code));
    code.push(m.local.set(builder, callPrelude(fb, 'beginText', [], { span })));
    if (at > 0) code.push(callPrelude(fb, 'appendText', [readBuilder(), m.local.get(joined, type)], { span }));
    code.push(
      ...appends.map((append) => append(readBuilder())),
      m.local.set(joined, callPrelude(fb, 'endText', [readBuilder()], { span })),
    );
  }
  return m.block(null, [...code, m.ref.as_non_null(m.local.get(joined, type))], type);
}

function callPrelude(
  fb: FunctionBuilder,
  name: string,
  operands: readonly ExpressionRef[],
  { span }: Pick<Expression, 'span'>,
): ExpressionRef {
  return fb.call(fb.emitter.requestPrelude(name), operands, span);
}

/** The wasm locals of pieces, which are reused for later pieces. */
class PieceLocals {
  readonly #fb: FunctionBuilder;
  readonly #known = new Map<Type['kind'], number[]>();
  readonly #used = new Map<Type['kind'], number>();

  constructor(fb: FunctionBuilder) {
    this.#fb = fb;
  }

  take(type: Type): number {
    const known = this.#known.get(type.kind) ?? [];
    const used = this.#used.get(type.kind) ?? 0;
    this.#known.set(type.kind, known);
    this.#used.set(type.kind, used + 1);
    known[used] ??= this.#fb.newLocal(this.#fb.wasmType(type));
    return known[used];
  }

  reset(): void {
    this.#used.clear();
  }
}

/** Adds the evaluation of a piece to `code`; a constant is evaluated when it is appended. */
function emitPiece(
  fb: FunctionBuilder,
  { append, value }: TextPiece,
  whole: Pick<Expression, 'span'>,
  locals: PieceLocals,
  code: ExpressionRef[],
): Append {
  const m = fb.module;
  const { name, type } = appenders[append];
  const appended = append === 'short-text' ? packedText(value) : value;
  if (append === 'code-unit' || value.kind === 'string')
    return (builder) => callPrelude(fb, name, [builder, fb.expression(appended)], whole);
  const local = locals.take(type);
  const evaluated = fb.expression(appended);
  code.push(m.local.set(local, evaluated));
  return (builder) => callPrelude(fb, name, [builder, m.local.get(local, fb.wasmType(type))], whole);
}

/** The same choice of constants, each as an int: its code units from the lowest byte on, their number in the highest. */
function packedText(text: Expression): Expression {
  if (text.kind === 'conditional' || text.kind === 'select')
    return { ...text, then: packedText(text.then), otherwise: packedText(text.otherwise), type: intType };
  if (text.kind !== 'string') throw new Error('no short text');
  const bytes = [...text.value].map((unit, at) => BigInt(unit.charCodeAt(0)) << BigInt(8 * at));
  const packed = bytes.reduce((whole, byte) => whole | byte, BigInt(text.value.length) << 56n);
  return int(packed, text.span);
}

/** Whether the builder of a growing text holds the text, instead of the local. */
function emitIsBuilding(fb: FunctionBuilder, { local, builder }: GrowingText): ExpressionRef {
  const m = fb.module;
  return m.i32.and(m.ref.is_null(fb.getLocal(local)), negate(m, m.ref.is_null(fb.getLocal(builder))));
}

export function emitBuiltText(fb: FunctionBuilder, node: BuiltText): ExpressionRef {
  const m = fb.module;
  const { local, builder } = node;
  const build = fb.setLocal(local, callPrelude(fb, 'builtText', [fb.getLocal(builder)], node));
  return m.block(null, [m.if(emitIsBuilding(fb, node), build), fb.getLocal(local)], fb.localType(local));
}

export function emitBuiltLength(fb: FunctionBuilder, node: BuiltLength): ExpressionRef {
  const length = callPrelude(fb, 'lengthOfBuilt', [fb.getLocal(node.builder)], node);
  return fb.module.if(emitIsBuilding(fb, node), length, fb.expression(node.ofString));
}

export function emitAppendText(fb: FunctionBuilder, node: AppendText): ExpressionRef {
  const m = fb.module;
  const { local, builder, pieces } = node;
  const fail = emitFail(fb, 'failNull', [], node.nullSpan, `an operand of '+'`);
  const isNull = m.i32.and(m.ref.is_null(fb.getLocal(local)), m.ref.is_null(fb.getLocal(builder)));
  const code: ExpressionRef[] = [m.if(isNull, fail)];
  let appends: readonly Append[];
  if (pieces.length > mostPieces) {
    const joined = fb.newLocal(fb.wasmType(stringType));
    code.push(m.local.set(joined, emitBuildText(fb, node)));
    appends = [(to) => callPrelude(fb, 'appendText', [to, m.local.get(joined, fb.wasmType(stringType))], node)];
  } else {
    const locals = new PieceLocals(fb);
    appends = pieces.map((piece) => emitPiece(fb, piece, node, locals, code));
  }
  const start = m.block(null, [
    fb.setLocal(builder, callPrelude(fb, 'growText', [fb.getLocal(builder), fb.getLocal(local)], node)),
    fb.setLocal(local, m.ref.null(fb.localType(local))),
  ]);
  code.push(m.if(negate(m, m.ref.is_null(fb.getLocal(local))), start));
  if (appends.length > 1) code.push(callPrelude(fb, 'beginPieces', [fb.getLocal(builder)], node));
  code.push(...appends.map((append) => append(fb.getLocal(builder))));
  if (appends.length > 1) code.push(callPrelude(fb, 'endPieces', [fb.getLocal(builder)], node));
  return m.block(null, code);
}
