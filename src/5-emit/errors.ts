// Raising and catching. A script error is a wasm exception of the one tag `error`, with the error type's id, the
// message as a JS string, and the place where it was thrown. A global holds the set of error types that an enclosing
// clause would catch (a bit for each id). If no clause would catch an error, the host is called before the throw, to
// record the stack before it is unwound.

import { errorTagExport } from '../abi/imports.ts';
import { raisedErrors } from '../abi/raised-errors.ts';
import type { CatchClause, Expression, Statement, Try } from '../mir/mir.ts';
import { isNeverNull } from '../mir/never-null.ts';
import { errorTypes } from '../language/errors.ts';
import { isOnStack } from '../language/types.ts';
import type { Type } from '../language/types.ts';
import type { Span } from '../source.ts';
import { branchOnNonNull, externref, i32, negate, none, popPayload, referenceTo, tupleType } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { emitFuelReload, emitFuelWriteBack, emitFuelWriteBackAfter } from './fuel.ts';
import type { Emitter } from './emitter.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitBeforeBody } from './osr.ts';
import { emitSetStackPointer, emitStackPointer } from './stack.ts';
import { emitText, wrapText } from './strings.ts';

const caughtMask = '$caught';
/** Set when the clause of a guard error has ended: afterwards no clause catches an error. */
const endingFlag = '$ending';
const payloadType: WasmType = tupleType([i32, externref, i32]);

const ordinaryErrors = errorTypes.filter((type) => !type.guard).reduce((mask, type) => mask | (1 << type.id), 0);

const firstGuard = Math.min(...errorTypes.filter((type) => type.guard).map((type) => type.id));

/** The mask in a guard clause, which swallows every error; the sign bit says that stacks need not be recorded. */
const everything = -1;

function isGuard(id: number): boolean {
  return errorTypes.some((type) => type.id === id && type.guard);
}

/** Calls the runtime's `$raise`, which never returns. */
export function emitRaise(
  fb: FunctionBuilder,
  errorType: ExpressionRef,
  message: ExpressionRef,
  place: ExpressionRef,
  span: Span,
): ExpressionRef {
  const m = fb.module;
  declareRaise(fb.emitter);
  return m.block(null, [
    fb.at(span, m.call('$raise', [...emitFuelWriteBackAfter(fb, [errorType, message, place])], none)),
    m.unreachable(),
  ]);
}

/** Raises an error whose text is a row of src/abi/messages.ts with these numbers. */
export function emitRaiseRow(fb: FunctionBuilder, node: Expression, numbers: readonly ExpressionRef[]): ExpressionRef {
  const m = fb.module;
  const row = node.kind === 'library-call' && node.arguments[0]?.kind === 'int' ? Number(node.arguments[0].value) : -1;
  const known = raisedErrors[row];
  if (known === undefined) throw new Error('no such message');
  const message = fb.emitter.callRuntime('message', [m.i32.const(row), ...numbers]);
  return emitRaise(fb, m.i32.const(known.error), message, fb.place(node.span), node.span);
}

/** Calls a prelude function that raises an error and never returns; `use` describes the use of a null. */
export function emitFail(
  fb: FunctionBuilder,
  name: string,
  operands: readonly ExpressionRef[],
  span: Span,
  use?: string,
  typeArgument: Type | null = null,
): ExpressionRef {
  const m = fb.module;
  return m.block(null, [fb.call(fb.emitter.requestPrelude(name, typeArgument), operands, span, use), m.unreachable()]);
}

/**
 * The value of `node` with a null check that raises NullAccessError; `what` describes the use that needs the value.
 * `value` is the emitted expression if it exists already. The result is a non-null reference. If `node` is known not to
 * be null, its value is returned unchanged: the null check of engines at a field access costs nothing.
 *
 * `(block $there (result (ref T)) (br_on_non_null $there value) (call failNull) unreachable)`
 */
export function emitNonNull(
  fb: FunctionBuilder,
  node: Expression,
  what: () => string,
  span: Span,
  value?: ExpressionRef,
): ExpressionRef {
  const m = fb.module;
  const reference = value ?? fb.expression(node);
  // Of arrays on the stack none is null but where a pass has tested that.
  if (fb.instance.trusted || isNeverNull(node) || isOnStack(node.type)) return reference;
  const there = fb.newLabel('there');
  const type = referenceTo(fb.emitter.types.heapType(fb.resolve(node.type)), false);
  const fail = emitFail(fb, 'failNull', [], span, what());
  return m.block(there, [branchOnNonNull(m, there, reference), fail], type);
}

