// Branches, loops and the jumps out of them.

import { lastEntryAmong } from '../mir/re-entry.ts';
import { emitJumpIf, emitJumpUnless } from './conditions.ts';
import type { Arm, Expression, If, Loop, LoopId, Statement } from '../mir/mir.ts';
import { putOnStack } from '../mir/stack.ts';
import { i32, negate, none } from './binaryen.ts';
import type { ExpressionRef } from './binaryen.ts';
import { emitOutOfFuel, emitReturnWithFuel } from './fuel.ts';
import { emitLeave } from './errors.ts';
import type { Context, FunctionBuilder } from './function-builder.ts';
import { emitBranches, emitPaying } from './owed-fuel.ts';
import { emitArrival, emitBeforeBody, emitBranchCondition } from './osr.ts';
import { emitSavedStack, nothingSaved } from './stack.ts';

/** An `else if` chain longer than this is emitted as a flat sequence of ifs instead of nested ifs. */
const longestNest = 20;

/**
 * `(if condition then otherwise)`; a long chain becomes
 * `block $end  (if c1 (block then1 (br $end)))  (if c2 …)  otherwise  end`.
 */
export function emitIf(fb: FunctionBuilder, node: If): ExpressionRef {
  if (node.lastEntry !== undefined && isGuard(node)) return emitGuard(fb, node);
  if (node.arms.length > longestNest) return emitPaying(fb, () => emitChain(fb, node));
  const [{ condition, then }, ...others] = node.arms as readonly [Arm, ...(readonly Arm[])];
  const otherwise: readonly Statement[] = others.length === 0 ? node.otherwise : [withoutFirstArm(node)];
  const jump = otherwise.length === 0 ? emitConditionalJump(fb, condition, then) : null;
  if (jump !== null) return jump;
  if (isLogical(condition) && node.lastEntry === undefined) return emitTests(fb, condition, then, otherwise);
  const test = emitBranchCondition(fb, node, 0);
  const [block, other] = emitBranches(fb, [then, otherwise]) as [ExpressionRef, ExpressionRef];
  return otherwise.length === 0 ? fb.module.if(test, block) : fb.module.if(test, block, other);
}

/** Whether there are several tests. */
function isLogical(condition: Expression): boolean {
  return condition.kind === 'operate' && condition.operator === '!(boolean)'
    ? isLogical(condition.operands[0]!)
    : condition.kind === 'logical';
}

/**
 * An if of several tests.
 * ```
 * block $end
 *   block $otherwise  (br_if $otherwise (eqz test)) …  then  br $end  end
 *   otherwise
 * ```
 */
function emitTests(
  fb: FunctionBuilder,
  condition: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[],
): ExpressionRef {
  const m = fb.module;
  const failed = fb.newLabel('otherwise');
  const leave = emitJumpUnless(fb, condition, failed);
  const [block, other] = emitBranches(fb, [then, otherwise]) as [ExpressionRef, ExpressionRef];
  if (otherwise.length === 0) return m.block(failed, [...leave, block], none);
  const end = fb.newLabel('end');
  return m.block(end, [m.block(failed, [...leave, block, m.br(end)], none), other], none);
}

/** The if without its first arm. OSR entries are numbered in the order of the arms, so its last entry may stay. */
function withoutFirstArm({ lastEntry, ...node }: If): If {
  const [first, ...arms] = node.arms as readonly [Arm, ...(readonly Arm[])];
  const isFurtherOn = lastEntry !== undefined && lastEntryAmong(first.then) !== lastEntry;
  return { ...node, arms, ...(isFurtherOn ? { lastEntry } : {}) };
}

/** `if (condition) break;` is one instruction, unless constructs are left by it that have code for that. */
function emitConditionalJump(
  fb: FunctionBuilder,
  condition: Expression,
  [jump, ...others]: readonly Statement[],
): ExpressionRef | null {
  if ((jump?.kind !== 'break' && jump?.kind !== 'continue') || others.length > 0) return null;
  const { label, leave } = findJump(fb, jump.loop, jump.kind === 'break' ? 'breakLabel' : 'continueLabel');
  return leave.length > 0 ? null : fb.module.block(null, [...emitJumpIf(fb, condition, label)], none);
}

/** Whether the if has one branch alone. */
function isGuard(node: Statement): node is If {
  return node.kind === 'if' && node.arms.length === 1 && node.otherwise.length === 0;
}

/**
 * An if with one branch, and an OSR entry in it. A function on its way to the entry skips the condition, and all that is
 * in front of the entry. Ifs with one branch that end the branch are written with it:
 * ```
 * block $otherwise
 *   (br_if $otherwise (eqz condition))  …  (br_if $otherwise (eqz other))  …      unless on the way to the entry
 *   (loop …)
 * ```
 */
