// Texts under construction: the JS string and the measure of one in two wasm locals, without a struct around
// them. Chains of `+` and templates are put together so and wrapped once at their end; a local that a loop
// appends to stays loose from turn to turn, and is wrapped when something else reads it.

import type { CheckedFunction, Expression, LocalId, Statement } from '../2-check/typed-tree.ts';
import { externref, i32 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitFail, emitNonNull } from './errors.ts';
import type { FunctionBuilder, GrowingText } from './function-builder.ts';
import { stringFields } from './heap-types.ts';
import { emitStringConstant, emitText, wrapText } from './strings.ts';

const stringType = { kind: 'string' } as const;
const joinOperator = '+(string,string)';

/** Sums of measures below this power of two need no second look: they are lengths, and no limit is near. */
const plainBits = 28;

type Chain = Expression & { readonly kind: 'operate' | 'concat' };
type SetLocal = Statement & { readonly kind: 'set-local' };

interface LooseText {
  readonly text: () => ExpressionRef;
  /** Can be unknown, -1, for a text that was not joined here. */
  readonly measure: () => ExpressionRef;
  /** As a string of the language: the one that it came from, so that it notes what is measured. */
  readonly whole: () => ExpressionRef;
}

/** The texts of a `+` and what is left of it in order, or the parts of a template. */
function partsOf(node: Chain): readonly Expression[] {
  if (node.kind === 'concat') return node.parts;
  const parts: Expression[] = [];
  let first: Expression = node;
  while (isSum(first)) {
    parts.push(first.operands[1]!);
    first = first.operands[0]!;
  }
  return [first, ...parts.reverse()];
}

function isSum(node: Expression): node is Expression & { readonly kind: 'operate' } {
  return node.kind === 'operate' && node.operator === joinOperator;
}

function isChain(node: Expression): node is Chain {
  return node.kind === 'concat' || isSum(node);
}

/**
 * An expression that joins more than two texts; null for others. For two, a call takes less room and no more time;
 * so it does for the runtime's own sums, which are messages of errors.
 */
export function emitLongChain(fb: FunctionBuilder, node: Expression): ExpressionRef | null {
  if (!isChain(node) || (fb.instance.trusted && isSum(node))) return null;
  const parts = partsOf(node);
  if (parts.length === 2 && !parts.some(isChain)) return null;
  const code: ExpressionRef[] = [];
  const joined = emitLoose(fb, node, code);
  return fb.module.block(null, [...code, joined.whole()], fb.wasmType(stringType));
}

/** Writes the evaluation of a text to `code`. */
function emitLoose(fb: FunctionBuilder, node: Expression, code: ExpressionRef[]): LooseText {
  if (!isChain(node)) return emitWhole(fb, node, fb.expression(node), fb.newLocal(fb.wasmType(stringType)), code);
  const into: GrowingText = { text: fb.newLocal(externref), measure: fb.newLocal(i32) };
  const [first, ...others] = partsOf(node);
  emitJoins(fb, node, emitOperand(fb, node, first!, fb.newLocal(fb.wasmType(stringType)), code), others, into, code);
  return looseText(fb, into);
}

function looseText(fb: FunctionBuilder, { text, measure }: GrowingText): LooseText {
  const m = fb.module;
  return {
    text: () => m.local.get(text, externref),
    measure: () => m.local.get(measure, i32),
    whole: () => wrapText(fb.emitter, m.ref.as_non_null(m.local.get(text, externref)), m.local.get(measure, i32)),
  };
}

/**
 * Joins the parts to `first`, each as soon as it is evaluated. For each of them:
 * ```
 * sum = measure of before + measure of part
 * if ((measure of before | measure of part | sum) >>> 28) sum = joinedMeasure(before, part)
 * text = concat(text of before, text of part);  measure = sum
 * ```
 */
function emitJoins(fb: FunctionBuilder, node: Chain, first: LooseText, others: readonly Expression[], into: GrowingText, code: ExpressionRef[]): void {
  const m = fb.module;
  const sum = fb.newLocal(i32);
  const readSum = (): ExpressionRef => m.local.get(sum, i32);
  const partLocal = fb.newLocal(fb.wasmType(stringType));
  fb.countStatements(others.length);
  let before = first;
  for (const other of others) {
    const part = emitOperand(fb, node, other, partLocal, code);
    const bits = m.i32.or(m.i32.or(before.measure(), part.measure()), readSum());
    const exact = fb.call(fb.emitter.requestPrelude('joinedMeasure'), [before.whole(), part.whole()], node.span);
    code.push(
      m.local.set(sum, m.i32.add(before.measure(), part.measure())),
      m.if(m.i32.shr_u(bits, m.i32.const(plainBits)), m.local.set(sum, m.i32.wrap(exact))),
      m.local.set(into.text, fb.emitter.callStringBuiltin('concat', [before.text(), part.text()])),
      m.local.set(into.measure, readSum()),
    );
    before = looseText(fb, into);
  }
}