/** Of a value of a type of Mir; an array on the stack is null at address 0. */
export function emitIsNull(fb: FunctionBuilder, value: ExpressionRef, type: Type): ExpressionRef {
  return isOnStack(fb.resolve(type)) ? fb.module.i32.eqz(value) : fb.module.ref.is_null(value);
}

/** `throw text;` */
export function emitThrow(fb: FunctionBuilder, node: Statement & { readonly kind: 'throw' }): ExpressionRef {
  const m = fb.module;
  return emitRaise(fb, m.i32.const(0), emitText(fb, fb.expression(node.message)), fb.place(node.span), node.span);
}

/**
 * ```
 * saved = caught;  caught |= the mask of the clauses
 * try  body;  caught = saved
 * catch error
 *   payload = pop;  caught = saved
 *   type == T ? { e = message; clause } : … : throw payload again
 * ```
 */
export function emitTry(fb: FunctionBuilder, node: Try): ExpressionRef {
  const m = fb.module;
  declareMask(fb.emitter);
  const saved = fb.newLocal(i32);
  const payload = fb.newLocal(payloadType);
  const mask = node.clauses.reduce((bits, clause) => bits | maskOf(clause), 0);
  const restore = (): ExpressionRef => m.global.set(caughtMask, m.local.get(saved, i32));

  // What called functions had put on the stack is gone.
  const stack = fb.emitter.hasStack ? fb.newLocal(i32) : null;
  const saveStack = stack === null ? [] : [m.local.set(stack, emitStackPointer(fb.emitter))];
  const restoreStack = stack === null ? [] : [emitSetStackPointer(fb.emitter, m.local.get(stack, i32))];

  fb.contexts.push({ kind: 'try', savedMask: saved, savedStack: stack });
  const body = m.block(null, [fb.block(node.body), restore()], none);
  fb.contexts.pop();

  const handler = m.block(
    null,
    [
      m.local.set(payload, popPayload(m, payloadType)),
      ...emitFuelReload(fb),
      restore(),
      ...restoreStack,
      ...emitEndingTest(fb, payload),
      emitClauses(fb, node.clauses, payload),
    ],
    none,
  );
  return m.block(
    null,
    [
      ...emitBeforeBody(fb, node, [
        m.local.set(saved, m.global.get(caughtMask, i32)),
        ...saveStack,
        m.global.set(caughtMask, m.i32.or(m.local.get(saved, i32), m.i32.const(mask))),
      ]),
      m.try(fb.newLabel('try'), body, [errorTagExport], [handler]),
    ],
    none,
  );
}

/** The clauses as a chain of ifs, in order; an error that no clause catches is thrown again. */
function emitClauses(fb: FunctionBuilder, clauses: readonly CatchClause[], payload: number): ExpressionRef {
  const m = fb.module;
  return clauses.reduceRight(
    (otherwise, clause) => {
      const body = takesGuard(clause) ? emitGuardClause(fb, clause, payload) : emitClause(fb, clause, payload);
      return m.if(emitMatch(fb, clause, payload), body, otherwise);
    },
    emitRethrow(fb, payload),
  );
}

/** Whether the clause catches the error: tests the error's bit in the clause's mask. */
function emitMatch(fb: FunctionBuilder, clause: CatchClause, payload: number): ExpressionRef {
  const m = fb.module;
  const type = payloadPart(fb, payload, 0);
  return clause.errorType === null
    ? m.i32.and(m.i32.shr_u(m.i32.const(ordinaryErrors), type), m.i32.const(1))
    : m.i32.eq(type, m.i32.const(clause.errorType));
}

function emitClause(fb: FunctionBuilder, clause: CatchClause, payload: number): ExpressionRef {
  const m = fb.module;
  const message = wrapText(fb.emitter, m.ref.as_non_null(payloadPart(fb, payload, 1)));
  return m.block(null, [fb.setLocal(clause.local, message), fb.block(clause.body)], none);
}

