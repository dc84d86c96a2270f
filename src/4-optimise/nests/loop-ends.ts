// The ends of a loop: in how many of its first and last iterations a position goes around, or a condition is another
// than in all others, and what such an expression is in one of these iterations, or in none of them.
//
// A position is compared with the loop's first value, or with its end, from which it is a constant away: `j - 1 < 0` is
// `j < 1`, one behind the first value 0; `(j + 1) % n` goes around at `n - 1`, one in front of the end `n`.

import { arithmetic, getLocal, inRange, int, withoutRepeats } from '../../mir/builders.ts';
import { flatten, partsOf } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { readStep, startOf } from '../analysis/counted-loops.ts';
import { add, coefficientOf, constantForm, isSmall, localForm, plus, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { readIntComparison } from './comparisons.ts';
import { count } from './reading.ts';

/** More iterations at one end are not peeled. */
const mostAtAnEnd = 2n;

/** How a loop counts: up by one from a constant, to what the nest does not change. */
export interface Head {
  readonly variable: LocalId;
  readonly first: bigint;
  readonly end: AffineForm;
}

export type IsInvariant = (local: LocalId) => boolean;

/** How many iterations come by themselves. */
export interface Ends {
  readonly first: bigint;
  readonly last: bigint;
}

/** An iteration: so many behind the first, or in front of the end; or any of the others. */
export type Iteration = 'other' | { readonly from: 'first' | 'end'; readonly by: bigint };

/** How the loop counts; null where it does so in another way. */
export function headOf(loop: Loop, before: readonly Statement[], isInvariant: IsInvariant): Head | null {
  const constant = (variable: LocalId): AffineForm | null => {
    const value = startOf({ variable }, before);
    return value === null ? null : constantForm(value);
  };
  const bounds = boundsOf(loop, constant, (limit) => formOf(limit, isInvariant));
  return bounds && { variable: bounds.variable, first: bounds.start.constant, end: bounds.end };
}

/** Where a loop that counts up by one begins, and the first value with which it makes no iteration. */
export interface Bounds {
  readonly variable: LocalId;
  readonly start: AffineForm;
  readonly end: AffineForm;
}

/** Null where one of both cannot be read, or the loop counts in another way. */
export function boundsOf(
  loop: Loop,
  readStart: (variable: LocalId) => AffineForm | null,
  readLimit: (limit: Expression) => AffineForm | null,
): Bounds | null {
  const { condition, testFirst, step } = loop;
  const [only, ...others] = flatten(step);
  const [move] = only === undefined || others.length > 0 ? [] : (readStep(only) ?? []);
  const read = condition === null || !testFirst ? null : readIntComparison(condition);
  if (move === undefined || read === null || move[1].kind !== 'int' || move[1].value !== 1n) return null;
  const [variable] = move;
  const isVariable = (node: Expression): boolean => node.kind === 'get-local' && node.local === variable;
  const isFirst = isVariable(read.left);
  const closed = isFirst ? '<=' : '>=';
  if (
    (!isFirst && !isVariable(read.right)) ||
    (read.comparison !== closed && read.comparison !== (isFirst ? '<' : '>'))
  )
    return null;
  const start = readStart(variable);
  const limit = readLimit(isFirst ? read.right : read.left);
  const isSetOnce = count([loop], localsSet).get(variable) === 1;
  if (limit === null || start === null || !isSetOnce || !isSmall(start)) return null;
  return { variable, start, end: plus(limit, read.comparison === closed ? 1n : 0n) };
}

/** What an int is made of, if that is locals of a kind and constants. */
function formOf(node: Expression, isKnown: IsInvariant): AffineForm | null {
  if (node.kind === 'int') return isSmall(constantForm(node.value)) ? constantForm(node.value) : null;
  if (node.kind === 'get-local') return node.type.kind === 'int' && isKnown(node.local) ? localForm(node.local) : null;
  if (node.kind !== 'operate' || (node.operator !== '+(int,int)' && node.operator !== '-(int,int)')) return null;
  const [left, right] = node.operands.map((operand) => formOf(operand, isKnown));
  if (left === null || left === undefined || right === null || right === undefined) return null;
  const sum = add(left, right, node.operator === '+(int,int)' ? 1n : -1n);
  return isSmall(sum) ? sum : null;
}

/** A value that is one thing below a position, and another from there on. */
interface Turn {
  readonly at: AffineForm;
  readonly below: Expression;
  readonly above: Expression;
}

/** The values of expressions by where they turn; null for those that do not depend on the variable in this way. */
class Turns {
  readonly #head: Head;
  readonly #isKnown: IsInvariant;

  constructor(head: Head, isInvariant: IsInvariant) {
    this.#head = head;
    this.#isKnown = (local) => local === head.variable || isInvariant(local);
  }

  of(node: Expression): readonly Turn[] | null {
    if (node.kind === 'library-call' && (node.function === 'int.min' || node.function === 'int.max')) {
      const [left, right] = node.arguments as readonly [Expression, Expression];
      const isMax = node.function === 'int.max';
      return this.#compared(left, '<', right, isMax ? right : left, isMax ? left : right);
    }
    if (node.kind !== 'operate') return null;
    const { operator, operands, span } = node;
    if (operator === '%(int,int)') return this.#goingAround(operands as readonly [Expression, Expression], span);
    const symbol = /^(<|<=|>|>=|==|!=)\(int,int\)$/.exec(operator)?.[1];
    if (symbol === undefined) return null;
    const truth = (value: boolean): Expression => ({ kind: 'boolean', value, type: booleanType, span });
    const [left, right] = operands as readonly [Expression, Expression];
    if (symbol !== '==' && symbol !== '!=') return this.#compared(left, symbol, right, truth(true), truth(false));
    // What is neither less nor greater.
    const [less, greater] = [
      this.#compared(left, '<', right, truth(symbol === '!='), node),
      this.#compared(left, '>', right, truth(symbol === '!='), node),
    ];
    if (less === null || greater === null) return null;
    const [low, high] = [...less, ...greater].toSorted((one, other) => Number(one.at.constant - other.at.constant));
    return [
      { at: low!.at, below: truth(symbol === '!='), above: node },
      { at: high!.at, below: truth(symbol === '=='), above: truth(symbol === '!=') },
    ];
  }

  /** What holds where the comparison does, and where it does not. */
  #compared(
    left: Expression,
    symbol: string,
    right: Expression,
    holds: Expression,
    fails: Expression,
  ): readonly Turn[] | null {
    const [one, other] = [formOf(left, this.#isKnown), formOf(right, this.#isKnown)];
    if (one === null || other === null || !this.#isChecked(one) || !this.#isChecked(other)) return null;
    const difference = add(one, other, -1n);
    const coefficient = coefficientOf(difference, this.#head.variable);
    if (coefficient !== 1n && coefficient !== -1n) return null;
    // variable + rest, compared with 0, or the other way around.
    const rest = add(difference, localForm(this.#head.variable), -coefficient);
    const position = coefficient === 1n ? add(constantForm(0n), rest, -1n) : rest;
    const isLess = symbol.startsWith('<') === (coefficient === 1n);
    const isClosed = symbol.endsWith('=');
    const at = plus(position, isLess === isClosed ? 1n : 0n);
    return [isLess ? { at, below: holds, above: fails } : { at, below: fails, above: holds }];
  }

  /** Whether a side cannot wrap: it has only the variable and locals of the end, for which conditionsFor asks. */
  #isChecked({ terms }: AffineForm): boolean {
    const { variable, end } = this.#head;
    return [...terms.keys()].every((local) => local === variable || end.terms.has(local));
  }

  /** `(variable + c) % size` and `(variable + c + size) % size`, where the variable is from 0 to size - 1. */
  #goingAround([sum, divisor]: readonly [Expression, Expression], span: Span): readonly Turn[] | null {
    const { variable, first, end } = this.#head;
    const [form, size] = [formOf(sum, this.#isKnown), formOf(divisor, this.#isKnown)];
    if (form === null || size === null || coefficientOf(form, variable) !== 1n || first < 0n) return null;
    const beyond = add(size, end, -1n);
    if (beyond.terms.size > 0 || beyond.constant < 0n) return null;
    const rest = add(form, localForm(variable), -1n);
    for (const times of [0n, 1n]) {
      const by = add(rest, size, -times);
      if (by.terms.size > 0 || by.constant > mostAtAnEnd || by.constant < -mostAtAnEnd) continue;
      const moved = plus(localForm(variable), by.constant);
      const around = (sizes: bigint): Expression => toExpression(add(moved, size, sizes), span);
      if (by.constant > 0n) return [{ at: plus(size, -by.constant), below: around(0n), above: around(-1n) }];
      // What is less than 0 stays so without a size added.
      return [{ at: constantForm(-by.constant), below: around(times), above: around(0n) }];
    }
    return null;
  }

  /** How many iterations must be peeled for it to be known on which side of a position all others are. */
  needed(at: AffineForm): Ends | null {
    const { first, end } = this.#head;
    const behind = plus(at, -first);
    const inFront = add(end, at, -1n);
    const [low, high] = [behind, inFront].map(({ terms, constant }) => (terms.size === 0 ? constant : null));
    if ((low ?? 1n) <= 0n || (high ?? 1n) <= 0n) return { first: 0n, last: 0n };
    if (low !== null && low! <= mostAtAnEnd) return { first: low!, last: 0n };
    return high !== null && high! <= mostAtAnEnd ? { first: 0n, last: high! } : null;
  }

  /** Whether the variable is below the position in an iteration; null where that differs. */
  isBelow(at: AffineForm, ends: Ends, iteration: Iteration): boolean | null {
    const { first, end } = this.#head;
    const needed = this.needed(at);
    if (needed === null || needed.first > ends.first || needed.last > ends.last) return null;
    const inFront = add(end, at, -1n);
    if (needed.first === 0n && needed.last === 0n) return inFront.terms.size === 0 && inFront.constant <= 0n;
    if (needed.first > 0n)
      return iteration !== 'other' && iteration.from === 'first' && iteration.by < plus(at, -first).constant;
    return iteration === 'other' || iteration.from === 'first' || iteration.by > inFront.constant;
  }
}

/** How many iterations of a loop to peel, for what its innermost loops look at; null for none. */
export function endsOf(loop: Loop, head: Head, isInvariant: IsInvariant): Ends | null {
  const turns = new Turns(head, isInvariant);
  let ends: Ends = { first: 0n, last: 0n };
  const walk = (nodes: readonly Node[], isInnermost: boolean): void => {
    for (const node of nodes) {
      if (node.kind === 'loop') {
        walk(node.body, !hasLoopIn(node));
        continue;
      }
      const found = 'type' in node ? turns.of(node) : null;
      const isPosition = 'type' in node && node.type.kind === 'int';
      for (const { at } of found !== null && (isInnermost || isPosition) ? found : []) {
        const { first, last } = turns.needed(at) ?? { first: 0n, last: 0n };
        ends = { first: first > ends.first ? first : ends.first, last: last > ends.last ? last : ends.last };
      }
      walk(partsOf(node), isInnermost);
    }
  };
  walk(loop.body, !hasLoopIn(loop));
  // A loop between constants makes more iterations: what is near its end is at least three behind its first value.
  return ends.first === 0n && ends.last === 0n ? null : ends;
}

function hasLoopIn({ body }: Loop): boolean {
  const has = (nodes: readonly Node[]): boolean => nodes.some((node) => node.kind === 'loop' || has(partsOf(node)));
  return has(body);
}

/** What an expression is in an iteration; itself where that is not known. */
export function resolved(
  node: Expression,
  head: Head,
  ends: Ends,
  iteration: Iteration,
  isInvariant: IsInvariant,
): Expression {
  const turns = new Turns(head, isInvariant);
  let value = node;
  for (const { at, below, above } of turns.of(node) ?? []) {
    const isBelow = turns.isBelow(at, ends, iteration);
    if (isBelow === null) return node;
    if (isBelow) return below;
    value = above;
  }
  return value;
}

/** The value of the variable in an iteration. */
export function valueIn({ first, end }: Head, { from, by }: Exclude<Iteration, 'other'>, span: Span): Expression {
  return from === 'first' ? int(first + by, span) : toExpression(plus(end, -by), span);
}

/** That a loop makes more iterations than are peeled, and that nothing wraps; nothing where that is known. */
export function conditionsFor(
  peeled: readonly { readonly head: Head; readonly ends: Ends }[],
  span: Span,
): readonly Expression[] {
  const open = peeled.filter(({ head }) => head.end.terms.size > 0);
  const locals = new Set(open.flatMap(({ head }) => [...head.end.terms.keys()]));
  const isSmallInt = (local: LocalId): Expression =>
    inRange(arithmetic('+', getLocal(local, intType, span), int(1n << 31n, span)), int(1n << 32n, span));
  const isLonger = ({ head, ends }: (typeof open)[number]): Expression => ({
    kind: 'operate',
    operator: '>(int,int)',
    operands: [toExpression(head.end, span), int(head.first + ends.first + ends.last, span)],
    type: booleanType,
    span,
  });
  return withoutRepeats([...[...locals].map(isSmallInt), ...open.map(isLonger)]);
}
