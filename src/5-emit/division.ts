// Division and remainder of ints. wasm traps on a zero divisor and on MIN / -1, so both are tested first. Engines do
// not optimise 64-bit division by a constant, so the emitter does.
//
// Source of the multiplication in place of a division: Granlund, Montgomery, "Division by Invariant Integers using
// Multiplication" (PLDI 1994), section 4; of the shifts: Warren, "Hacker's Delight", 10-1.

import type { Expression } from '../mir/mir.ts';
import { f64, i64 } from './binaryen.ts';
import type { ExpressionRef, WasmType } from './binaryen.ts';
import { emitFail } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';

/** Truncating division; MIN / -1 is MIN. */
export function emitDivide(
  fb: FunctionBuilder,
  dividend: ExpressionRef,
  divisor: ExpressionRef,
  node: Expression,
): ExpressionRef {
  const m = fb.module;
  const known = constantDivisor(node);
  if (known !== null && known > 1n) return emitQuotient(fb, dividend, known, (quotient, first) => quotient(first));
  if (fb.instance.trusted || (known !== null && known !== 0n && known !== -1n)) return m.i64.div_s(dividend, divisor);
  return savePair(fb, dividend, divisor, (a, firstB, b) => [
    m.if(m.i64.eqz(firstB), emitFail(fb, 'failDivision', [], node.span)),
    m.if(m.i64.eq(b(), m.i64.const(-1n)), m.i64.sub(m.i64.const(0n), a()), m.i64.div_s(a(), b())),
  ]);
}

/** Remainder with the sign of the dividend; MIN % -1 is 0 in wasm, as in the language. */
export function emitRemainder(
  fb: FunctionBuilder,
  dividend: ExpressionRef,
  divisor: ExpressionRef,
  node: Expression,
): ExpressionRef {
  const m = fb.module;
  const known = constantDivisor(node);
  if (known !== null && known > 1n) {
    const by = m.i64.const(isPowerOfTwo(known) ? bitsOf(known) : known);
    return emitQuotient(fb, dividend, known, (quotient, first, read) => {
      const part = quotient(read());
      return m.i64.sub(first, isPowerOfTwo(known) ? m.i64.shl(part, by) : m.i64.mul(part, by));
    });
  }
  if (fb.instance.trusted || (known !== null && known !== 0n)) return m.i64.rem_s(dividend, divisor);
  return savePair(fb, dividend, divisor, (a, firstB, b) => [
    m.if(m.i64.eqz(firstB), emitFail(fb, 'failDivision', [], node.span)),
    m.i64.rem_s(a(), b()),
  ]);
}

function constantDivisor(node: Expression): bigint | null {
  const divisor = node.kind === 'operate' ? node.operands[1] : undefined;
  return divisor?.kind === 'int' ? divisor.value : null;
}

/** Most dividends have at most 31 bits; for those, the product fits into 64 bits. */
const smallBits = 31n;

/**
 * For a power of two: `(x + (x < 0 ? divisor - 1 : 0)) >> bits`. For another small divisor: `x < 2^31 ? (x * factor)
 * >>> shift : x / divisor`, with an unsigned comparison.
 */
function emitQuotient(
  fb: FunctionBuilder,
  dividend: ExpressionRef,
  divisor: bigint,
  use: (
    quotient: (dividend: ExpressionRef) => ExpressionRef,
    first: ExpressionRef,
    read: () => ExpressionRef,
  ) => ExpressionRef,
): ExpressionRef {
  const m = fb.module;
  const { first, read } = fb.tee(dividend, i64);
  const bits = bitsOf(divisor);
  return use(quotient, first, read);

  /** `known` is the dividend at its first read. */
  function quotient(known: ExpressionRef): ExpressionRef {
    if (isPowerOfTwo(divisor)) {
      const bias = m.i64.shr_u(bits === 1n ? read() : m.i64.shr_s(read(), m.i64.const(63n)), m.i64.const(64n - bits));
      return m.i64.shr_s(m.i64.add(known, bias), m.i64.const(bits));
    }
    if (divisor >= 1n << smallBits) return m.i64.div_s(known, m.i64.const(divisor));
    const plain = m.i64.div_s(read(), m.i64.const(divisor));
    const shift = smallBits + bits + 1n;
    const factor = (1n << shift) / divisor + 1n;
    const fast = m.i64.shr_u(m.i64.mul(read(), m.i64.const(factor)), m.i64.const(shift));
    return m.if(m.i64.lt_u(known, m.i64.const(1n << smallBits)), fast, plain);
  }
}

function isPowerOfTwo(value: bigint): boolean {
  return (value & (value - 1n)) === 0n;
}

/** The index of the highest bit that is set. */
function bitsOf(value: bigint): bigint {
  return BigInt(value.toString(2).length - 1);
}

/** `first` has been evaluated; `second` is evaluated at its own first read. */
function savePair(
  fb: FunctionBuilder,
  first: ExpressionRef,
  second: ExpressionRef,
  use: (first: () => ExpressionRef, firstOfSecond: ExpressionRef, second: () => ExpressionRef) => ExpressionRef[],
): ExpressionRef {
  const m = fb.module;
  const local = fb.newLocal(i64);
  const { first: firstOfSecond, read } = fb.tee(second, i64);
  const body = use(() => m.local.get(local, i64), firstOfSecond, read);
  return m.block(null, [m.local.set(local, first), ...body], i64);
}

/** `takesFirst(a, b) ? a : b`, each of them evaluated once. */
export function emitChoice(
  fb: FunctionBuilder,
  a: ExpressionRef,
  b: ExpressionRef,
  takesFirst: (a: ExpressionRef, b: ExpressionRef) => ExpressionRef,
): ExpressionRef {
  const [one, other] = [fb.tee(a, i64), fb.tee(b, i64)];
  return fb.module.select(takesFirst(one.read(), other.read()), one.first, other.first);
}

/** `x < low ? low : x > high ? high : x`, each of them evaluated once, in this order. */
export function emitClamp(
  fb: FunctionBuilder,
  x: ExpressionRef,
  low: ExpressionRef,
  high: ExpressionRef,
  type: WasmType,
): ExpressionRef {
  const m = fb.module;
  const isBefore = (one: ExpressionRef, other: ExpressionRef): ExpressionRef =>
    type === f64 ? m.f64.lt(one, other) : m.i64.lt_s(one, other);
  const [value, least, most] = [fb.tee(x, type), fb.tee(low, type), fb.tee(high, type)];
  const atMost = m.select(isBefore(most.read(), value.read()), most.first, value.read());
  const clamped = m.select(isBefore(value.read(), least.read()), least.read(), atMost);
  return m.block(null, [m.drop(value.first), m.drop(least.first), clamped], type);
}
