// Charges of a known number of units are owed before they are paid: the emitter adds them up along the statements of a
// function, and only where somebody looks is the sum subtracted from the fuel: at calls, returns, and in the code of
// errors, which seldom runs.
//
// At each place of a function the sum is a number that the compiler knows. Branches that meet owe the same there: what is
// owed at the end of the last of them. Inside loops, clauses and expressions the sum stays as it is, and charges are paid
// at once.

import type { Statement } from '../mir/mir.ts';
import { partsOf, visitAll } from '../mir/children.ts';
import { isJump } from '../mir/kinds.ts';
import type { ExpressionRef } from './binaryen.ts';
import { none } from './binaryen.ts';
import { countsInLocal, emitPayment } from './fuel.ts';
import type { FunctionBuilder } from './function-builder.ts';

/**
 * The statements of a whole function.
 * ```
 * charge 1                                 (owed: 1)
 * if (free[i])                             if (free[i])          if this fails, $left = fuel - 1
 *   charge 1                                 (owed: 2)
 *   #f()                                     fuel = fuel - 2;  fuel = f(fuel)
 *                                            fuel = fuel - -1    (owed: 1, as without the branch)
 * charge 1                                 (owed: 2)
 * return                                   return fuel - 2
 * ```
 */
export function emitOwingBody(fb: FunctionBuilder, emit: () => ExpressionRef[]): ExpressionRef[] {
  fb.mayOwe = countsInLocal(fb) && fb.osr === null;
  const body = emit();
  fb.mayOwe = false;
  fb.owed = 0;
  return body;
}

/** A statement; what is owed is paid in front of it where it would have to be paid more than once. */
export function emitOwing(fb: FunctionBuilder, node: Statement, emit: () => ExpressionRef): ExpressionRef {
  if (!fb.mayOwe) return emit();
  const isClosed = node.kind === 'loop' || node.kind === 'try';
  const pays = fb.owed !== 0 && (isClosed || node.kind === 'poll' || calls(node));
  const payment = pays ? [emitPayment(fb, fb.owed)] : [];
  if (pays) fb.owed = 0;
  fb.mayOwe = !isClosed;
  const written = emit();
  fb.mayOwe = true;
  return pays ? fb.module.block(null, [...payment, written], none) : written;
}

/** Whether an expression of the statement itself calls a function of the script. */
function calls(node: Statement): boolean {
  let found = false;
  const expressions = node.kind === 'if' ? node.arms.map(({ condition }) => condition) : headOf(node);
  visitAll(expressions, ({ kind }) => void (found ||= kind === 'call'));
  return found;
}

function headOf(node: Statement): ReturnType<typeof partsOf> {
  return node.kind === 'block' ? [] : partsOf(node);
}

/** Branches that meet behind them, one of which runs. */
export function emitBranches(
  fb: FunctionBuilder,
  branches: readonly (readonly Statement[])[],
): readonly ExpressionRef[] {
  const { module: m, owed: before } = fb;
  const written = branches.map((branch) => {
    fb.owed = before;
    const statements = fb.statements(branch);
    const last = branch.at(-1);
    return { statements, owed: fb.owed, meets: last === undefined || !isJump(last) };
  });
  const owed = written.findLast(({ meets }) => meets)?.owed ?? before;
  fb.owed = owed;
  return written.map((branch) => {
    const rest = branch.meets ? branch.owed - owed : 0;
    return m.block(null, [...branch.statements, ...(rest === 0 ? [] : [emitPayment(fb, rest)])], none);
  });
}

/** Emits what has branches that do not meet as those of an if: in them nothing is owed anew. */
export function emitPaying<Result>(fb: FunctionBuilder, emit: () => Result): Result {
  const { mayOwe } = fb;
  fb.mayOwe = false;
  const written = emit();
  fb.mayOwe = mayOwe;
  return written;
}
