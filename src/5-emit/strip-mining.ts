// Loops that count run in strips: so many iterations at once that stopping between them costs nothing, and inside a strip
// the only test is that of the variable against the strip's end. (Strip mining; Allen, Kennedy, "Optimizing Compilers
// for Modern Architectures", section 5.6.)

import type { CountedLoop } from '../mir/mir.ts';
import { i64 } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import type { FunctionBuilder } from './function-builder.ts';

const longestStrip = 1024;

/** The most iterations of a strip. */
export function stripLength(fb: FunctionBuilder): number {
  return Math.min(longestStrip, fb.emitter.iterationsPerCall);
}

const highest = 2n ** 63n - 1n;
const lowest = -(2n ** 63n);
/** Steps that a local holds are larger than this only where a loop makes few iterations. */
const largestStep = 2n ** 31n;

/** What sets the end of a strip that begins now, and the test whether it goes on after an iteration. */
export interface Strip {
  readonly begin: ExpressionRef;
  readonly goesOn: ExpressionRef;
}

/**
 * ```
 * stop = i + min(limit - i, step * strip)       compared without sign: i is below the limit
 * ```
 * A variable that is about to wrap gets an end that it has passed already, and so a strip of one iteration.
 */
export function emitStrip(fb: FunctionBuilder, counted: CountedLoop, iterations: number): Strip {
  const m = fb.module;
  const stop = fb.newLocal(i64);
  const limit = fb.newLocal(i64);
  const variable = (): ExpressionRef => fb.getLocal(counted.variable);
  const readLimit = (): ExpressionRef => m.local.get(limit, i64);
  const goesUp = counted.comparison === '<' || counted.comparison === '<=';
  const distance = goesUp ? m.i64.sub(readLimit(), variable()) : m.i64.sub(variable(), readLimit());
  const advance = emitAdvance(fb, counted, distance, BigInt(iterations));
  const end = goesUp ? m.i64.add(variable(), advance) : m.i64.sub(variable(), advance);
  const wraps = emitWraps(fb, counted, readLimit);
  const passed = m.i64.const(goesUp ? lowest : highest);
  return {
    begin: m.block(null, [
      m.local.set(limit, fb.expression(counted.limit)),
      m.local.set(stop, wraps === null ? end : m.select(wraps, passed, end)),
    ]),
    goesOn: emitComparison(fb, counted.comparison, variable(), m.local.get(stop, i64)),
  };
}

/** How far the variable goes in a strip. */
function emitAdvance(
  fb: FunctionBuilder,
  { comparison, step, limitStep }: CountedLoop,
  distance: ExpressionRef,
  iterations: bigint,
): ExpressionRef {
  const m = fb.module;
  if (limitStep !== 0n) {
    const both = emitSmaller(fb, distance, m.i64.const(iterations * 2n));
    return m.i64.shr_u(m.i64.add(both, m.i64.const(1n)), m.i64.const(1n));
  }
  const isOpen = comparison === '<' || comparison === '>';
  const whole = isOpen ? iterations : iterations - 1n;
  const most =
    step.kind === 'int'
      ? m.i64.const((step.value < 0n ? -step.value : step.value) * whole)
      : m.i64.mul(fb.expression(step), m.i64.const(whole));
  return emitSmaller(fb, distance, most);
}

/** Of two numbers without sign. */
function emitSmaller(fb: FunctionBuilder, one: ExpressionRef, other: ExpressionRef): ExpressionRef {
  const m = fb.module;
  const [a, b] = [fb.newLocal(i64), fb.newLocal(i64)];
  const read = (local: number): ExpressionRef => m.local.get(local, i64);
  return m.block(
    null,
    [m.local.set(a, one), m.local.set(b, other), m.select(m.i64.lt_u(read(a), read(b)), read(a), read(b))],
    i64,
  );
}

/** Whether no step can lead beyond what a number holds. */
export function cannotWrap({
  comparison,
  step,
  limitStep,
}: Pick<CountedLoop, 'comparison' | 'step' | 'limitStep'>): boolean {
  const isOpen = comparison === '<' || comparison === '>';
  return step.kind === 'int' && (limitStep !== 0n || (isOpen && (step.value === 1n || step.value === -1n)));
}

/** Whether a step could lead beyond what a number holds; null where it cannot. */
function emitWraps(
  fb: FunctionBuilder,
  { comparison, step, limitStep }: CountedLoop,
  limit: () => ExpressionRef,
): ExpressionRef | null {
  const m = fb.module;
  if (step.kind !== 'int') {
    const isOdd = m.i64.ge_u(m.i64.sub(fb.expression(step), m.i64.const(1n)), m.i64.const(largestStep));
    return m.i32.or(isOdd, m.i64.gt_s(limit(), m.i64.const(highest - largestStep)));
  }
  if (cannotWrap({ comparison, step, limitStep })) return null;
  const size = step.value < 0n ? -step.value : step.value;
  return step.value > 0n
    ? m.i64.gt_s(limit(), m.i64.const(highest - size))
    : m.i64.lt_s(limit(), m.i64.const(lowest + size));
}

export function emitComparison(
  fb: FunctionBuilder,
  comparison: CountedLoop['comparison'],
  left: ExpressionRef,
  right: ExpressionRef,
): ExpressionRef {
  const { i64: instructions } = fb.module;
  switch (comparison) {
    case '<':
      return instructions.lt_s(left, right);
    case '<=':
      return instructions.le_s(left, right);
    case '>':
      return instructions.gt_s(left, right);
    case '>=':
      return instructions.ge_s(left, right);
  }
}
