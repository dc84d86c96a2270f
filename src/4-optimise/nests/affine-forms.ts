// Affine forms: ints that are sums of locals, each times a constant, and a constant: `2 * i + j - 1`. Subscripts and
// bounds of loop nests are compared, added and shifted in this form.
//
// Source: Wolfe, "High Performance Compilers for Parallel Computing", chapter 5.

import type { Expression, LocalId } from '../../mir/mir.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { intType } from '../../language/types.ts';
import type { Span } from '../../source.ts';

export interface AffineForm {
  /** The coefficients, none of them 0. */
  readonly terms: ReadonlyMap<LocalId, bigint>;
  readonly constant: bigint;
}

/** Forms with larger numbers or more terms are not made, so that sums of small locals stay far below 2^63. */
const largestConstant = 1n << 29n;
const largestCoefficient = 1n << 10n;
const mostTerms = 6;

export function constantForm(constant: bigint): AffineForm {
  return { terms: new Map(), constant };
}

export function localForm(local: LocalId): AffineForm {
  return { terms: new Map([[local, 1n]]), constant: 0n };
}

/** `left + factor * right` */
export function add(left: AffineForm, right: AffineForm, factor = 1n): AffineForm {
  const terms = new Map(left.terms);
  for (const [local, coefficient] of right.terms) {
    const sum = (terms.get(local) ?? 0n) + factor * coefficient;
    if (sum === 0n) terms.delete(local);
    else terms.set(local, sum);
  }
  return { terms, constant: left.constant + factor * right.constant };
}

export function plus(form: AffineForm, constant: bigint): AffineForm {
  return { ...form, constant: form.constant + constant };
}

export function isSmall({ terms, constant }: AffineForm): boolean {
  const isBelow = (value: bigint, limit: bigint): boolean => -limit <= value && value <= limit;
  return (
    isBelow(constant, largestConstant) &&
    terms.size <= mostTerms &&
    [...terms.values()].every((coefficient) => isBelow(coefficient, largestCoefficient))
  );
}

export function isZero({ terms, constant }: AffineForm): boolean {
  return terms.size === 0 && constant === 0n;
}

export function coefficientOf({ terms }: AffineForm, local: LocalId): bigint {
  return terms.get(local) ?? 0n;
}

/** The form with another in place of a local. */
export function substitute(form: AffineForm, local: LocalId, by: AffineForm): AffineForm {
  const coefficient = coefficientOf(form, local);
  if (coefficient === 0n) return form;
  const terms = new Map(form.terms);
  terms.delete(local);
  return add({ terms, constant: form.constant }, by, coefficient);
}

/** Shared by forms with the same terms. */
export function keyOfTerms({ terms }: AffineForm): string {
  return [...terms]
    .toSorted(([one], [other]) => one - other)
    .map(([local, coefficient]) => `${coefficient}*${local}`)
    .join('+');
}

export function keyOf(form: AffineForm): string {
  return `${keyOfTerms(form)}+${form.constant}`;
}

export function toExpression(form: AffineForm, span: Span): Expression {
  const terms = [...form.terms].map(([local, coefficient]) =>
    arithmetic('*', getLocal(local, intType, span), int(coefficient, span)),
  );
  const [first, ...others] = terms;
  if (first === undefined) return int(form.constant, span);
  const sum = others.reduce((left, right) => arithmetic('+', left, right), first);
  return form.constant < 0n
    ? arithmetic('-', sum, int(-form.constant, span))
    : arithmetic('+', sum, int(form.constant, span));
}
