// Cheaper forms of arithmetic on ints that mean the same.

import type { Expression } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import { int } from '../../mir/builders.ts';

/**
 * `x % 2^k == 0` is `(x & 2^k - 1) == 0`, and so with `!=`: the sign of a remainder matters to no comparison with zero.
 */
export function simplify(node: Expression): Expression {
  if (node.kind !== 'operate' || (node.operator !== '==(int,int)' && node.operator !== '!=(int,int)')) return node;
  const [left, right] = node.operands as readonly [Expression, Expression];
  if (right.kind !== 'int' || right.value !== 0n || left.kind !== 'operate' || left.operator !== '%(int,int)')
    return node;
  const [dividend, divisor] = left.operands as readonly [Expression, Expression];
  if (divisor.kind !== 'int' || divisor.value < 1n || (divisor.value & (divisor.value - 1n)) !== 0n) return node;
  const masked: Expression = {
    kind: 'operate',
    operator: '&(int,int)',
    operands: [dividend, int(divisor.value - 1n, divisor.span)],
    type: intType,
    span: left.span,
  };
  return { ...node, operands: [masked, right] };
}
