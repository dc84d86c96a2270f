// Peephole optimisation: replaces an arithmetic expression of ints by an equivalent one that is cheaper. Each rule
// looks at one expression.
//
//   if ((x % 8) == 0)      if ((x & 7) == 0)
//
// `x % 2^k == 0` becomes `(x & 2^k - 1) == 0`, and the same with `!=`: a comparison with zero does not depend on the
// sign of the remainder.
// Does not apply to other divisors, nor to comparisons with other numbers: `-7 % 4` is -3, and `-7 & 3` is 1.
// Source: strength reduction of one operation; Aho, Lam, Sethi, Ullman, "Compilers", section 8.7.

import type { Expression } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import { int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const peephole: Pass = {
  name: 'peephole',
  summary: 'arithmetic takes cheaper forms that mean the same',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => {
      let applies = false;
      visitAll(fn.body, (node) => (applies ||= node.kind === 'operate' && simplify(node) !== node));
      return applies ? { ...fn, body: rewriteExpressions(fn.body, simplify) } : fn;
    }),
};

/** A cheaper expression with the same value if there is one, otherwise the expression itself. */
function simplify(node: Expression): Expression {
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
