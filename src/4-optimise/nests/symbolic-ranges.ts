// Symbolic ranges: between which affine forms an int of a nest lies that is none itself. Such an int may be a
// subscript: a position that is clamped, or comes out of a table that the nest does not set.
//
//   int xx = x + d; if (xx < 0) xx = 0; if (xx >= w) xx = w - 1;     0 … w - 1, if w is at least 1
//   symbols[t]                                                       the least and the greatest of all elements
//
// Source: Blume, Eigenmann, "Symbolic range propagation" (1995).

import { arithmetic } from '../../mir/builders.ts';
import type { Node } from '../../mir/children.ts';
import type { Expression, LocalId } from '../../mir/mir.ts';
import { add, constantForm, isSmall, keyOf, localForm, plus, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { guardsOf } from './guards.ts';
import type { Guard } from './guards.ts';
import type { Names } from './reading.ts';
import { extremeOf } from './extremes.ts';
import type { LoopHead, Requirement, SymbolicRange } from './tree.ts';

/** What ranges are worked out by. */
export interface RangeContext {
  /** The affine form of an int, of nothing that has but a range. */
  readonly affine: (node: Expression, names: Names) => AffineForm | null;
  readonly isInvariant: (local: LocalId) => boolean;
  /** Whether a local is known where the nest has not yet been looked at. */
  readonly isInFront: (local: LocalId) => boolean;
  /** A local that has the value of an expression there. */
  readonly valueInFront: (key: string, name: string, value: Expression) => AffineForm;
  /** The range of all elements of the array of ints, which is read at an affine index. */
  readonly elementsOf: (node: Expression & { readonly kind: 'get-element' }, names: Names) => SymbolicRange | null;
}

/** A range, with operations that cannot fail where something holds. */
export interface FoundRange {
  readonly range: SymbolicRange;
  readonly always: readonly AffineForm[];
  readonly unfailing: readonly Node[];
}

/** The range of an int; null where none is known. */
export function rangeOf(node: Expression, names: Names, context: RangeContext): FoundRange | null {
  const reader = new RangeReader(names, context);
  const range = reader.of(node);
  return range === null ? null : { range, always: reader.always, unfailing: reader.unfailing };
}

/** What the ranges of a local have in common where several ways meet; null where one of them is not known. */
export function joinRanges(
  ends: readonly (SymbolicRange | null)[],
  isInvariant: (local: LocalId) => boolean,
  loops: readonly LoopHead[],
): SymbolicRange | null {
  const known = ends.filter((end) => end !== null);
  if (known.length < ends.length || known.length === 0) return null;
  return known.reduce((one, other) => {
    const bounds: Bounds = { isInvariant, loops, requirements: [] };
    const least = outermost(one.least, other.least, false, bounds);
    const greatest = outermost(one.greatest, other.greatest, true, bounds);
    return { ...together([one, other], bounds), least, greatest };
  });
}

/** The range of a value where guards hold; `form` is the value itself. */
export function narrowRange(
  range: SymbolicRange,
  form: AffineForm,
  guards: readonly Guard[],
  isInvariant: (local: LocalId) => boolean,
): SymbolicRange {
  let { least, greatest } = range;
  const guarding = [...range.guarding];
  const isFixed = (bound: AffineForm): boolean => isSmall(bound) && isFixedForm(bound, isInvariant);
  for (const { form: above, is, locals } of guards) {
    if (is !== 'at least 0') continue;
    const [low, high] = [add(form, above, -1n), add(form, above)];
    const isLow = isFixed(low) && isNearer(low, least, false);
    const isHigh = isFixed(high) && isNearer(high, greatest, true);
    if (isLow) least = low;
    if (isHigh) greatest = high;
    if (isLow || isHigh) guarding.push(...locals.filter(isInvariant));
  }
  return { ...range, least, greatest, guarding };
}

/** Whether a bound is nearer than another, as that of a condition usually is. */
function isNearer(bound: AffineForm, other: AffineForm, isGreatest: boolean): boolean {
  const difference = add(bound, other, -1n);
  return difference.terms.size > 0 || difference.constant < 0n === isGreatest;
}

function isFixedForm({ terms }: AffineForm, isInvariant: (local: LocalId) => boolean): boolean {
  return [...terms.keys()].every(isInvariant);
}

/** What some ranges rest on, and a choice of their bounds. */
function together(
  ranges: readonly SymbolicRange[],
  { requirements }: Pick<Bounds, 'requirements'>,
): Pick<SymbolicRange, 'requirements' | 'guarding'> {
  return {
    requirements: [...ranges.flatMap((range) => range.requirements), ...requirements],
    guarding: ranges.flatMap(({ guarding }) => guarding),
  };
}

/** Whether a form has locals that have but a range. */
export function hasRange(form: AffineForm, ranges: ReadonlyMap<LocalId, SymbolicRange> | undefined): boolean {
  return ranges !== undefined && [...form.terms.keys()].some((local) => ranges.has(local));
}

const zero = constantForm(0n);

/** So far from a local a factor may be. */
const farthest = 1n << 20n;

/**
 * The lesser of two forms, or the greater; where that is not known, the extreme of the one that it usually is, which is
 * required then. What is clamped is not below a constant, and it is clamped to something else from what moves with the
 * loops.
 */
function outermost(one: AffineForm, other: AffineForm, isGreatest: boolean, bounds: Bounds): AffineForm {
  const isOuter = ({ constant }: AffineForm): boolean => constant > 0n === isGreatest;
  const difference = add(one, other, -1n);
  if (difference.terms.size === 0) return isOuter(difference) ? one : other;
  const { isInvariant, loops, requirements } = bounds;
  const [first, second] = [extremeOf(one, loops, isGreatest), extremeOf(other, loops, isGreatest)];
  const apart = add(first, second, -1n);
  if (apart.terms.size === 0) return isOuter(apart) ? first : second;
  const rank = (form: AffineForm): number =>
    form.terms.size === 0 ? (isGreatest ? 0 : 3) : isFixedForm(form, isInvariant) ? 1 : 2;
  const [chosen, left] = rank(other) > rank(one) ? [second, first] : [first, second];
  requirements.push({
    form: isGreatest ? add(chosen, left, -1n) : add(left, chosen, -1n),
    of: isGreatest ? 'greatest' : 'least',
  });
  return chosen;
}

/** How bounds are chosen, and what is required for that. */
interface Bounds {
  readonly isInvariant: (local: LocalId) => boolean;
  readonly loops: readonly LoopHead[];
  readonly requirements: Requirement[];
}

type Ends = Pick<SymbolicRange, 'least' | 'greatest'>;

/** The ranges of calls, by those of their arguments. */
const callRanges = {
  'int.min': ([one, other]: readonly Ends[], bounds: Bounds): Ends => ({
    least: outermost(one!.least, other!.least, false, bounds),
    greatest: fixed([one!, other!], bounds).greatest,
  }),
  'int.max': ([one, other]: readonly Ends[], bounds: Bounds): Ends => ({
    least: fixed([one!, other!], bounds).least,
    greatest: outermost(one!.greatest, other!.greatest, true, bounds),
  }),
  // The greatest is as far from 0 as the least, or farther.
  'int.abs': ([one]: readonly Ends[], { loops, requirements }: Bounds): Ends => {
    const greatest = extremeOf(one!.greatest, loops, true);
    requirements.push(needed(add(greatest, extremeOf(one!.least, loops, false))));
    return { least: zero, greatest };
  },
  'int.clamp': ([, low, high]: readonly Ends[], { loops, requirements }: Bounds): Ends => {
    requirements.push(needed(add(extremeOf(high!.least, loops, false), extremeOf(low!.greatest, loops, true), -1n)));
    return { least: low!.least, greatest: high!.greatest };
  },
} as const;

/** What something is clamped to: the first that is one value, and the same in all loops. */
function fixed(ranges: readonly [Ends, Ends], { isInvariant }: Bounds): Ends {
  const isOne = ({ least, greatest }: Ends): boolean => keyOf(least) === keyOf(greatest);
  const isFixed = (range: Ends): boolean => isFixedForm(range.least, isInvariant);
  return ranges.find((range) => isOne(range) && isFixed(range)) ?? ranges.find(isFixed) ?? ranges[0];
}

class RangeReader {
  readonly #names: Names;
  readonly #context: RangeContext;
  readonly always: AffineForm[] = [];
  readonly unfailing: Node[] = [];

  constructor(names: Names, context: RangeContext) {
    this.#names = names;
    this.#context = context;
  }

  /** `guards` hold where the value is worked out. */
  of(node: Expression, guards: readonly Guard[] = []): SymbolicRange | null {
    const range = this.#found(node, guards);
    return range !== null && isSmall(range.least) && isSmall(range.greatest) ? range : null;
  }

  #found(node: Expression, guards: readonly Guard[]): SymbolicRange | null {
    const form = this.#formOf(node);
    if (form !== null) {
      const known = node.kind === 'get-local' ? this.#names.ranges.get(node.local) : undefined;
      return narrowRange(known ?? this.#exactly(form), form, guards, this.#context.isInvariant);
    }
    if (node.kind === 'get-element') return this.#context.elementsOf(node, this.#names);
    if (node.kind === 'conditional' || node.kind === 'select') return this.#choice(node, guards);
    if (node.kind === 'library-call') return this.#call(node.function, node.arguments);
    return node.kind === 'operate' ? this.#operation(node) : null;
  }

  #choice(
    { condition, then, otherwise }: Expression & { readonly kind: 'conditional' | 'select' },
    guards: readonly Guard[],
  ): SymbolicRange | null {
    const side = (value: Expression, holds: boolean): SymbolicRange | null =>
      this.of(value, [...guards, ...guardsOf(condition, holds, (part) => this.#formOf(part))]);
    return joinRanges([side(then, true), side(otherwise, false)], this.#context.isInvariant, this.#names.loops);
  }

  /** The form itself. Whatever becomes of it, comparisons with it must not wrap. */
  #exactly(form: AffineForm): SymbolicRange {
    return { ...between(form, form), guarding: [...form.terms.keys()].filter(this.#context.isInvariant) };
  }

  /** With locals that have but a range. */
  #formOf(node: Expression): AffineForm | null {
    const hasOnlyRange = node.kind === 'get-local' && this.#names.ranges.has(node.local);
    return hasOnlyRange ? localForm(node.local) : this.#context.affine(node, this.#names);
  }

  #call(name: string, operands: readonly Expression[]): SymbolicRange | null {
    if (!Object.hasOwn(callRanges, name)) return null;
    const ranges = operands.map((operand) => this.of(operand)).filter((range) => range !== null);
    if (ranges.length < operands.length) return null;
    const bounds: Bounds = { isInvariant: this.#context.isInvariant, loops: this.#names.loops, requirements: [] };
    const ends = callRanges[name as keyof typeof callRanges](ranges, bounds);
    const keepsSides = name === 'int.min' || name === 'int.max';
    return { ...together(keepsSides ? ranges : ranges.map(ofBoth), bounds), ...ends };
  }

  #operation(node: Expression & { readonly kind: 'operate' }): SymbolicRange | null {
    const { operator, operands } = node;
    const [left, right] = operands as readonly [Expression, Expression];
    if (operator === '-(int)') return this.#sum(null, left, -1n);
    if (operator === '+(int,int)' || operator === '-(int,int)')
      return this.#sum(left, right, operator === '+(int,int)' ? 1n : -1n);
    if (operator === '*(int,int)') return this.#product(left, right) ?? this.#product(right, left);
    if (operator === '&(int,int)') return maskOf(left) ?? maskOf(right);
    return operator === '%(int,int)' ? this.#remainder(node, left, right) : null;
  }

  /** `left + factor * right` */
  #sum(left: Expression | null, right: Expression, factor: bigint): SymbolicRange | null {
    const one = left === null ? between(zero, zero) : this.of(left);
    const other = one === null ? null : this.of(right);
    if (one === null || other === null) return null;
    const [low, high] = factor > 0n ? [other.least, other.greatest] : [other.greatest, other.least];
    const [least, greatest] = [add(one.least, low, factor), add(one.greatest, high, factor)];
    return { ...together([one, factor > 0n ? other : turned(other)], { requirements: [] }), least, greatest };
  }

  /** Of what is never below 0, by a constant or by what the nest leaves alone. */
  #product(one: Expression, by: Expression): SymbolicRange | null {
    const factor = this.#context.affine(by, this.#names);
    const range = factor === null ? null : this.of(one);
    if (factor === null || range === null) return null;
    if (factor.terms.size === 0 && factor.constant >= 0n)
      return {
        ...range,
        least: add(zero, range.least, factor.constant),
        greatest: add(zero, range.greatest, factor.constant),
      };
    const { loops } = this.#names;
    const [least, greatest] = [extremeOf(range.least, loops, false), extremeOf(range.greatest, loops, true)];
    const isZero = least.terms.size === 0 && least.constant === 0n;
    // Two that are small have a product which does not wrap.
    if (!isZero || !this.#isPlainInFront(factor) || !this.#isPlainInFront(greatest)) return null;
    const { span } = by;
    const product = arithmetic('*', toExpression(greatest, span), toExpression(factor, span));
    const key = `product ${keyOf(greatest)} by ${keyOf(factor)}`;
    return {
      ...together([ofBoth(range), this.#exactly(factor), this.#exactly(greatest)], {
        requirements: [needed(factor), needed(greatest)],
      }),
      least,
      greatest: this.#context.valueInFront(key, 'product', product),
    };
  }

  /** Whether it is a local that is known in front of the nest, or a little more or less. */
  #isPlainInFront({ terms, constant }: AffineForm): boolean {
    const isNear = -farthest < constant && constant < farthest;
    return terms.size <= 1 && isNear && [...terms].every(([local, by]) => by === 1n && this.#context.isInFront(local));
  }

  /** The divisor is at least 1, and what is divided never below 0. */
  #remainder(node: Node, left: Expression, right: Expression): SymbolicRange | null {
    const divisor = this.#context.affine(right, this.#names);
    const range = divisor === null ? null : this.of(left);
    if (divisor === null || range === null || !isFixedForm(divisor, this.#context.isInvariant)) return null;
    const greatest = plus(divisor, -1n);
    if (divisor.terms.size > 0) {
      this.always.push(greatest);
      this.unfailing.push(node);
    }
    const requirements = [needed(extremeOf(range.least, this.#names.loops, false)), needed(greatest)];
    return { ...together([ofBoth(range), this.#exactly(divisor)], { requirements }), least: zero, greatest };
  }
}

/** For both bounds. */
function needed(form: AffineForm): Requirement {
  return { form, of: 'both' };
}

function ofBoth(range: SymbolicRange): SymbolicRange {
  return { ...range, requirements: range.requirements.map(({ form }) => needed(form)) };
}

/** What requires something for its least bound does so for the greatest of what it is taken from. */
function turned(range: SymbolicRange): SymbolicRange {
  const other = { least: 'greatest', greatest: 'least', both: 'both' } as const;
  return { ...range, requirements: range.requirements.map(({ form, of }) => ({ form, of: other[of] })) };
}

function between(least: AffineForm, greatest: AffineForm): SymbolicRange {
  return { least, greatest, requirements: [], guarding: [] };
}

function maskOf(node: Expression): SymbolicRange | null {
  return node.kind === 'int' && node.value >= 0n ? between(zero, constantForm(node.value)) : null;
}
