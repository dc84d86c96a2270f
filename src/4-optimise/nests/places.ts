// Where the elements of a nest are: in which row, how far on in an array, and whether they are in range.

import type { Expression, GetHoisted } from '../../mir/mir.ts';
import { arithmetic, getLocal, inRange, int } from '../../mir/builders.ts';
import { intType } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { isZero, keyOf, keyOfTerms, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { lanesOf } from './dependences.ts';
import type { Access } from './tree.ts';

/** That an access is in range, and the second lane of one to a vector. */
export function assertionsOf(access: Access, span: Span): readonly Expression[] {
  return lanesOf(access).flatMap(({ array, subscripts }) =>
    subscripts.map((form, dimension) =>
      inRange(toExpression(form, span), getLocal(array.lengths[dimension]!, intType, span)),
    ),
  );
}

/** Shared by accesses whose last subscripts differ by a constant, and which are alike otherwise. */
export function keyOfVector({ array, subscripts }: Access): string {
  const rows = subscripts.slice(0, -1).map((form) => keyOf(form));
  return `${array.key}[${[...rows, keyOfTerms(subscripts.at(-1)!)].join('][')}]`;
}

/** A row, null where it is out of range, and where the one around it is: it has the length 0 then. */
export function ifInRange(row: GetHoisted): Expression {
  const { hoisted, index, type, span } = row;
  const condition = inRange(index, getLocal(hoisted.length, intType, span));
  return { kind: 'conditional', condition, then: row, otherwise: { kind: 'null', type, span }, type, span };
}

/** The constant comes last: what is in front of it is shared by elements next to each other. */
export function addTo(offset: Expression, form: AffineForm, span: Span): Expression {
  const moved = isZero({ ...form, constant: 0n })
    ? offset
    : arithmetic('+', offset, toExpression({ ...form, constant: 0n }, span));
  const { constant } = form;
  return constant < 0n ? arithmetic('-', moved, int(-constant, span)) : arithmetic('+', moved, int(constant, span));
}
