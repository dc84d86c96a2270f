// Branches, loops and the jumps out of them.

import type { Arm, CountedLoop, Expression, If, Loop, LoopId, Statement } from '../mir/mir.ts';
import { none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitCount, emitFuelWriteBack, iterationsAtOnce } from './fuel.ts';
import { emitLeave } from './errors.ts';
import type { FunctionBuilder } from './function-builder.ts';
import { emitCallOutlined } from './loop-outlining.ts';
import {
  emitArrival,
  emitBranchCondition,
  emitGoOn,
  emitNextIterations,
  emitStop,
  emitIterationOrPoll,
  hasEntries,
  stopsIn,
} from './osr.ts';
import { cannotWrap, emitComparison, emitStrip, stripLength } from './strip-mining.ts';

/** Chains of `else if` longer than this are written one behind another instead of one inside another. */
const longestNest = 20;

/**
 * `(if condition then otherwise)`; a long chain becomes
 * `block $end  (if c1 (block then1 (br $end)))  (if c2 …)  otherwise  end`.
 */
export function emitIf(fb: FunctionBuilder, node: If): ExpressionRef {
  if (node.arms.length > longestNest) return emitChain(fb, node);
  const [{ condition, branchesEach, then }, ...others] = node.arms as readonly [Arm, ...(readonly Arm[])];
  const otherwise: readonly Statement[] = others.length === 0 ? node.otherwise : [{ ...node, arms: others }];
  if (branchesEach === true && condition.kind === 'logical' && !hasEntries(fb, node))
    return emitInFront(fb, condition.operands, then, otherwise);
  const test = emitBranchCondition(fb, node, 0);
  const block = fb.block(then);
  return otherwise.length === 0 ? fb.module.if(test, block) : fb.module.if(test, block, fb.block(otherwise));
}

function emitChain(fb: FunctionBuilder, node: If): ExpressionRef {
  const m = fb.module;
  const end = fb.newLabel('end');
  const links = node.arms.map(({ then }, index) =>
    m.if(emitBranchCondition(fb, node, index), m.block(null, [...fb.statements(then), m.br(end)])),
  );
  return m.block(end, [...links, ...fb.statements(node.otherwise)], none);
}

/**
 * A jump for each test.
 * ```
 * block $end
 *   block $otherwise  (br_if $otherwise (eqz test)) …  then  br $end  end
 *   otherwise
 * ```
 */
function emitInFront(
  fb: FunctionBuilder,
  tests: readonly Expression[],
  then: readonly Statement[],
  otherwise: readonly Statement[],
): ExpressionRef {
  const m = fb.module;
  const end = fb.newLabel('end');
  const failed = fb.newLabel('otherwise');
  const leave = tests.map((test) => m.br_if(failed, m.i32.eqz(fb.expression(test))));
  return m.block(end, [m.block(failed, [...leave, fb.block(then), m.br(end)], none), fb.block(otherwise)], none);
}

/**
 * ```
 * block $break
 *   loop $iteration
 *     (br_if $break (eqz condition))     where the test comes first
 *     block $continue  body  end
 *     step
 *     (br_if $break (eqz condition))     where it comes last
 *     br $iteration                      osr.ts counts the iterations here
 * ```
 */
export function emitLoop(fb: FunctionBuilder, node: Loop): ExpressionRef {
  if (node.counted !== undefined && stopsIn(fb, node)) return emitInStrips(fb, node, node.counted);
  const m = fb.module;
  const breakLabel = fb.newLabel('break');
  const continueLabel = fb.newLabel('continue');
  const iterationLabel = fb.newLabel('iteration');
  const leave = node.condition === null ? [] : [m.br_if(breakLabel, m.i32.eqz(fb.expression(node.condition)))];
  fb.contexts.push({ kind: 'loop', id: node.id, breakLabel, continueLabel });
  const body = m.block(continueLabel, fb.statements(node.body, node.testFirst ? leave : []), none);
  fb.contexts.pop();
  const step = fb.block(node.step);
  const atOnce = node.isShort === true ? iterationsAtOnce(fb, node) : null;
  const isCounted = fb.emitter.counts && fb.fuelLocal !== null && atOnce === null;
  // An iteration counts when it is over, so before a test that comes last.
  const early = isCounted && !node.testFirst ? [emitCount(fb, m.i32.const(1))] : [];
  const parts = [
    body,
    step,
    ...early,
    ...(node.testFirst ? [] : leave),
    ...emitBackEdge(fb, node, iterationLabel, isCounted, early.length > 0 ? 0 : 1),
  ];
  const loop = m.block(
    breakLabel,
    [...emitArrival(fb, node), m.loop(iterationLabel, m.block(null, parts, none))],
    none,
  );
  return atOnce === null ? loop : m.block(null, [atOnce.begin, loop, ...atOnce.count()], none);
}