/** A clause for a guard error: however the clause ends, the error continues and nothing catches it again. */
function emitGuardClause(fb: FunctionBuilder, clause: CatchClause, payload: number): ExpressionRef {
  const m = fb.module;
  fb.contexts.push({ kind: 'guard', payload });
  const body = m.block(
    null,
    [m.global.set(caughtMask, m.i32.const(everything)), emitClause(fb, clause, payload)],
    none,
  );
  fb.contexts.pop();
  const ignored = fb.newLocal(payloadType);
  const handler = m.block(null, [m.local.set(ignored, popPayload(m, payloadType)), ...emitFuelReload(fb)], none);
  return m.block(
    null,
    [m.try(fb.newLabel('grace'), body, [errorTagExport], [handler]), emitGuardEnd(fb, payload)],
    none,
  );
}

function emitGuardEnd(fb: FunctionBuilder, payload: number): ExpressionRef {
  return fb.module.block(null, [fb.module.global.set(endingFlag, fb.module.i32.const(1)), emitRethrow(fb, payload)]);
}

function emitEndingTest(fb: FunctionBuilder, payload: number): ExpressionRef[] {
  declareEnding(fb.emitter);
  return [fb.module.if(fb.module.global.get(endingFlag, i32), emitRethrow(fb, payload))];
}

function emitRethrow(fb: FunctionBuilder, payload: number): ExpressionRef {
  const rethrow = fb.module.throw(errorTagExport, [
    payloadPart(fb, payload, 0),
    payloadPart(fb, payload, 1),
    payloadPart(fb, payload, 2),
  ]);
  return fb.module.block(null, [...emitFuelWriteBack(fb), rethrow]);
}

function payloadPart(fb: FunctionBuilder, payload: number, part: number): ExpressionRef {
  return fb.module.tuple.extract(fb.module.local.get(payload, payloadType), part);
}

/**
 * The code before a jump or return that leaves the contexts from index `depth` on: it restores the mask of the
 * outermost try of them. If one of them is a guard clause, its error is raised again instead.
 */
export function emitLeave(fb: FunctionBuilder, depth: number): ExpressionRef[] {
  const m = fb.module;
  const left = fb.contexts.slice(depth);
  const guard = left.findLast((context) => context.kind === 'guard');
  if (guard !== undefined) return [emitGuardEnd(fb, guard.payload)];
  const outermost = left.find((context) => context.kind === 'try');
  return outermost === undefined ? [] : [m.global.set(caughtMask, m.local.get(outermost.savedMask, i32))];
}

function takesGuard(clause: CatchClause): boolean {
  return clause.errorType !== null && isGuard(clause.errorType);
}

function maskOf(clause: CatchClause): number {
  return clause.errorType === null ? ordinaryErrors : 1 << clause.errorType;
}

function declareEnding(emitter: Emitter): void {
  emitter.declare(endingFlag, () => emitter.module.addGlobal(endingFlag, i32, true, emitter.module.i32.const(0)));
}

/** The tag, which the host requires in every module. */
export function declareErrorTag(emitter: Emitter): void {
  emitter.module.addTag(errorTagExport, payloadType, none);
  emitter.module.addTagExport(errorTagExport, errorTagExport);
}

function declareMask(emitter: Emitter): void {
  emitter.declare(caughtMask, () => emitter.module.addGlobal(caughtMask, i32, true, emitter.module.i32.const(0)));
}

/** `$raise(type, message, place)` */
function declareRaise(emitter: Emitter): void {
  emitter.declare('$raise', () => {
    declareMask(emitter);
    const m = emitter.module;
    const type = (): ExpressionRef => m.local.get(0, i32);
    const bit = m.i32.and(m.i32.shr_u(m.global.get(caughtMask, i32), type()), m.i32.const(1));
    // A guard error continues after its clause, so its stack is recorded even if a clause catches it.
    const isOrdinary = m.i32.or(
      m.i32.lt_s(type(), m.i32.const(firstGuard)),
      m.i32.lt_s(m.global.get(caughtMask, i32), m.i32.const(0)),
    );
    m.addFunction(
      '$raise',
      payloadType,
      none,
      [],
      m.block(null, [
        m.if(negate(m, m.i32.and(bit, isOrdinary)), emitter.callRuntime('uncaught', [])),
        m.throw(errorTagExport, [m.local.get(0, i32), m.local.get(1, externref), m.local.get(2, i32)]),
      ]),
    );
  });
}
