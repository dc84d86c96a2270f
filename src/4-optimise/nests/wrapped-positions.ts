// Positions that go around: what is less than a period away needs no division.
//
//   x = ((i + d) % n + n) % n    $turned = i + d;      x = $turned < 0 ? $turned + n : ($turned >= n ? $turned - n : $turned)
//   x = (i + d + n) % n          $turned = i + d + n - n;  and so on
//   x = (i + j) % n              $turned = i + j;      x = $turned >= n ? $turned - n : $turned
//
// Source: strength reduction of remainders, as Sheldon, Lee, Greenwald, Amarasinghe, "Strength reduction of integer
// division and modulo operations" (2001).

import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { booleanType, intType } from '../../language/types.ts';
import { add, constantForm, keyOf, plus } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { extremeOf } from './extremes.ts';
import type { Names } from './reading.ts';
import { rangeOf } from './symbolic-ranges.ts';
import type { FoundRange, RangeContext } from './symbolic-ranges.ts';

type SetLocal = Statement & { readonly kind: 'set-local' };
type Operation = Expression & { readonly kind: 'operate' };

/** A position without divisions. */
export interface WrappedPosition {
  readonly turned: SetLocal;
  readonly value: Expression;
  readonly found: FoundRange;
}

/** The position that a value is; null where it is none, or nobody knows how often it goes around, as of a constant period. */
export function wrapPosition(
  value: Expression,
  names: Names,
  context: RangeContext,
  newLocal: () => LocalId,
): WrappedPosition | null {
  if (!isRemainder(value)) return null;
  const [left, right] = value.operands as readonly [Expression, Expression];
  const period = context.affine(right, names);
  if (period === null || period.terms.size === 0 || ![...period.terms.keys()].every(context.isInvariant)) return null;
  const turned = turnedBy(left, right, period, names, context);
  const range = turned === null ? null : rangeOf(turned.position, names, context);
  if (turned === null || range === null) return null;
  const { position, isPositive } = turned;
  const least = extremeOf(range.range.least, names.loops, false);
  const greatest = extremeOf(range.range.greatest, names.loops, true);
  const { span } = value;
  const local = newLocal();
  const read = (): Expression => getLocal(local, intType, span);
  const compare = (comparison: '<' | '>=', other: Expression): Expression => ({
    kind: 'operate',
    operator: `${comparison}(int,int)`,
    operands: [read(), other],
    type: booleanType,
    span,
  });
  const choose = (condition: Expression, then: Expression, otherwise: Expression): Expression => ({
    kind: 'conditional',
    condition,
    then,
    otherwise,
    type: intType,
    span,
  });
  const above = choose(compare('>=', right), arithmetic('-', read(), right), read());
  return {
    turned: { kind: 'set-local', local, value: position, span },
    value: isPositive ? above : choose(compare('<', int(0n, span)), arithmetic('+', read(), right), above),
    found: {
      range: {
        least: constantForm(0n),
        greatest: plus(period, -1n),
        requirements: [],
        guarding: [...range.range.guarding, ...period.terms.keys()],
      },
      always: [
        ...range.always,
        ...range.range.requirements.map(({ form }) => form),
        plus(period, -1n),
        // From a period below, or from 0 on, to a period above.
        isPositive ? least : add(least, period),
        plus(add(add(period, period), greatest, -1n), -1n),
      ],
      unfailing: range.unfailing,
    },
  };
}

/** The position before it goes around; positive if it is never below 0. */
function turnedBy(
  left: Expression,
  right: Expression,
  period: AffineForm,
  names: Names,
  context: RangeContext,
): { readonly position: Expression; readonly isPositive: boolean } | null {
  const inner = remainderIn(left, period, names, context);
  if (inner !== null) return { position: inner.operands[0]!, isPositive: false };
  if (addsPeriod(left, period, names, context)) return { position: arithmetic('-', left, right), isPositive: false };
  // Of one variable alone nobody knows how often it goes around.
  const form = context.affine(left, names);
  const moving = [...(form?.terms.keys() ?? [])].filter((local) => !context.isInvariant(local));
  return moving.length > 1 ? { position: left, isPositive: true } : null;
}

function isRemainder(node: Expression): node is Operation {
  return node.kind === 'operate' && node.operator === '%(int,int)';
}

function isSum(node: Expression): node is Operation {
  return node.kind === 'operate' && node.operator === '+(int,int)';
}

/** Of `x % n + n` the remainder. */
function remainderIn(node: Expression, period: AffineForm, names: Names, context: RangeContext): Operation | null {
  if (!isSum(node)) return null;
  const isPeriod = (part: Expression): boolean => {
    const form = context.affine(part, names);
    return form !== null && keyOf(form) === keyOf(period);
  };
  const remainder = node.operands.find(isRemainder) ?? null;
  const other = node.operands.find((part) => part !== remainder);
  const isWhole = remainder !== null && isPeriod(remainder.operands[1]!) && other !== undefined && isPeriod(other);
  return isWhole ? remainder : null;
}

/** Whether the period is added to what is divided. */
function addsPeriod(node: Expression, period: AffineForm, names: Names, context: RangeContext): boolean {
  if (isSum(node)) {
    const form = context.affine(node, names);
    if (form === null) return node.operands.some((part) => addsPeriod(part, period, names, context));
    return (
      [...period.terms].every(([local, factor]) => form.terms.get(local) === factor) && form.constant >= period.constant
    );
  }
  const form = context.affine(node, names);
  return form !== null && keyOf(form) === keyOf(period);
}
