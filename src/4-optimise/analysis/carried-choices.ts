// Choices between doubles that the next iteration waits for, `s = s > 10.0 ? s - v : s + v`: without a branch all of it is
// worked out one after the other, which takes longer than a branch that is foreseen. The greatest or least so far is one
// instruction, and no such choice.

import { haveSameForm } from '../../mir/builders.ts';
import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import { isGet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { localsIn } from './loop-nests.ts';

type Conditional = Expression & { readonly kind: 'conditional' };

/** The conditionals of a function that choose such doubles. */
export function findCarriedChoices({ body }: MirFunction): ReadonlySet<Expression> {
  const found = new Set<Expression>();
  visitStatements(body, (node) => {
    if (node.kind === 'loop' && !hasLoop(node.body)) addCarried(node, found);
  });
  return found;
}

/** So many steps are made for the choices of a loop; of the others it is not known. */
const mostSteps = 10_000;

function addCarried(loop: Loop, found: Set<Expression>): void {
  const reads = new Map<LocalId, Set<LocalId>>();
  const choices: (readonly [LocalId, Expression, Conditional])[] = [];
  visitAll([loop], (node) => {
    if (node.kind !== 'set-local') return;
    const { local, value } = node;
    const read = reads.get(local) ?? new Set();
    reads.set(local, read);
    for (const one of localsIn(value)) read.add(one);
    visitAll([value], (part) => {
      if (part.kind === 'conditional' && part.type.kind === 'double') choices.push([local, value, part]);
    });
  });
  let steps = 0;
  /** Whether a value is made of a local, by way of other variables of the loop too. */
  const dependsOn = (value: Expression, local: LocalId): boolean => {
    const reached = new Set(localsIn(value));
    for (const next of reached) {
      steps += 1;
      if (next === local || steps > mostSteps) return true;
      for (const further of reads.get(next) ?? []) reached.add(further);
    }
    return false;
  };
  for (const [local, value, choice] of choices)
    if (!(choice === value && isExtremeSoFar(choice, local)) && dependsOn(choice, local)) found.add(choice);
}

/** `most = v > most ? v : most` */
function isExtremeSoFar({ condition, then, otherwise }: Conditional, local: LocalId): boolean {
  if (condition.kind !== 'operate') return false;
  const [left, right] = condition.operands as readonly [Expression, Expression];
  const areSame = (one: Expression, other: Expression): boolean =>
    haveSameForm(left, one) && haveSameForm(right, other);
  return [then, otherwise].some((part) => isGet(part, local)) && (areSame(then, otherwise) || areSame(otherwise, then));
}