/** Operands of `+` must not be null; the parts of a template never are. */
function emitOperand(fb: FunctionBuilder, chain: Chain, part: Expression, local: number, code: ExpressionRef[]): LooseText {
  if (isChain(part)) return emitLoose(fb, part, code);
  const value = chain.kind === 'concat' ? fb.expression(part) : emitNonNull(fb, part, () => `an operand of '+'`, part.span);
  return emitWhole(fb, part, value, local, code);
}

function emitWhole(fb: FunctionBuilder, node: Expression, value: ExpressionRef, local: number, code: ExpressionRef[]): LooseText {
  const m = fb.module;
  const type = fb.wasmType(stringType);
  if (node.kind !== 'string') code.push(m.local.set(local, value));
  const whole = (): ExpressionRef => (node.kind === 'string' ? emitStringConstant(fb.emitter, node.value) : m.local.get(local, type));
  return { text: () => emitText(fb, whole()), measure: () => m.struct.get(stringFields.measure, whole(), i32, false), whole };
}

// Locals that loops append to. Beside the wasm local of the variable there are the two of a loose text: while
// the variable's own is null, they hold its value, and where they hold none either the value is null.

/** Finds the locals that the function appends to in loops, and makes room for them to be loose. */
export function declareGrowingTexts(fb: FunctionBuilder): void {
  if (fb.instance.trusted) return;
  for (const statement of findAppends(fb.instance.fn)) {
    fb.appends.add(statement);
    if (!fb.growingTexts.has(statement.local)) {
      fb.growingTexts.set(statement.local, { text: fb.newLocal(externref), measure: fb.newLocal(i32) });
    }
  }
}

/** Every `s = s + …` in a loop. An assignment is a statement, so no operand sets s in between. */
function findAppends(fn: CheckedFunction): readonly SetLocal[] {
  const found: SetLocal[] = [];
  if (!fn.locals.some(({ type }) => type.kind === 'string')) return found;
  const pending: { readonly node: unknown; readonly inLoop: boolean }[] = [{ node: fn.body, inLoop: false }];
  while (pending.length > 0) {
    const { node, inLoop } = pending.pop()!;
    if (typeof node !== 'object' || node === null) continue;
    const statement = node as Partial<Statement>;
    if (inLoop && statement.kind === 'set-local' && isAppend(statement as SetLocal)) found.push(statement as SetLocal);
    for (const [key, part] of Object.entries(node)) {
      if (key !== 'span' && key !== 'type') pending.push({ node: part, inLoop: inLoop || statement.kind === 'loop' });
    }
  }
  return found;
}

function isAppend({ local, value }: SetLocal): boolean {
  if (!isSum(value)) return false;
  const first = partsOf(value)[0]!;
  return first.kind === 'get-local' && first.local === local;
}

/** A growing text is wrapped when it is read, and stays so until the next append. */
export function emitGetLocal(fb: FunctionBuilder, local: LocalId): ExpressionRef {
  const growing = fb.growingTexts.get(local);
  if (growing === undefined) return fb.getLocal(local);
  const m = fb.module;
  const { text, whole } = looseText(fb, growing);
  const isLoose = m.i32.and(m.ref.is_null(fb.getLocal(local)), m.i32.eqz(m.ref.is_null(text())));
  return m.block(null, [m.if(isLoose, fb.setLocal(local, whole())), fb.getLocal(local)], fb.localType(local));
}

export function emitSetLocal(fb: FunctionBuilder, node: SetLocal): ExpressionRef {
  const growing = fb.growingTexts.get(node.local);
  if (growing === undefined) return fb.setLocal(node.local, fb.expression(node.value));
  const m = fb.module;
  if (fb.appends.has(node)) return emitAppend(fb, node, growing);
  return m.block(null, [fb.setLocal(node.local, fb.expression(node.value)), m.local.set(growing.text, m.ref.null(externref))]);
}

/** The variable is set at the very end: a part that throws leaves it as it was. */
function emitAppend(fb: FunctionBuilder, node: SetLocal, growing: GrowingText): ExpressionRef {
  const m = fb.module;
  const chain = node.value as Chain;
  const [first, ...others] = partsOf(chain);
  const box = (): ExpressionRef => fb.getLocal(node.local);
  const before = looseText(fb, growing);
  const fail = emitFail(fb, 'failNull', [emitStringConstant(fb.emitter, `an operand of '+'`)], first!.span);
  const code: ExpressionRef[] = [m.if(
    m.ref.is_null(box()),
    m.if(m.ref.is_null(before.text()), fail),
    m.block(null, [
      m.local.set(growing.text, emitText(fb, box())),
      m.local.set(growing.measure, m.struct.get(stringFields.measure, box(), i32, false)),
    ]),
  )];
  const into = others.length === 1 ? growing : { text: fb.newLocal(externref), measure: fb.newLocal(i32) };
  emitJoins(fb, chain, { ...before, whole: () => emitGetLocal(fb, node.local) }, others, into, code);
  if (into !== growing) {
    const joined = looseText(fb, into);
    code.push(m.local.set(growing.text, joined.text()), m.local.set(growing.measure, joined.measure()));
  }
  code.push(fb.setLocal(node.local, m.ref.null(fb.localType(node.local))));
  return m.block(null, code);
}
