// Texts under construction: the pieces of templates, of long sums and of `s += …` in loops go into a builder of the
// prelude's, without strings on the way. A local that a loop appends to has a builder of its own, and becomes a string
// when something else reads it; all else shares one.

import { visitWithLoops } from '../mir/children.ts';
import type { MirFunction, Expression, LibraryCall, LocalId, Statement } from '../mir/mir.ts';
import { hiddenTypes, stringType } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitLibraryCall } from './calls.ts';
import { emitFail } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitStringConstant } from './strings.ts';

const builderType = hiddenTypes.get('TextBuilder')!;

/** So many pieces are evaluated before the first of them is appended; each of them takes a wasm local meanwhile. */
const mostPieces = 64;

/** What appends a number of a type. */
const appendNumber: ReadonlyMap<Type['kind'], string> = new Map([
  ['int', 'appendInt'],
  ['double', 'appendDouble'],
]);

type Concat = Expression & { readonly kind: 'concat' };
type SetLocal = Statement & { readonly kind: 'set-local' };

/** A piece that has been evaluated: appends itself. */
type Append = (builder: ExpressionRef) => ExpressionRef;

/** The number whose digits a text consists of; null for other texts. */
function numberOf(node: Expression): Expression | null {
  return node.kind === 'to-text' && appendNumber.has(node.operand.type.kind) ? node.operand : null;
}

/**
 * A text of more than two parts, or of digits and a text; null for others. For two texts, a call takes less room and no
 * more time.
 */
export function emitBuiltText(fb: FunctionBuilder, node: Concat): ExpressionRef | null {
  const { parts } = node;
  if (parts.length === 2 && parts.every((part) => numberOf(part) === null)) return null;
  return emitJoined(fb, parts, node);
}

/** All parts as one string. */
function emitJoined(fb: FunctionBuilder, parts: readonly Expression[], node: Expression): ExpressionRef {
  const m = fb.module;
  const type = fb.wasmType(stringType);
  const [builder, joined] = [fb.newLocal(fb.wasmType(builderType)), fb.newLocal(type)];
  const readBuilder = (): ExpressionRef => m.local.get(builder, fb.wasmType(builderType));
  const locals = new PieceLocals(fb);
  const code: ExpressionRef[] = [];
  for (let at = 0; at < parts.length; at += mostPieces) {
    locals.reset();
    const appends = parts.slice(at, at + mostPieces).map((part) => emitPiece(fb, part, node, locals, code));
    code.push(m.local.set(builder, callPrelude(fb, 'beginText', [], node)));
    if (at > 0) code.push(callPrelude(fb, 'appendText', [readBuilder(), m.local.get(joined, type)], node));
    code.push(
      ...appends.map((append) => append(readBuilder())),
      m.local.set(joined, callPrelude(fb, 'endText', [readBuilder()], node)),
    );
  }
  return m.block(null, [...code, m.ref.as_non_null(m.local.get(joined, type))], fb.wasmType(stringType));
}

function callPrelude(
  fb: FunctionBuilder,
  name: string,
  operands: readonly ExpressionRef[],
  { span }: Pick<Expression, 'span'>,
): ExpressionRef {
  return fb.call(fb.emitter.requestPrelude(name), operands, span);
}

/** The wasm locals of pieces, used again for the next ones. */
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

/** Writes the evaluation of a part of `chain` to `code`. */
function emitPiece(
  fb: FunctionBuilder,
  node: Expression,
  chain: Expression,
  locals: PieceLocals,
  code: ExpressionRef[],
): Append {
  const m = fb.module;
  if (node.kind === 'string') {
    return node.value.length === 1 && !isSurrogate(node.value)
      ? (builder) => callPrelude(fb, 'appendCodeUnit', [builder, m.i64.const(BigInt(node.value.charCodeAt(0)))], chain)
      : (builder) => callPrelude(fb, 'appendText', [builder, emitStringConstant(fb.emitter, node.value)], chain);
  }
  const number = numberOf(node);
  const type = number?.type ?? stringType;
  const local = locals.take(type);
  const value = fb.expression(number ?? node);
  code.push(m.local.set(local, value));
  return (builder) =>
    callPrelude(
      fb,
      appendNumber.get(type.kind) ?? 'appendText',
      [builder, m.local.get(local, fb.wasmType(type))],
      chain,
    );
}

function isSurrogate(codeUnit: string): boolean {
  return codeUnit >= '\uD800' && codeUnit <= '\uDFFF';
}

// Locals that loops append to. Beside the wasm local of the variable there is one for a builder: while the variable's
// own is null, the builder holds its value, and where there is no builder the value is null.

/** Finds the locals that the function appends to in loops, and makes room for their builders. */
export function declareGrowingTexts(fb: FunctionBuilder): void {
  if (fb.instance.trusted) return;
  for (const statement of findAppends(fb.instance.fn)) {
    fb.appends.add(statement);
    if (!fb.growingTexts.has(statement.local))
      fb.growingTexts.set(statement.local, {
        local: fb.newLocal(fb.wasmType(builderType)),
        type: fb.wasmType(builderType),
      });
  }
}

