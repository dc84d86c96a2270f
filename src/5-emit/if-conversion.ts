// Which choices between two values are made without a branch.

import { isConstant } from '../mir/mir.ts';
import type { Expression } from '../mir/mir.ts';

/** What two values may cost together that are worked out both, in instructions. */
const cheapPair = 8;

/** Whether both values are numbers that may be worked out though only one of them is wanted. */
export function isCheapChoice({ then, otherwise, type }: Expression & { readonly kind: 'conditional' }): boolean {
  const isNumber = type.kind === 'int' || type.kind === 'double' || type.kind === 'boolean';
  return isNumber && costOf(then) + costOf(otherwise) <= cheapPair;
}

/** Whether it makes no difference that the condition is worked out behind the values. */
export function isQuietCondition({
  condition,
  then,
  otherwise,
}: Expression & { readonly kind: 'conditional' }): boolean {
  return costOf(condition) < Infinity || (isConstant(then) && isConstant(otherwise));
}

/** About how many instructions the value takes; infinite if they could fail, have an effect, or take long. */
function costOf(node: Expression): number {
  switch (node.kind) {
    case 'int':
    case 'double':
    case 'boolean':
    case 'get-local':
      return 0;
    case 'operate': {
      const own = operatorCosts.get(node.operator) ?? (isHalving(node) ? 3 : Infinity);
      return node.operands.reduce((sum, operand) => sum + costOf(operand), own);
    }
    default:
      return Infinity;
  }
}

const operatorCosts: ReadonlyMap<string, number> = new Map([
  ...['+', '-', '&', '|', '^', '<<', '>>', '>>>', '<', '<=', '>', '>=', '==', '!='].map((symbol): [string, number] => [
    `${symbol}(int,int)`,
    1,
  ]),
  ...['<', '<=', '>', '>=', '==', '!='].map((symbol): [string, number] => [`${symbol}(double,double)`, 1]),
  ...['-(int)', '~(int)', '-(double)', '!(boolean)'].map((operator): [string, number] => [operator, 1]),
  ['*(int,int)', 3],
  ...['+', '-', '*'].map((symbol): [string, number] => [`${symbol}(double,double)`, 3]),
]);

/** A division by a power of two is a few shifts. */
function isHalving(node: Expression & { readonly kind: 'operate' }): boolean {
  const divisor = node.operands[1];
  return (
    node.operator === '/(int,int)' &&
    divisor?.kind === 'int' &&
    divisor.value > 1n &&
    (divisor.value & (divisor.value - 1n)) === 0n
  );
}
