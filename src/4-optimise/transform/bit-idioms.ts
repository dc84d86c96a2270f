// Bit idioms: a loop that counts the ones of an int, or its digits to base two, does so by one instruction.
//
//   loop 1 while (x != 0)           n = (n + int.bitCount(x))
//     x = (x & (x - 1))             x = 0
//     n = (n + 1)
//
//   loop 2 while (x > 0)            if (x > 0)
//     n = (n + (x & 1))               n = (n + int.bitCount(x))
//     x = (x >> 1)                    length = (length + (64 - int.leadingZeros(x)))
//     length = (length + 1)           x = 0
//
// The lowest one may go by `x - (x & -x)` or `x ^ (x & -x)`, too, and the last digit by `x / 2`, or by `x >>> 1`, which
// ends where x is negative as well. What is added may be a constant or a variable that the loop leaves alone.
// Does not apply to loops that do anything else. It runs in front of inlining: without its loop, a function that counts
// bits stands wherever it is called.
// Source: Warren, "Hacker's Delight", chapter 5; loop idiom recognition, as in LLVM's pass of that name.

import { intType } from '../../language/types.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { hasLoop } from '../../mir/children.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';

export const bitIdioms: Pass = {
  name: 'bit-idioms',
  summary: 'loops that count bits do so by one instruction',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) =>
      hasLoop(fn.body)
        ? { ...fn, body: rewriteBlocks(fn.body, (block) => block.flatMap((node) => atOnce(node, context))) }
        : fn,
    ),
};

type Assignment = Statement & { readonly kind: 'set-local' };

function atOnce(node: Statement, { settings, remarks }: PassContext): readonly Statement[] {
  if (node.kind !== 'loop') return [node];
  const counting = readCounting(node);
  if (counting === null) return [node];
  remarks?.add('countsBits', node.span, {});
  const { condition, rounds, sums, x } = counting;
  const { span } = condition;
  const then: readonly Statement[] = [
    ...(settings.countsFuel ? [{ kind: 'charge' as const, units: rounds, span }] : []),
    ...sums,
    { kind: 'set-local', local: x, value: int(0n, span), span },
  ];
  // Zero has no ones and no digits.
  if (matchesOne(isNotZero(isLocal(x)), condition)) return then;
  return [{ kind: 'if', arms: [{ condition, then }], otherwise: [], span: node.span }];
}

/** A loop that goes on until `x` is zero, and adds to other variables. */
interface Counting {
  readonly condition: Expression;
  readonly x: LocalId;
  /** How many iterations there are, in terms of what `x` is in front of the loop. */
  readonly rounds: Expression;
  /** What all iterations add, in the same terms. */
  readonly sums: readonly Assignment[];
}

function readCounting({ condition, testFirst, body, step }: Loop): Counting | null {
  const nodes = [...body, ...step];
  if (condition === null || !testFirst || !nodes.every((node) => node.kind === 'set-local')) return null;
  const set = new Set(nodes.map(({ local }) => local));
  const x = findVariable(condition);
  const at = nodes.findIndex(({ local }) => local === x);
  if (x === null || at < 0 || set.size < nodes.length) return null;
  const isHalved = matchesOne(halvings(x, condition), nodes[at]!.value);
  if (!isHalved && !matchesOne(clearings(x), nodes[at]!.value)) return null;
  const value = getLocal(x, intType, condition.span);
  const ones = count('int.bitCount', value);
  const digits = arithmetic('-', int(64n, condition.span), count('int.leadingZeros', value));
  const rounds = isHalved ? digits : ones;
  const sums: Assignment[] = [];
  for (const [index, node] of nodes.entries()) {
    if (index === at) continue;
    const added = findAdded(node);
    if (added === null) return null;
    const isDigit = isHalved && index < at && matchesOne(lastDigits(x, condition), added);
    if (!isDigit && !isFixed(added, set)) return null;
    const all = isDigit ? ones : times(rounds, added);
    sums.push({ ...node, value: arithmetic('+', getLocal(node.local, intType, node.span), all) });
  }
  return { condition, x, rounds, sums };
}

/** The variable of `x != 0` or `x > 0`. */
function findVariable(condition: Expression): LocalId | null {
  if (condition.kind !== 'operate') return null;
  const variable = condition.operands.find((operand) => operand.kind === 'get-local');
  if (variable?.kind !== 'get-local') return null;
  const x = isLocal(variable.local);
  return matchesOne([...isNotZero(x), ...isPositive(x)], condition) ? variable.local : null;
}

/** What is added to the variable that a statement sets. */
function findAdded({ local, value }: Assignment): Expression | null {
  if (value.kind !== 'operate' || value.operator !== '+(int,int)') return null;
  const [left, right] = value.operands as readonly [Expression, Expression];
  return isLocal(local)(left) ? right : isLocal(local)(right) ? left : null;
}

function isFixed(node: Expression, set: ReadonlySet<LocalId>): boolean {
  return node.kind === 'int' || (node.kind === 'get-local' && !set.has(node.local));
}

function times(rounds: Expression, added: Expression): Expression {
  return isInt(1n)(added) ? rounds : arithmetic('*', rounds, added);
}

function count(name: 'int.bitCount' | 'int.leadingZeros', operand: Expression): Expression {
  const { span } = operand;
  return { kind: 'library-call', function: name, typeArgument: null, arguments: [operand], type: intType, span };
}

/** Whether an expression has a form. */
type Form = (node: Expression) => boolean;

function matchesOne(forms: readonly Form[], node: Expression): boolean {
  return forms.some((form) => form(node));
}

const isNotZero = (x: Form): readonly Form[] => eitherWay('!=', x, isInt(0n));
const isPositive = (x: Form): readonly Form[] => [operation('>', x, isInt(0n)), operation('<', isInt(0n), x)];

/** `x` without its lowest one. */
function clearings(local: LocalId): readonly Form[] {
  const x = isLocal(local);
  const negated: Form = (node) => node.kind === 'operate' && node.operator === '-(int)' && x(node.operands[0]!);
  const lowest = eitherWay('&', x, negated);
  return [
    ...eitherWay('&', x, operation('-', x, isInt(1n))),
    ...lowest.flatMap((one) => [operation('-', x, one), ...eitherWay('^', x, one)]),
  ];
}

/** `x` without its last digit. A negative number becomes zero by a logical shift alone. */
function halvings(local: LocalId, condition: Expression): readonly Form[] {
  const x = isLocal(local);
  const logical = operation('>>>', x, isInt(1n));
  return matchesOne(isPositive(x), condition)
    ? [logical, operation('>>', x, isInt(1n)), operation('/', x, isInt(2n))]
    : [logical];
}

/** The last digit of `x`. That of a negative number is no remainder. */
function lastDigits(local: LocalId, condition: Expression): readonly Form[] {
  const x = isLocal(local);
  const masked = eitherWay('&', x, isInt(1n));
  return matchesOne(isPositive(x), condition) ? [...masked, operation('%', x, isInt(2n))] : masked;
}

function isLocal(local: LocalId): Form {
  return (node) => node.kind === 'get-local' && node.local === local;
}

function isInt(value: bigint): Form {
  return (node) => node.kind === 'int' && node.value === value;
}

function eitherWay(symbol: string, one: Form, other: Form): readonly Form[] {
  return [operation(symbol, one, other), operation(symbol, other, one)];
}

function operation(symbol: string, left: Form, right: Form): Form {
  return (node) =>
    node.kind === 'operate' &&
    node.operator === `${symbol}(int,int)` &&
    left(node.operands[0]!) &&
    right(node.operands[1]!);
}