/**
 * ```
 * block $break
 *   (br_if $break (eqz condition))
 *   loop $strip
 *     stop = …
 *     loop $iteration
 *       block $continue  body  end
 *       step
 *       (br_if $iteration (variable < stop))
 *     (br_if $break (eqz (variable < limit)))
 *     br $strip                          osr.ts counts the iterations here
 * ```
 * Where nothing has to be counted or looked at in between, one strip is as long as a call may be.
 */
function emitInStrips(fb: FunctionBuilder, node: Loop, counted: CountedLoop): ExpressionRef {
  const m = fb.module;
  const breakLabel = fb.newLabel('break');
  const continueLabel = fb.newLabel('continue');
  const stripLabel = fb.newLabel('strip');
  const iterationLabel = fb.newLabel('iteration');
  const leave = (condition: ExpressionRef): ExpressionRef => m.br_if(breakLabel, m.i32.eqz(condition));
  fb.contexts.push({ kind: 'loop', id: node.id, breakLabel, continueLabel });
  const body = m.block(continueLabel, [fb.block(node.body)], none);
  fb.contexts.pop();
  const { counts, iterationsPerCall } = fb.emitter;
  const isOneStrip = !counts && cannotWrap(counted);
  const { begin, goesOn } = emitStrip(fb, counted, isOneStrip ? iterationsPerCall : stripLength(fb));
  const atOnce = iterationsAtOnce(fb, node);
  const each = counts && atOnce === null ? [emitCount(fb, m.i32.const(1))] : [];
  const iterations = m.loop(
    iterationLabel,
    m.block(null, [body, fb.block(node.step), ...each, m.br_if(iterationLabel, goesOn)], none),
  );
  const next = isOneStrip ? emitStop(fb, node) : emitNextIterations(fb, node, stripLabel, counts ? 0 : stripLength(fb));
  // The condition has looked at the array whose length is the limit.
  const goesOnAfter = emitComparison(
    fb,
    counted.comparison,
    fb.getLocal(counted.variable),
    fb.expression(counted.limit),
  );
  const strip = m.block(null, [begin, iterations, leave(goesOnAfter), ...(atOnce?.count() ?? []), ...next], none);
  const strips = isOneStrip ? strip : m.loop(stripLabel, strip);
  const loop = m.block(
    breakLabel,
    [
      ...emitArrival(fb, node),
      ...(atOnce === null ? [] : [atOnce.begin]),
      leave(fb.expression(node.condition!)),
      strips,
    ],
    none,
  );
  return atOnce === null ? loop : m.block(null, [loop, ...atOnce.count()], none);
}

/** `isCounted`: every iteration is counted, and `done` of them are not yet. */
function emitBackEdge(
  fb: FunctionBuilder,
  node: Loop,
  iterationLabel: string,
  isCounted: boolean,
  done: number,
): readonly ExpressionRef[] {
  const m = fb.module;
  if (node.outlined !== undefined)
    return fb.fuelLocal === null
      ? [m.br(iterationLabel)]
      : [emitGoOn(fb, iterationLabel, done), emitCallOutlined(fb, node.outlined, node.span)];
  if (stopsIn(fb, node)) {
    return emitNextIterations(fb, node, iterationLabel, isCounted ? done : (node.weight ?? done));
  }
  if (!isCounted) return [m.br(iterationLabel)];
  if (node.isShort === true) return [emitCount(fb, m.i32.const(done)), m.br(iterationLabel)];
  return emitIterationOrPoll(fb, iterationLabel, done, node.span);
}

export function emitBreak(fb: FunctionBuilder, loop: LoopId): ExpressionRef {
  return emitJump(fb, loop, 'breakLabel');
}

export function emitContinue(fb: FunctionBuilder, loop: LoopId): ExpressionRef {
  return emitJump(fb, loop, 'continueLabel');
}

function emitJump(fb: FunctionBuilder, loop: LoopId, label: 'breakLabel' | 'continueLabel'): ExpressionRef {
  const depth = fb.contexts.findLastIndex((context) => context.kind === 'loop' && context.id === loop);
  const target = fb.contexts[depth];
  if (target?.kind !== 'loop') throw new Error('a jump without its loop');
  return fb.module.block(null, [...emitLeave(fb, depth + 1), fb.module.br(target[label])]);
}

/** The value is worked out before the constructs around are left. */
export function emitReturn(fb: FunctionBuilder, value: Expression | null): ExpressionRef {
  const m = fb.module;
  const leave = [...emitLeave(fb, 0), ...emitFuelWriteBack(fb)];
  if (value === null) return m.block(null, [...leave, m.return()]);
  const result = fb.expression(value);
  if (leave.length === 0) return m.return(result);
  const type = fb.wasmType(value.type);
  const local = fb.newLocal(type);
  return m.block(null, [m.local.set(local, result), ...leave, m.return(m.local.get(local, type))]);
}
