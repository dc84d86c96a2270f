// Guards: what the conditions of an `if` around an access say of its subscripts. `if (i > 0) … a[i - 1]` stays in range
// where `a[i - 1]` alone would not. Such an access may be made nowhere but behind its guard.

import type { Expression, LocalId } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { readComparison } from '../analysis/counted-loops.ts';
import { add, constantForm, isSmall, plus } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { extremeOf } from './extremes.ts';
import { visitParts } from './tree.ts';
import type { Accesses, Bounds, NestLoop, Part, Reference } from './tree.ts';

/** That a form is at least 0, or that it is not 0. */
export interface Guard {
  readonly form: AffineForm;
  readonly is: 'at least 0' | 'not 0';
  /** What was compared: where all of these are small, no sum in the condition has wrapped. */
  readonly locals: readonly LocalId[];
}

/** What a condition says where it holds, or where it does not. */
export function guardsOf(
  condition: Expression,
  holds: boolean,
  affine: (node: Expression) => AffineForm | null,
): readonly Guard[] {
  if (condition.kind === 'logical') {
    if ((condition.operator === '&&') !== holds) return [];
    return condition.operands.flatMap((operand) => guardsOf(operand, holds, affine));
  }
  if (condition.kind !== 'operate') return [];
  const { operator, operands } = condition;
  if (operator === '!(boolean)') return guardsOf(operands[0]!, !holds, affine);
  const isEquality = operator === '==(int,int)' || operator === '!=(int,int)';
  const comparison = readComparison(operator);
  if (!isEquality && comparison === null) return [];
  const [left, right] = operands.map(affine);
  if (left === null || left === undefined || right === null || right === undefined) return [];
  const locals = [...left.terms.keys(), ...right.terms.keys()];
  const atMost = (low: AffineForm, high: AffineForm, by: bigint): Guard => ({
    form: plus(add(high, low, -1n), -by),
    is: 'at least 0',
    locals,
  });
  if (isEquality) {
    if ((operator === '==(int,int)') === holds) return [atMost(left, right, 0n), atMost(right, left, 0n)];
    return [{ form: add(left, right, -1n), is: 'not 0', locals }];
  }
  const isOpen = comparison === '<' || comparison === '>';
  const isBelow = comparison === '<' || comparison === '<=';
  const by = isOpen === holds ? 1n : 0n;
  return isBelow === holds ? [atMost(left, right, by)] : [atMost(right, left, by)];
}

/**
 * Has accesses and rows behind guards stay within what these say of their subscripts. Gives the locals of the guards that
 * say something.
 */
export function narrow(
  root: NestLoop,
  guards: ReadonlyMap<Node, readonly Guard[]>,
  accesses: Accesses,
  rows: Map<Node, Reference>,
): ReadonlySet<LocalId> {
  const locals = new Set<LocalId>();
  const narrowIn = <Kind extends Reference>(found: Map<Node, Kind>, node: Node, loops: readonly NestLoop[]): void => {
    const reference = found.get(node);
    const known = guards.get(node);
    if (reference === undefined || known === undefined || reference.ranges !== undefined) return;
    const within = reference.subscripts.map((form) => boundsOf(form, known, loops, locals));
    if (within.some(({ least, greatest }) => least !== null || greatest !== null))
      found.set(node, { ...reference, within });
  };
  visitParts([root], (part: Part, loops) => {
    if (part.kind === 'loop') return;
    visitAll(part.statements, (node) => {
      narrowIn(accesses, node, loops);
      narrowIn(rows, node, loops);
    });
  });
  return locals;
}

/** The bounds of a subscript that are nearer than those which the loops give. */
function boundsOf(
  form: AffineForm,
  guards: readonly Guard[],
  loops: readonly NestLoop[],
  locals: Set<LocalId>,
): Bounds {
  const usual = extremeOf(form, loops, false);
  const isPlain = usual.terms.size === 0 && usual.constant >= 0n;
  return {
    least: isPlain ? null : nearest(form, guards, loops, false, locals),
    greatest: nearest(form, guards, loops, true, locals),
  };
}

function nearest(
  form: AffineForm,
  guards: readonly Guard[],
  loops: readonly NestLoop[],
  isGreatest: boolean,
  locals: Set<LocalId>,
): AffineForm | null {
  const usual = extremeOf(form, loops, isGreatest);
  const variables = new Set(loops.map(({ variable }) => variable));
  const variablesOf = ({ terms }: AffineForm): readonly LocalId[] =>
    [...terms.keys()].filter((local) => variables.has(local));
  const found = guards.flatMap((guard) => {
    const above = atLeastZero(guard, loops);
    if (above === null) return [];
    // At most itself and what is at least 0, and at least itself without that.
    const bound = add(form, above, isGreatest ? 1n : -1n);
    const left = variablesOf(bound);
    const isLess = left.length < variablesOf(form).length && left.every((local) => form.terms.has(local));
    const extreme = extremeOf(bound, loops, isGreatest);
    const difference = add(extreme, usual, -1n);
    const isNoNearer =
      difference.terms.size === 0 && (isGreatest ? difference.constant >= 0n : difference.constant <= 0n);
    return isLess && isSmall(extreme) && !isNoNearer ? [{ extreme, guard }] : [];
  });
  const chosen = found.find(({ extreme }) => extreme.terms.size === 0) ?? found[0];
  for (const local of chosen?.guard.locals ?? []) if (!variables.has(local)) locals.add(local);
  return chosen?.extreme ?? null;
}

/** What is not 0 is above or below, if its loops end there. */
function atLeastZero({ form, is }: Guard, loops: readonly NestLoop[]): AffineForm | null {
  if (is === 'at least 0') return form;
  const isZero = (isGreatest: boolean): boolean => {
    const { terms, constant } = extremeOf(form, loops, isGreatest);
    return terms.size === 0 && constant === 0n;
  };
  if (isZero(false)) return plus(form, -1n);
  return isZero(true) ? plus(add(constantForm(0n), form, -1n), -1n) : null;
}
