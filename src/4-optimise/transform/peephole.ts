// Peephole optimisation: replaces an arithmetic expression of ints by an equivalent one that is cheaper. Each rule
// looks at one expression.
//
//   if ((x % 8) == 0)      if ((x & 7) == 0)
//
// `x % 2^k == 0` becomes `(x & 2^k - 1) == 0`, and the same with `!=`: a comparison with zero does not depend on the
// sign of the remainder.
// Does not apply to other divisors, nor to comparisons with other numbers: `-7 % 4` is -3, and `-7 & 3` is 1.
//
//   (x & a) ^ (x & b)      x & (a ^ b)
//   (x & a) ^ (~x & b)     ((a ^ b) & x) ^ b
//
// The same holds for `|`. In the second rule, b is read twice, so it is a variable or a constant.
// Does not apply where the common operand is no variable, nor where an operand has an effect.
// Source: strength reduction of one operation; Aho, Lam, Sethi, Ullman, "Compilers", section 8.7. The distributive law;
// Warren, "Hacker's Delight", section 2-20, for the second rule.

import type { Expression } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';
import { int } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { arePure } from '../../mir/effects.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const peephole: Pass = {
  name: 'peephole',
  summary: 'arithmetic takes cheaper forms that mean the same',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => {
      const simplify = (node: Expression): Expression => simplified(node, program.registry);
      let applies = false;
      visitAll(fn.body, (node) => (applies ||= node.kind === 'operate' && simplify(node) !== node));
      return applies ? { ...fn, body: rewriteExpressions(fn.body, simplify) } : fn;
    }),
};

type Operation = Expression & { readonly kind: 'operate' };

/** A cheaper expression with the same value if there is one, otherwise the expression itself. */
function simplified(node: Expression, registry: LibraryRegistry): Expression {
  if (node.kind !== 'operate') return node;
  const { operator } = node;
  if (operator === '==(int,int)' || operator === '!=(int,int)') return withoutRemainder(node);
  return operator === '^(int,int)' || operator === '|(int,int)' ? factored(node, registry) : node;
}

/** `x % 2^k == 0` as a test of the low bits. */
function withoutRemainder(node: Operation): Expression {
  const [left, right] = node.operands as readonly [Expression, Expression];
  if (right.kind !== 'int' || right.value !== 0n || left.kind !== 'operate' || left.operator !== '%(int,int)')
    return node;
  const [dividend, divisor] = left.operands as readonly [Expression, Expression];
  if (divisor.kind !== 'int' || divisor.value < 1n || (divisor.value & (divisor.value - 1n)) !== 0n) return node;
  return { ...node, operands: [bitwise('&', dividend, int(divisor.value - 1n, divisor.span)), right] };
}

/** Two masked operands with a mask in common, or with one that is the complement of the other. */
function factored(node: Operation, registry: LibraryRegistry): Expression {
  const [left, right] = node.operands.map(operandsOfAnd);
  if (left === undefined || left === null || right === undefined || right === null) return node;
  for (const [mask, one] of left) {
    for (const [other, two] of right) {
      if (mask.kind === 'get-local' && isSameLocal(mask, other) && arePure([node], registry))
        return bitwise('&', mask, bitwise(node.operator === '^(int,int)' ? '^' : '|', one, two));
      const choice = chosen([mask, one], [other, two]) ?? chosen([other, two], [mask, one]);
      if (choice !== null && arePure([node], registry)) return choice;
    }
  }
  return node;
}

type Masked = readonly [mask: Expression, value: Expression];

/** `(x & a) ^ (~x & b)`: the bits of a where x has ones, those of b where it has zeros. */
function chosen([mask, one]: Masked, [other, two]: Masked): Expression | null {
  if (other.kind !== 'operate' || other.operator !== '~(int)') return null;
  if (!isSameLocal(mask, other.operands[0]!) || (two.kind !== 'get-local' && two.kind !== 'int')) return null;
  return bitwise('^', bitwise('&', bitwise('^', one, two), mask), two);
}

/** The operands of `a & b` in both orders. */
function operandsOfAnd(node: Expression): readonly Masked[] | null {
  if (node.kind !== 'operate' || node.operator !== '&(int,int)') return null;
  const [left, right] = node.operands as readonly [Expression, Expression];
  return [
    [left, right],
    [right, left],
  ];
}

function isSameLocal(one: Expression, other: Expression): boolean {
  return one.kind === 'get-local' && other.kind === 'get-local' && one.local === other.local;
}

function bitwise(symbol: '&' | '|' | '^', left: Expression, right: Expression): Operation {
  return {
    kind: 'operate',
    operator: `${symbol}(int,int)`,
    operands: [left, right],
    type: intType,
    span: left.span,
  };
}
