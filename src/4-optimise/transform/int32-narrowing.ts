// Narrowing to 32 bits: arithmetic whose result is masked to 32 bits is done in 32 bits. This removes the mask, and
// engines recognise rotations. A shift to the right can be narrowed if the range analysis shows that its operand has at
// most 32 bits.
//
//   return (((x << 7) | (x >>> 25)) & 4294967295)
// becomes, if x has at most 32 bits,
//   return wrap32(((wrap32(x) << wrap32(7)) | (wrap32(x) >>> wrap32(25))))
//
// Does not apply to other masks, to quotients and remainders, to shifts to the right of operands that may have more
// than 32 bits, and to shifts by counts that may be 32 or more.
// Source: demanded bits; Stephenson, Babb, Amarasinghe, "Bitwidth analysis", 2000.

import type { Expression } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { intType } from '../../language/types.ts';
import { functionsOf } from '../analysis/analyses.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { operandsOf, visitAll, withOperands } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import type { Ranges } from '../analysis/ranges.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';

const mask = 0xffffffffn;

/** Whether one of the functions masks a value to 32 bits; otherwise the pass does not compute the ranges. */
function hasMask(functions: Iterable<MirFunction>): boolean {
  let found = false;
  for (const { body } of functions) visitAll(body, (node) => (found ||= isMask(node)));
  return found;
}

function isMask(node: Node): node is Expression & { readonly kind: 'operate' } {
  return (
    node.kind === 'operate' &&
    node.operator === '&(int,int)' &&
    node.operands.some((operand) => operand.kind === 'int' && operand.value === mask)
  );
}

export const int32Narrowing: Pass = {
  name: 'int32-narrowing',
  summary: 'what is masked to 32 bits is worked out in 32 bits',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) => {
    if (!hasMask(functionsOf(program))) return program;
    const ranges = context.analyses.get('ranges');
    return mapFunctions(program, context, (fn) => narrowInts(fn, ranges));
  },
};

/** The function with 32-bit arithmetic in place of its masks to 32 bits. */
export function narrowInts(fn: MirFunction, ranges: Ranges): MirFunction {
  return { ...fn, body: rewriteExpressions(fn.body, (node) => (isMask(node) ? narrow(fn, node, ranges) : node)) };
}

function narrow(fn: MirFunction, node: Expression & { readonly kind: 'operate' }, ranges: Ranges): Expression {
  const [left, right] = node.operands as readonly [Expression, Expression];
  const masked = right.kind === 'int' && right.value === mask ? left : right;
  return wrap32(narrowShifts(fn, masked, ranges, 0), node);
}

function wrap32(operand: Expression, { span }: Expression): Expression {
  return { kind: 'wrap32', operand, type: intType, span };
}

const plain = new Set(['+', '-', '*', '&', '|', '^'].map((symbol) => `${symbol}(int,int)`));
const deepest = 32;

/** An expression of which only the low 32 bits are demanded; each shift that can be a 32-bit one is marked as such. */
function narrowShifts(fn: MirFunction, node: Expression, ranges: Ranges, depth: number): Expression {
  if (depth > deepest) return node;
  if (node.kind === 'sequence') return { ...node, value: narrowShifts(fn, node.value, ranges, depth + 1) };
  if (node.kind !== 'operate') return node;
  if (plain.has(node.operator) || node.operator === '~(int)')
    return withOperands(
      node,
      operandsOf(node).map((operand) => narrowShifts(fn, operand, ranges, depth + 1)),
    );
  const isLeft = node.operator === '<<(int,int)';
  if (!isLeft && node.operator !== '>>>(int,int)' && node.operator !== '>>(int,int)') return node;
  const [value, count] = node.operands as readonly [Expression, Expression];
  if (!isWithin(ranges.of(fn, count), 31n) || (!isLeft && !isWithin(ranges.of(fn, value), mask))) return node;
  const operator = isLeft ? node.operator : '>>>(int,int)';
  const operands = [wrap32(narrowShifts(fn, value, ranges, depth + 1), value), wrap32(count, count)];
  return { ...node, operator, operands, isShift32: true };
}

function isWithin(range: { readonly low: bigint; readonly high: bigint } | null, most: bigint): boolean {
  return range !== null && range.low >= 0n && range.high <= most;
}
