// Vectors as Mir: their types, and operators on each lane of them.

import { smallInt } from '../../mir/lane-wise.ts';
import type { Expression } from '../../mir/mir.ts';
import type { Type } from '../../language/types.ts';

/** What is in the lanes for a number; of small ints there are four. */
export function elementOf(type: Type, isOfSmall: boolean): Type {
  return isOfSmall && type.kind === 'int' ? smallInt : type;
}

export function vectorOf(type: Type, isOfSmall = false): Type {
  return { kind: 'vector', element: elementOf(type, isOfSmall) };
}

export function select(then: Expression, otherwise: Expression, condition: Expression): Expression {
  return laneWise('select', [then, otherwise, condition], then.type, then.span);
}

/** A chain of more than two operands, from left to right. */
export function laneWise(
  operator: string,
  operands: readonly Expression[],
  type: Type,
  span: Expression['span'],
): Expression {
  const make = (parts: readonly Expression[]): Expression => ({
    kind: 'lane-wise',
    operator,
    operands: parts,
    type,
    span,
  });
  return operator === 'select' || operator === 'pair' || operands.length < 2
    ? make(operands)
    : operands.reduce((left, right) => make([left, right]));
}

export function splat(operand: Expression, type: Type): Expression {
  return { kind: 'splat', operand, type, span: operand.span };
}
