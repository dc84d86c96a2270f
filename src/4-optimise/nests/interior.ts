// The interior of a loop: the iterations in which no position that an inner loop makes of its variable is near a border.
// Where `-r <= dx <= r`, x + dx is from 0 to w - 1 if x is from r to w - r - 1: comparisons with both borders come out alike
// in all of these iterations.
//
// A border that is a number is one in front of which there is nothing, any other one is the size. What is known of locals
// is followed along statements, so that behind `at = x + dx; if (at < 0) at = 0;`, `at` is x + dx there, too.
// Source: Griebl, Feautrier, Lengauer, "Index set splitting" (2000).

import { intType } from '../../language/types.ts';
import { chosenOf, getLocal } from '../../mir/builders.ts';
import { blocksOf, flatten, operandsOf, partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { Span } from '../../source.ts';
import { startOf } from '../analysis/counted-loops.ts';
import {
  add,
  coefficientOf,
  constantForm,
  isSmall,
  localForm,
  plus,
  substitute,
  toExpression,
} from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { boundsOf } from './loop-ends.ts';
import type { Bounds } from './loop-ends.ts';

/** What a comparison is in the interior, or which of its operands a choice gives there. */
export type Decision = boolean | 0 | 1;

export interface Interior {
  readonly bounds: Bounds;
  /** The interior begins at the greatest of these, and ends in front of the least. */
  readonly lows: readonly AffineForm[];
  readonly highs: readonly AffineForm[];
  readonly decisions: ReadonlyMap<Expression, Decision>;
  /** What must be small ints, so that nothing wraps. */
  readonly small: ReadonlySet<LocalId>;
}

/** What the outermost loop leaves alone. */
export interface Invariants {
  readonly has: (local: LocalId) => boolean;
  /** The local with the value of an expression; null where that may change. */
  readonly find: (node: Expression) => LocalId | null;
}

/** Sums of ints below 2^31 by less than this, through so many loops, stay below 2^63. */
const largestFactor = 16n;
const mostCounters = 3;

/** Where a loop begins and ends that counts up by one from a constant; null for any other. */
export function findBounds(loop: Loop, before: readonly Statement[], invariants: Invariants): Bounds | null {
  const constant = (variable: LocalId): AffineForm | null => {
    const value = startOf({ variable }, before);
    return value === null ? null : constantForm(value);
  };
  return boundsOf(loop, constant, new Reader(invariants, []).limitOf);
}

/** The interior of a loop with these bounds, in others; null where nothing depends on one. */
export function findInterior(
  { body }: Loop,
  bounds: Bounds,
  outer: readonly Bounds[],
  invariants: Invariants,
): Interior | null {
  return new Reader(invariants, outer).interior(bounds, body);
}

/** The first iteration of the interior, and the one behind it: both are from the start to the end, in this order. */
export function bordersOf({ bounds, lows, highs }: Interior, from: LocalId, span: Span): readonly Expression[] {
  const [start, end] = [toExpression(bounds.start, span), toExpression(bounds.end, span)];
  const over = (name: 'int.min' | 'int.max', first: Expression, forms: readonly AffineForm[]): Expression =>
    forms.reduce((one, form) => chosenOf(name, one, toExpression(form, span)), first);
  const low = chosenOf('int.max', chosenOf('int.min', over('int.max', start, lows), end), start);
  return [low, chosenOf('int.max', over('int.min', end, highs), getLocal(from, intType, span))];
}

function isNarrow({ terms }: AffineForm): boolean {
  return [...terms.values()].every((factor) => -largestFactor <= factor && factor <= largestFactor);
}

function combine(operator: string, left: AffineForm, right: AffineForm): AffineForm | null {
  if (operator === '+(int,int)') return add(left, right);
  if (operator === '-(int,int)') return add(left, right, -1n);
  if (operator !== '*(int,int)') return null;
  if (right.terms.size === 0) return add(constantForm(0n), left, right.constant);
  return left.terms.size === 0 ? add(constantForm(0n), right, left.constant) : null;
}

/** The least value of a form over loops, of which the outermost comes first, by the sign -1, or the greatest. */
function extreme(form: AffineForm, loops: readonly Bounds[], sign: bigint): AffineForm {
  return loops.reduceRight((value, { variable, start, end }) => {
    const factor = coefficientOf(value, variable);
    return factor === 0n ? value : substitute(value, variable, factor * sign > 0n ? plus(end, -1n) : start);
  }, form);
}

/** Whether an expression of ints does nothing else, and fails at most for want of a struct or an array. */
function isPlain(node: Expression): boolean {
  const isOwn =
    node.kind === 'int' ||
    node.kind === 'get-local' ||
    node.kind === 'get-field' ||
    (node.kind === 'operate' && sums.has(node.operator)) ||
    (node.kind === 'library-call' && choices.has(node.function));
  return isOwn && operandsOf(node).every(isPlain);
}

const sums: ReadonlySet<string> = new Set(['+(int,int)', '-(int,int)', '*(int,int)', '-(int)']);
const choices: ReadonlySet<string> = new Set(['int.min', 'int.max', 'T[].length']);

class Reader {
  readonly #lows: AffineForm[] = [];
  readonly #highs: AffineForm[] = [];
  readonly #decisions = new Map<Expression, Decision>();
  readonly #invariants: Invariants;
  readonly #outer: readonly Bounds[];
  #bounds: Bounds | null = null;
  /** The loops around inside, the outermost first. */
  readonly #counters: Bounds[] = [];
  /** What locals are now, and what expressions were, in terms of variables of loops and what stays. */
  readonly #forms = new Map<LocalId, AffineForm>();
  readonly #values = new Map<Expression, AffineForm>();
  readonly #small = new Set<LocalId>();
  /** What has been compared: what stands at two places may be decided at one of them alone. */
  readonly #compared = new Set<Expression>();
  #isShared = false;

  constructor(invariants: Invariants, outer: readonly Bounds[]) {
    this.#invariants = invariants;
    this.#outer = outer;
    for (const { variable } of outer) this.#forms.set(variable, localForm(variable));
  }

  /** Null where nothing is decided by where the interior begins or ends. */
  interior(bounds: Bounds, body: readonly Statement[]): Interior | null {
    this.#bounds = bounds;
    this.#forms.set(bounds.variable, localForm(bounds.variable));
    this.#ask(bounds.start, bounds.end);
    this.#block(body);
    const [lows, highs, decisions] = [this.#lows, this.#highs, this.#decisions];
    if (this.#isShared || (lows.length === 0 && highs.length === 0)) return null;
    for (const { variable } of [...this.#outer, bounds]) this.#small.delete(variable);
    return { bounds, lows, highs, decisions, small: this.#small };
  }

  /** A limit that may be left out, or worked out once. */
  readonly limitOf = (limit: Expression): AffineForm | null => {
    if (!isPlain(limit)) return null;
    this.#expression(limit);
    return this.#values.get(limit) ?? null;
  };

  #block(nodes: readonly Statement[]): void {
    for (const node of flatten(nodes)) this.#statement(node);
  }

  #statement(node: Statement): void {
    if (node.kind === 'loop') return this.#loop(node);
    if (node.kind === 'if') return this.#if(node);
    if (blocksOf(node).length > 0) return this.#forget([node]);
    this.#parts(node);
    for (const local of localsSet(node)) this.#forms.delete(local);
    const form = node.kind === 'set-local' ? this.#values.get(node.value) : undefined;
    if (node.kind === 'set-local' && form !== undefined) this.#forms.set(node.local, form);
  }

  #loop(loop: Loop): void {
    const starts = new Map(this.#forms);
    this.#forget([loop]);
    const counter = boundsOf(loop, (variable) => starts.get(variable) ?? null, this.limitOf);
    if (counter === null || this.#counters.length === mostCounters) return;
    this.#forms.set(counter.variable, localForm(counter.variable));
    this.#counters.push(counter);
    this.#block(loop.body);
    this.#counters.pop();
    this.#forget([loop]);
  }

  #if(node: Statement & { readonly kind: 'if' }): void {
    let isReached: boolean | null = true;
    for (const { condition, then } of node.arms) {
      this.#expression(condition);
      const truth = this.#truth(condition);
      if (truth === false) continue;
      this.#block(then);
      if (truth === true && isReached) return;
      this.#forget(then);
      isReached = null;
      if (truth === true) break;
    }
    this.#block(node.otherwise);
    // Of what is not done in all iterations, nobody knows what it leaves.
    if (isReached === null) this.#forget([node]);
  }

  /** Expressions in the order in which they are evaluated. */
  #expression(node: Expression): void {
    if (node.kind === 'sequence') {
      this.#block(node.statements);
      this.#expression(node.value);
    } else if (node.kind === 'conditional') {
      this.#expression(node.condition);
      for (const branch of [node.then, node.otherwise]) {
        this.#expression(branch);
        this.#forget([branch]);
      }
    } else this.#parts(node);
    if (node.kind === 'logical') this.#forget(node.operands.slice(1));
    this.#decide(node);
    const value = node.type.kind === 'int' ? this.#valueOf(node) : null;
    if (value === null || !isSmall(value) || !isNarrow(value)) this.#values.delete(node);
    else this.#values.set(node, value);
  }

  #parts(node: Node): void {
    for (const part of partsOf(node)) if ('type' in part) this.#expression(part);
  }

  #forget(nodes: readonly Node[]): void {
    visitAll(nodes, (node) => localsSet(node).forEach((local) => this.#forms.delete(local)));
  }

  /** What an expression is, whose operands have been evaluated. */
  #valueOf(node: Expression): AffineForm | null {
    const value = (operand: Expression): AffineForm | null => this.#values.get(operand) ?? null;
    if (node.kind === 'int') return constantForm(node.value);
    if (node.kind === 'sequence') return value(node.value);
    const decision = this.#decisions.get(node);
    if (node.kind === 'library-call' && typeof decision === 'number') return value(node.arguments[decision]!);
    if (node.kind === 'operate') {
      const [left = null, right] = node.operands.map(value);
      if (right === undefined) return left && node.operator === '-(int)' ? add(constantForm(0n), left, -1n) : null;
      return left && right && combine(node.operator, left, right);
    }
    const known = node.kind === 'get-local' ? this.#forms.get(node.local) : undefined;
    if (known !== undefined) return known;
    const local = this.#invariants.find(node);
    return local === null ? null : localForm(local);
  }

  /** Whether a condition holds in the interior; null where that is not known. */
  #truth(node: Expression): boolean | null {
    const known = this.#decisions.get(node);
    if (typeof known === 'boolean') return known;
    if (node.kind === 'operate' && node.operator === '!(boolean)') {
      const operand = this.#truth(node.operands[0]!);
      return operand === null ? null : !operand;
    }
    if (node.kind !== 'logical') return null;
    const decisive = node.operator === '||';
    const truths = node.operands.map((operand) => this.#truth(operand));
    if (truths.includes(decisive)) return decisive;
    return truths.includes(null) ? null : !decisive;
  }

  #decide(node: Expression): void {
    const chosen = node.kind === 'library-call' ? /^int\.(min|max)$/.exec(node.function)?.[1] : undefined;
    const symbol = node.kind === 'operate' ? /^(<|<=|>|>=)\(int,int\)$/.exec(node.operator)?.[1] : undefined;
    if (chosen === undefined && symbol === undefined) return;
    this.#isShared ||= this.#compared.has(node);
    this.#compared.add(node);
    const [left, right] = operandsOf(node) as readonly [Expression, Expression];
    // It is left out with all that its operands do.
    if (!isPlain(left) || !isPlain(right)) return;
    // Of two that are equal, either one is the least.
    const by = chosen !== undefined ? null : symbol === '<=' || symbol === '>' ? 1n : 0n;
    const isNegative = this.#isNegative(left, right, by);
    if (isNegative === null) return;
    if (symbol !== undefined) this.#decisions.set(node, isNegative === symbol.startsWith('<'));
    else this.#decisions.set(node, isNegative === (chosen === 'min') ? 0 : 1);
  }

  /**
   * Whether `left - right - by` is negative in the interior, which then has that border; null where it may be both. Without
   * `by`, whether the left is at most the right, or at least.
   */
  #isNegative(left: Expression, right: Expression, by: bigint | null): boolean | null {
    const [one, other] = [this.#values.get(left), this.#values.get(right)];
    if (one === undefined || other === undefined || this.#bounds === null) return null;
    const { variable } = this.#bounds;
    const difference = add(one, other, -1n);
    // What both have in common may be so large that one of them wraps.
    const small = [one, other, ...this.#loops(this.#bounds).flatMap(({ start, end }) => [start, end])];
    for (const sign of [true, false])
      if (this.#is(plus(difference, -(by ?? (sign ? 1n : 0n))), sign, this.#bounds)) {
        this.#ask(...small);
        return sign;
      }
    const isCounted = this.#counters.some((counter) => coefficientOf(difference, counter.variable) !== 0n);
    const factor = coefficientOf(extreme(difference, this.#counters, 1n), variable);
    // Where no loop inside moves the position, loop peeling finds what there is to find.
    if (!isCounted || (factor !== 1n && factor !== -1n)) return null;
    const isAtStart = this.#hasNumberForBorder(difference, this.#bounds);
    // `variable + rest < 0` is false from -rest on, and `rest - variable < 0` true from rest + 1 on.
    const isNegative = isAtStart === (factor === -1n);
    const position = plus(difference, -(by ?? (isNegative ? 1n : 0n)));
    const last = extreme(position, this.#counters, isNegative ? 1n : -1n);
    if (coefficientOf(last, variable) !== factor) return null;
    const rest = add(last, localForm(variable), -factor);
    const at = factor === 1n ? add(constantForm(0n), rest, -1n) : plus(rest, 1n);
    if (!this.#isBorder(at, isAtStart, this.#bounds)) return null;
    this.#ask(at, ...small);
    (isAtStart ? this.#lows : this.#highs).push(at);
    return isNegative;
  }

  /** Whether it stays where it is; a border at the start is as far from there as a number or radius, and no size. */
  #isBorder(at: AffineForm, isAtStart: boolean, { end }: Bounds): boolean {
    const isSize = isAtStart && [...end.terms.keys()].some((local) => coefficientOf(at, local) !== 0n);
    return !isSize && isSmall(at) && [...at.terms.keys()].every(this.#invariants.has);
  }

  /** Whether a position is compared with a number, and not with a size. */
  #hasNumberForBorder({ terms, constant }: AffineForm, { variable, end }: Bounds): boolean {
    const isVariable = (local: LocalId): boolean =>
      local === variable || this.#counters.some((counter) => counter.variable === local);
    if ([...terms.keys()].some((local) => !isVariable(local))) return false;
    return end.terms.size > 0 || 2n * (constant < 0n ? -constant : constant) < end.constant;
  }

  /** Whether a form is negative in all iterations of all the loops, or in none of them. */
  #is(form: AffineForm, isNegative: boolean, bounds: Bounds): boolean {
    const { terms, constant } = extreme(form, this.#loops(bounds), isNegative ? 1n : -1n);
    return terms.size === 0 && constant < 0n === isNegative;
  }

  /** All around, the outermost first. */
  #loops(bounds: Bounds): readonly Bounds[] {
    return [...this.#outer, bounds, ...this.#counters];
  }

  #ask(...forms: readonly AffineForm[]): void {
    const counted = new Set([...this.#outer, ...this.#counters].map(({ variable }) => variable));
    for (const { terms } of forms) for (const local of terms.keys()) if (!counted.has(local)) this.#small.add(local);
  }
}
