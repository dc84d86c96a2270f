// Operators, logical operators and sums of texts. A chain of operators nests to the left, as deep as it is long. Chains
// of logical operators and of texts become one n-ary node; in other chains, the value so far goes into a temporary
// every so many operators. So the depth of Mir does not grow with the length of a program.

import type { Expression } from '../2-check/typed-tree.ts';
import { operatorById } from '../language/operators.ts';
import { operandsOfLogical } from '../mir/children.ts';
import type * as mir from '../mir/mir.ts';
import { checkNull } from './checks.ts';
import type { FunctionLowering } from './function-lowering.ts';

type Operation = Expression & { readonly kind: 'operate' };
type Logical = Expression & { readonly kind: 'logical' };
type Chain = Operation | (Expression & { readonly kind: 'concat' });

/** How deep operations nest. */
const longestChain = 64;

/**
 * If a chain would nest deeper than this in its statement, its operands go into temporaries too: sums in calls in sums
 * would nest as deep as all sums together are long.
 */
const deepestChain = 96;

/**
 * `a + b - c …` stays as it is up to a length; behind that `(t = a + b - c …; t + d …)`. The order of evaluation stays
 * the same.
 */
export function lowerOperation(to: FunctionLowering, node: Operation): mir.Expression {
  if (isSum(node) && !to.isRuntime) return lowerTexts(to, node);
  const chain: Operation[] = [];
  let first: Expression = node;
  while (first.kind === 'operate' && !(isSum(first) && !to.isRuntime)) {
    chain.push(first);
    first = first.operands[0]!;
  }
  const statements: mir.Statement[] = [];
  const above = Math.min(chain.length, longestChain);
  const isDeep = to.depth + above > deepestChain;
  const operandOf = (part: Operation, operand: Expression): mir.Expression =>
    to.below(isDeep ? 2 : above, () => lowerOperand(to, part, operand));
  let value = operandOf(chain.at(-1)!, first);
  if (isDeep && !isLeaf(first)) value = inTemporary(to, value, statements);
  chain.reverse().forEach((part, index) => {
    const { operator, operands, type, span } = part;
    const rest = operands.slice(1);
    const lowered = rest.map((operand) => operandOf(part, operand));
    value = { kind: 'operate', operator, operands: [value, ...lowered], type, span };
    const isLongest = index % longestChain === longestChain - 1;
    const isLast = index === chain.length - 1;
    if (isLongest || (isDeep && !isLast && !rest.every(isLeaf))) value = inTemporary(to, value, statements);
  });
  return withStatements(statements, value);
}

function isLeaf({ kind }: Expression): boolean {
  return kind === 'get-local' || kind === 'get-global' || kind === 'int' || kind === 'double' || kind === 'boolean';
}

/** Puts the value into a temporary. */
function inTemporary(to: FunctionLowering, value: mir.Expression, statements: mir.Statement[]): mir.Expression {
  const { type, span } = value;
  const local = to.temporary('chain', type);
  statements.push({ kind: 'set-local', local, value, span });
  return { kind: 'get-local', local, type, span };
}

/** Texts that are ordered must not be null; `==` and `!=` take null. */
function lowerOperand(to: FunctionLowering, { operator: id }: Operation, operand: Expression): mir.Expression {
  const operator = operatorById(id);
  const takesNull = operator.operands[0]!.kind !== 'string' || operator.symbol === '==' || operator.symbol === '!=';
  return takesNull ? to.expression(operand) : checkNull(to, operand, `an operand of '${operator.symbol}'`);
}

/** `a && b && c` as one node; in a very long chain, the value so far goes into a temporary. */
export function lowerLogical(to: FunctionLowering, node: Logical): mir.Expression {
  const { operator, type, span } = node;
  const rest: Expression[] = [];
  let first: Expression = node;
  while (first.kind === 'logical' && first.operator === operator) {
    rest.push(first.right);
    first = first.left;
  }
  const statements: mir.Statement[] = [];
  let operands: mir.Expression[] = [to.expression(first)];
  for (const right of rest.reverse()) {
    // An operand in parentheses may add several operands at once.
    if (operands.length >= longestChain) {
      const local = to.temporary('chain', type);
      statements.push({ kind: 'set-local', local, value: { kind: 'logical', operator, operands, type, span }, span });
      operands = [{ kind: 'get-local', local, type, span }];
    }
    operands.push(...operandsOfLogical(operator, [to.expression(right)]));
  }
  return withStatements(statements, { kind: 'logical', operator, operands, type, span });
}

/** A sum of texts or a template, together with the sums inside it: one node, whose operands are not null. */
export function lowerTexts(to: FunctionLowering, chain: Chain): mir.Expression {
  const parts: mir.Expression[] = [];
  const pending: { readonly node: Expression; readonly isOperand: boolean }[] = [{ node: chain, isOperand: false }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { node, isOperand } = part;
    if (isSum(node)) {
      const [left, right] = node.operands as readonly [Expression, Expression];
      pending.push({ node: right, isOperand: true }, { node: left, isOperand: true });
    } else if (node.kind === 'concat')
      pending.push(...node.parts.map((inner) => ({ node: inner, isOperand: false })).toReversed());
    else parts.push(isOperand ? checkNull(to, node, `an operand of '+'`) : to.expression(node));
  }
  return { kind: 'concat', parts, type: chain.type, span: chain.span };
}

function isSum(node: Expression): node is Operation {
  return node.kind === 'operate' && node.operator === '+(string,string)';
}

function withStatements(statements: readonly mir.Statement[], value: mir.Expression): mir.Expression {
  if (statements.length === 0) return value;
  return { kind: 'sequence', statements, value, type: value.type, span: value.span };
}