function emitGuard(fb: FunctionBuilder, node: If): ExpressionRef {
  const m = fb.module;
  const otherwise = fb.newLabel('otherwise');
  const before: ExpressionRef[] = [];
  const test = ({ condition }: Arm): void => void before.push(...emitJumpUnless(fb, condition, otherwise));
  let [arm] = node.arms as readonly [Arm];
  for (;;) {
    test(arm);
    const then = unwrapped(arm.then);
    const last = then.at(-1);
    const front = then.slice(0, -1);
    if (last === undefined || !isGuard(last) || lastEntryAmong([last]) === null || lastEntryAmong(front) !== null)
      return m.block(otherwise, fb.statements(then, before), none);
    before.push(...fb.statements(front));
    [arm] = last.arms as readonly [Arm];
  }
}

/** The statements, with those of blocks in their place. */
function unwrapped(nodes: readonly Statement[]): readonly Statement[] {
  return nodes.flatMap((node) => (node.kind === 'block' ? unwrapped(node.statements) : [node]));
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
 * ```
 * block $break
 *   saved = $stack                       if iterations put arrays on the stack
 *   loop $iteration
 *     $stack = saved
 *     (br_if $break (eqz condition))     if the test comes first
 *     block $continue  body  end
 *     step
 *     br $iteration                      (br_if $iteration condition) if the test comes last
 * ```
 */
export function emitLoop(fb: FunctionBuilder, node: Loop): ExpressionRef {
  const m = fb.module;
  const { id, condition, testFirst } = node;
  const breakLabel = fb.newLabel('break');
  const continueLabel = fb.newLabel('continue');
  const iterationLabel = fb.newLabel('iteration');
  const leave = condition === null || !testFirst ? [] : emitJumpUnless(fb, condition, breakLabel);
  const again = condition === null || testFirst ? null : emitJumpIf(fb, condition, iterationLabel);
  const isPutting = fb.emitter.putsOnStack(fb.instance) && putOnStack([node], fb.instance.fn, fb.instance.typeArgument);
  const savedStack = isPutting ? fb.newLocal(i32) : null;
  const { save, restore } = savedStack === null ? nothingSaved : emitSavedStack(fb.emitter, savedStack);
  const context: Context = { kind: 'loop', id, breakLabel, continueLabel, savedStack, isContinued: false };
  fb.contexts.push(context);
  const statements = fb.statements(node.body, [...restore, ...leave]);
  const body = m.block(context.isContinued ? continueLabel : null, statements, none);
  const next = again === null ? emitStep(fb, node.step, iterationLabel) : [fb.block(node.step), ...again];
  fb.contexts.pop();
  const iterations = m.loop(iterationLabel, m.block(null, [body, ...next], none));
  return m.block(breakLabel, [...emitBeforeBody(fb, node, save), ...emitArrival(fb, node), iterations], none);
}

/** The step and the back edge. An `if` at the end of the step is unlikely, so the other case gets its own back edge. */
function emitStep(fb: FunctionBuilder, step: readonly Statement[], iterationLabel: string): readonly ExpressionRef[] {
  const m = fb.module;
  const back = (): ExpressionRef => m.br(iterationLabel);
  const last = step.at(-1);
  if (last?.kind !== 'if' || last.arms.length > 1 || last.otherwise.length > 0) return [fb.block(step), back()];
  const [{ condition, then }] = last.arms as readonly [Arm];
  const isOther = condition.kind === 'out-of-fuel' ? emitOutOfFuel(fb, true) : negate(m, fb.expression(condition));
  return [fb.block(step.slice(0, -1)), m.br_if(iterationLabel, isOther), ...fb.statements(then), back()];
}

export function emitBreak(fb: FunctionBuilder, loop: LoopId): ExpressionRef {
  return emitJump(fb, loop, 'breakLabel');
}

export function emitContinue(fb: FunctionBuilder, loop: LoopId): ExpressionRef {
  return emitJump(fb, loop, 'continueLabel');
}

function emitJump(fb: FunctionBuilder, loop: LoopId, kind: 'breakLabel' | 'continueLabel'): ExpressionRef {
  const { label, leave } = findJump(fb, loop, kind);
  return fb.module.block(null, [...leave, fb.module.br(label)]);
}

/** The label of a jump, and the code that leaves the constructs in between. */
function findJump(
  fb: FunctionBuilder,
  loop: LoopId,
  label: 'breakLabel' | 'continueLabel',
): { readonly label: string; readonly leave: readonly ExpressionRef[] } {
  const depth = fb.contexts.findLastIndex((context) => context.kind === 'loop' && context.id === loop);
  const target = fb.contexts[depth];
  if (target?.kind !== 'loop') throw new Error('a jump without its loop');
  if (label === 'continueLabel') target.isContinued = true;
  return { label: target[label], leave: emitLeave(fb, depth + 1) };
}

/** Evaluates the value before the code that leaves the enclosing constructs. */
export function emitReturn(fb: FunctionBuilder, value: Expression | null): ExpressionRef {
  const leave = emitLeave(fb, 0);
  return value === null
    ? emitReturnWithFuel(fb, null, none, leave)
    : emitReturnWithFuel(fb, fb.expression(value), fb.wasmType(value.type), leave);
}
