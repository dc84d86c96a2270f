// Nests whose outermost loop is left in the middle of an iteration, or goes on while a condition holds: what converges.
//
//   while (change > eps) {                loop  if (!(change > eps)) break   …   if (steps > most) { $left = 1; break }
//     …  if (steps > most) return null;   if ($left == 1) return null;  else the loop as it was
//   }
//
// What else is done where it is left comes behind the nest, when arrays hold what they are to hold: anything may stand there.

import { getLocal, int } from '../../mir/builders.ts';
import { flatten, visitStatements } from '../../mir/children.ts';
import { copyStatements } from '../../mir/clone.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { Arm, Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { booleanType, intType, isScalar } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { count } from './reading.ts';
import type { Exits } from './tree.ts';

/** So many iterations a loop is taken to make that does not count them. */
export const guessedIterations = 16n;

/** A place where the outermost loop is left. */
export interface Exit {
  readonly condition: Expression;
  /** What is done there, without a jump to the end of the loop. */
  readonly then: readonly Statement[];
}

/** The way out that a statement of the loop's body is; null if it is none, or does more than can be done behind it. */
export function exitOf(node: Statement, root: Loop): Exit | null {
  if (node.kind !== 'if' || node.otherwise.length > 0 || node.arms.length > 1) return null;
  const { condition, then: written } = node.arms[0]!;
  const block = flatten(written);
  const last = block.at(-1);
  if (last === undefined) return null;
  const isBreak = last.kind === 'break' && last.loop === root.id;
  if (!isBreak && last.kind !== 'return' && last.kind !== 'finish' && last.kind !== 'throw') return null;
  const then = isBreak ? block.slice(0, -1) : block;
  let isPlain = true;
  visitStatements(then, ({ kind }) => void (isPlain &&= kind !== 'break' && kind !== 'continue' && kind !== 'loop'));
  return isPlain ? { condition, then } : null;
}

/** `if (condition) { …; break }` */
export function leaveWith(condition: Expression, root: Loop, then: readonly Statement[]): Statement {
  const { span } = condition;
  const jump: Statement = { kind: 'break', loop: root.id, span };
  return { kind: 'if', arms: [{ condition, then: [...then, jump] }], otherwise: [], span };
}

/** By the jumps to the end of a loop: what is done in front of them. */
export type Blocks = ReadonlyMap<Statement, readonly Statement[]>;

/** The loop with nothing but jumps where it is left; what was there is found by them, to be done behind the nest. */
export function withoutBlocks(
  root: Loop,
  typeOf: (local: LocalId) => Type,
): { readonly loop: Loop; readonly blocks: Blocks } {
  const blocks = new Map<Statement, readonly Statement[]>();
  const body = flatten(root.body).map((node) => {
    const exit = exitOf(node, root);
    if (exit === null) return node;
    const left = leaveWith(exit.condition, root, []) as If;
    // The loop as it was keeps its own.
    blocks.set(
      left.arms[0]!.then[0]!,
      copyStatements(exit.then, (local) => local),
    );
    return left;
  });
  // Rows in locals of a nest are not there behind it.
  const set = count(body, localsSet);
  const read = count([...blocks.values()].flat(), localsRead);
  const isThere = [...read.keys()].every((local) => !set.has(local) || isScalar(typeOf(local)));
  return blocks.size === 0 || !isThere ? { loop: root, blocks: new Map() } : { loop: { ...root, body }, blocks };
}

/** The local gets the number of a way out; a loop that ends there by itself as it was has no number. */
export function numbered(left: LocalId | null, number: number, span: Span): readonly Statement[] {
  return left === null ? [] : [{ kind: 'set-local', local: left, value: int(BigInt(number), span), span }];
}

/** The nest, and behind it the loop as it was, or what is done where the nest was left. */
export function withExits(
  { left, kept, blocks }: Exits,
  nest: readonly Statement[],
  loop: Statement,
  span: Span,
): readonly Statement[] {
  const isLeftAt = (number: number): Expression => ({
    kind: 'operate',
    operator: '==(int,int)',
    operands: [getLocal(left, intType, span), int(BigInt(number), span)],
    type: booleanType,
    span,
  });
  const arms = blocks.map((then, index): Arm => ({ condition: isLeftAt(index + 1), then }));
  return [
    { kind: 'set-local', local: left, value: int(0n, span), span },
    ...kept,
    ...nest,
    { kind: 'if', arms, otherwise: [loop], span },
  ];
}
