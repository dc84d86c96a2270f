// Constant folding, for statements in which something has become a constant: operations on ints, comparisons and
// conditions are worked out, and of a branch whose condition is known the other one is left out, as is what is not reached
// behind it.
// Source: Aho, Lam, Sethi, Ullman, "Compilers", section 8.5.4.

import { isNullable } from '../language/types.ts';
import { arithmetic, int } from '../mir/builders.ts';
import { visitAll } from '../mir/children.ts';
import type { Expression, Statement } from '../mir/mir.ts';
import { reachesEnd } from '../mir/reachability.ts';
import { rewriteBlocks, rewriteExpressions } from '../mir/rewrite.ts';

/** The statements with `change` made to each expression, and folded. */
export function withConstantsFolded(
  nodes: readonly Statement[],
  change: (node: Expression) => Expression,
): readonly Statement[] {
  return rewriteBlocks(
    rewriteExpressions(nodes, (node) => folded(change(node)), chosen),
    reached,
  );
}

/** A block up to the first statement behind which nothing is reached: a branch that is taken may be a jump. */
function reached(block: readonly Statement[]): readonly Statement[] {
  const end = block.findIndex((node) => !reachesEnd(node));
  return end < 0 ? block : block.slice(0, end + 1);
}

const comparisons: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
};

/** Null where the operation fails. Of a count of bits, the low six are used. */
const operations: Readonly<Record<string, (left: bigint, right: bigint) => bigint | null>> = {
  '/': (left, right) => (right === 0n ? null : left / right),
  '%': (left, right) => (right === 0n ? null : left % right),
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
  '<<': (left, right) => left << (right & 63n),
  '>>': (left, right) => left >> (right & 63n),
  '>>>': (left, right) => BigInt.asUintN(64, left) >> (right & 63n),
};

/** Whether something of the statements can be worked out. */
export function hasConstants(nodes: readonly Statement[]): boolean {
  let found = false;
  visitAll(nodes, (node) => {
    found ||= (node.kind === 'operate' || node.kind === 'logical') && folded(node) !== node;
  });
  return found;
}

function folded(node: Expression): Expression {
  if (node.kind === 'operate') return foldedOperation(node);
  if (node.kind === 'logical') return foldedLogical(node);
  const isDecided = node.kind === 'conditional' && node.condition.kind === 'boolean';
  return isDecided ? decided(node, node.condition.value ? node.then : node.otherwise) : node;
}

/** The operand that is left of a choice. An error that names the place of a null value names that of the choice. */
function decided(node: Expression, operand: Expression): Expression {
  if (!isNullable(operand.type)) return operand;
  return operand.kind === 'get-local' || operand.kind === 'get-global' || operand.kind === 'null'
    ? { ...operand, span: node.span }
    : node;
}

function foldedOperation(node: Expression & { readonly kind: 'operate' }): Expression {
  const [left, right] = node.operands;
  if (node.operator === '!(boolean)' && left?.kind === 'boolean')
    return { ...left, value: !left.value, span: node.span };
  if (left?.kind === 'int' && node.operator === '~(int)') return int(~left.value, node.span);
  if (left?.kind === 'int' && node.operator === '-(int)') return int(BigInt.asIntN(64, -left.value), node.span);
  const symbol = /^(.+)\(int,int\)$/.exec(node.operator)?.[1];
  if (symbol === undefined || left === undefined || right?.kind !== 'int') return node;
  if (symbol === '+' || symbol === '-' || symbol === '*') {
    const value = arithmetic(symbol, left, right);
    if (value.kind === 'operate') return node;
    // An operand that is left, `x + 0`, still fails where it stands.
    return value === left ? left : { ...value, span: node.span };
  }
  if (left.kind !== 'int') return node;
  const value = operations[symbol]?.(left.value, right.value);
  if (value !== undefined) return value === null ? node : int(BigInt.asIntN(64, value), node.span);
  const compare = comparisons[symbol];
  return compare === undefined
    ? node
    : { kind: 'boolean', value: compare(left.value, right.value), type: node.type, span: node.span };
}

/** Operands that decide nothing are left out; what stands behind one that decides is never worked out. */
function foldedLogical(node: Expression & { readonly kind: 'logical' }): Expression {
  const deciding = node.operator === '||';
  const left: Expression[] = [];
  for (const operand of node.operands) {
    if (operand.kind === 'boolean' && operand.value !== deciding) continue;
    left.push(operand);
    if (operand.kind === 'boolean') break;
  }
  const [first, ...others] = left;
  if (first === undefined) return { kind: 'boolean', value: !deciding, type: node.type, span: node.span };
  return others.length === 0 ? first : { ...node, operands: left };
}

/** The branch that is taken, where that is known. */
function chosen(node: Statement): Statement {
  if (node.kind !== 'if' || node.versions !== undefined) return node;
  const possible = node.arms.filter(({ condition }) => condition.kind !== 'boolean' || condition.value);
  if (possible.length === node.arms.length && possible.every(({ condition }) => condition.kind !== 'boolean'))
    return node;
  const sure = possible.findIndex(({ condition }) => condition.kind === 'boolean');
  const arms = sure < 0 ? possible : possible.slice(0, sure);
  const otherwise = sure < 0 ? node.otherwise : possible[sure]!.then;
  return arms.length === 0 ? { kind: 'block', statements: otherwise, span: node.span } : { ...node, arms, otherwise };
}