/** Every `s = s + …` in a loop. An assignment is a statement, so no operand sets s in between. */
function findAppends(fn: MirFunction): readonly SetLocal[] {
  const found: SetLocal[] = [];
  if (!fn.locals.some(({ type }) => type.kind === 'string')) return found;
  visitWithLoops(fn.body, (node, loops) => {
    if (loops > 0 && node.kind === 'set-local' && isAppend(node)) found.push(node);
  });
  return found;
}

/** The first part of a sum is tested for null, that of a template is not. */
function isAppend({ local, value }: SetLocal): boolean {
  const first = value.kind === 'concat' ? value.parts[0]! : null;
  return first?.kind === 'check-null' && first.operand.kind === 'get-local' && first.operand.local === local;
}

function readBuilderOf(fb: FunctionBuilder, local: LocalId): ExpressionRef {
  const { local: builder, type } = fb.growingTexts.get(local)!;
  return fb.module.local.get(builder, type);
}

/** Whether a growing text is in its builder. */
function emitIsBuilding(fb: FunctionBuilder, local: LocalId): ExpressionRef {
  const m = fb.module;
  return m.i32.and(m.ref.is_null(fb.getLocal(local)), m.i32.eqz(m.ref.is_null(readBuilderOf(fb, local))));
}

/** A growing text becomes a string when it is read, and stays one until the next append. */
export function emitGetLocal(
  fb: FunctionBuilder,
  { local, span }: Pick<Expression & { readonly kind: 'get-local' }, 'local' | 'span'>,
): ExpressionRef {
  if (!fb.growingTexts.has(local)) return fb.getLocal(local);
  const m = fb.module;
  const build = fb.setLocal(local, callPrelude(fb, 'builtText', [readBuilderOf(fb, local)], { span }));
  return m.block(null, [m.if(emitIsBuilding(fb, local), build), fb.getLocal(local)], fb.localType(local));
}

/** The length of a growing text, which need not become a string for that; null for all else. */
export function emitBuiltLength(fb: FunctionBuilder, node: LibraryCall): ExpressionRef | null {
  const text = node.arguments[0];
  if (node.function !== 'string.length' || text?.kind !== 'get-local' || !fb.growingTexts.has(text.local)) return null;
  const length = callPrelude(fb, 'lengthOfBuilt', [readBuilderOf(fb, text.local)], node);
  return fb.module.if(emitIsBuilding(fb, text.local), length, emitLibraryCall(fb, node));
}

export function emitSetLocal(fb: FunctionBuilder, node: SetLocal): ExpressionRef {
  const growing = fb.growingTexts.get(node.local);
  if (growing === undefined) return fb.setLocal(node.local, fb.expression(node.value));
  if (fb.appends.has(node)) return emitAppend(fb, node);
  const m = fb.module;
  const set = fb.setLocal(node.local, fb.expression(node.value));
  if (node.value.kind === 'string') return set;
  return m.block(null, [
    set,
    m.if(m.ref.is_null(fb.getLocal(node.local)), m.local.set(growing.local, m.ref.null(growing.type))),
  ]);
}

/** The pieces are evaluated before the first is appended: one that throws leaves the variable as it was. */
function emitAppend(fb: FunctionBuilder, node: SetLocal): ExpressionRef {
  const m = fb.module;
  const { local, value } = node;
  const [first, ...rest] = (value as Concat).parts;
  const { local: builder } = fb.growingTexts.get(local)!;
  const readBuilder = (): ExpressionRef => readBuilderOf(fb, local);
  const fail = emitFail(fb, 'failNull', [], first!.span, `an operand of '+'`);
  const isNull = m.i32.and(m.ref.is_null(fb.getLocal(local)), m.ref.is_null(readBuilder()));
  const code: ExpressionRef[] = [m.if(isNull, fail)];
  let appends: readonly Append[];
  if (rest.length > mostPieces) {
    const joined = fb.newLocal(fb.wasmType(stringType));
    code.push(m.local.set(joined, emitJoined(fb, rest, value)));
    appends = [(to) => callPrelude(fb, 'appendText', [to, m.local.get(joined, fb.wasmType(stringType))], value)];
  } else {
    const locals = new PieceLocals(fb);
    appends = rest.map((part) => emitPiece(fb, part, value, locals, code));
  }
  const start = m.block(null, [
    m.local.set(builder, callPrelude(fb, 'growText', [readBuilder(), fb.getLocal(local)], value)),
    fb.setLocal(local, m.ref.null(fb.localType(local))),
  ]);
  code.push(m.if(m.i32.eqz(m.ref.is_null(fb.getLocal(local))), start));
  if (appends.length > 1) code.push(callPrelude(fb, 'beginPieces', [readBuilder()], value));
  code.push(...appends.map((append) => append(readBuilder())));
  if (appends.length > 1) code.push(callPrelude(fb, 'endPieces', [readBuilder()], value));
  return m.block(null, code);
}
