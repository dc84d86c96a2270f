// If-conversion in the copies of a jammed loop: what goes with the greatest or least number so far is chosen without a
// branch. For each copy another one is guessed wrong, where a few iterations find the best of their own again and again.
//
//   if (v > best)            arg = (v > best) ? p : arg
//     best = v               best = (v > best) ? v : best
//     arg = p
//
// Source: Allen, Kennedy, Porterfield, Warren, "Conversion of control dependence to data dependence" (POPL 1983).

import type { Expression, If, Statement } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import { isConstant } from '../../mir/kinds.ts';
import { isReadIn } from '../../mir/locals.ts';
import type { Part } from './tree.ts';

type SetLocal = Statement & { readonly kind: 'set-local' };

/** The most locals that are chosen at once: what a branch passes over costs nothing. */
const mostChosen = 3;

/** The parts without such branches. */
export function predicate(parts: readonly Part[]): readonly Part[] {
  return parts.map((part): Part => {
    if (part.kind === 'loop') return { ...part, parts: predicate(part.parts) };
    if (part.control !== undefined) return part;
    const chosen = part.statements.map((node) => (node.kind === 'if' ? choicesOf(node) : null));
    if (chosen.every((choices) => choices === null)) return part;
    return { ...part, statements: part.statements.flatMap((node, index) => chosen[index] ?? [node]) };
  });
}

/** Its choices, that of the number that is compared last; null where it is another branch. */
function choicesOf(node: If): readonly Statement[] | null {
  const [arm, ...others] = node.arms as readonly [If['arms'][number]];
  const sets = arm.then.filter((inner): inner is SetLocal => inner.kind === 'set-local');
  const isPlain = others.length === 0 && node.otherwise.length === 0 && sets.length === arm.then.length;
  if (!isPlain || sets.length < 2 || sets.length > mostChosen) return null;
  const { condition } = arm;
  const best = sets.find((set) => isBetter(condition, set));
  const own = new Set(sets.map(({ local }) => local));
  const isApart = sets.every(
    (set) =>
      (set === best || !isReadIn(condition, set.local)) && [...own].every((local) => !isReadIn(set.value, local)),
  );
  if (best === undefined || own.size < sets.length || !isApart) return null;
  const areCheap = sets.every(({ value }) => value.kind === 'get-local' || isConstant(value));
  const ordered = [...sets.filter((set) => set !== best), best];
  return areCheap ? ordered.map((set) => chosenBy(condition, set)) : null;
}

/**
 * Whether the number that is set is compared with what it is set to, both by their names, so that there is an instruction
 * for the choice.
 */
function isBetter(condition: Expression, { local, value }: SetLocal): boolean {
  if (condition.kind !== 'operate' || !/^[<>](?:\(double,double\)|=?\(int,int\))$/.test(condition.operator))
    return false;
  const [left, right] = condition.operands.map((operand) => (operand.kind === 'get-local' ? operand.local : null));
  const to = value.kind === 'get-local' ? value.local : null;
  return to !== null && ((left === to && right === local) || (right === to && left === local));
}

function chosenBy(condition: Expression, set: SetLocal): Statement {
  const { local, value, span } = set;
  const { type } = value;
  const otherwise = getLocal(local, type, span);
  return { ...set, value: { kind: 'conditional', condition, then: value, otherwise, type, span } };
}
