// Polynomials: sums of affine forms, each times a product of invariant locals, its strides: `i * n + j`, `(i * n + j) * m`.
// They are what subscripts of matrices that lie in one array are, row behind row.

import type { LocalId } from '../../mir/mir.ts';
import { add, constantForm, isSmall, isZero } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';

/** `form` times all of the strides. */
export interface Product {
  /** In ascending order, with repeats. */
  readonly strides: readonly LocalId[];
  readonly form: AffineForm;
}

/** The products by their strides; none is of the form 0. */
export type Polynomial = ReadonlyMap<string, Product>;

/** A constant times strides. */
export interface Monomial {
  readonly strides: readonly LocalId[];
  readonly factor: bigint;
}

export function keyOfStrides(strides: readonly LocalId[]): string {
  return strides.join('*');
}

export function ofForm(form: AffineForm): Polynomial {
  return fromProducts([{ strides: [], form }]);
}

/** The sum of products. */
export function fromProducts(products: readonly Product[]): Polynomial {
  const sum = new Map<string, Product>();
  for (const { strides, form } of products) {
    const key = keyOfStrides(strides);
    const known = sum.get(key)?.form;
    const all = known === undefined ? form : add(known, form);
    if (isZero(all)) sum.delete(key);
    else sum.set(key, { strides, form: all });
  }
  return sum;
}

/** `left + factor * right` */
export function addPolynomials(left: Polynomial, right: Polynomial, factor = 1n): Polynomial {
  return fromProducts([...left.values(), ...times(right, { strides: [], factor }).values()]);
}

export function times(polynomial: Polynomial, { strides, factor }: Monomial): Polynomial {
  return fromProducts(
    [...polynomial.values()].map((product) => ({
      strides: withStrides(product.strides, strides),
      form: add(constantForm(0n), product.form, factor),
    })),
  );
}

export function withStrides(strides: readonly LocalId[], others: readonly LocalId[]): readonly LocalId[] {
  return [...strides, ...others].toSorted((one, other) => one - other);
}

/** What is left of strides without others; null where they have not all of those. */
export function withoutStrides(strides: readonly LocalId[], others: readonly LocalId[]): readonly LocalId[] | null {
  const left = [...strides];
  for (const stride of others) {
    const at = left.indexOf(stride);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/** The form of a polynomial without strides; null where it has some, and where it is not small. */
export function affineOf(polynomial: Polynomial): AffineForm | null {
  const form = polynomial.get('')?.form ?? constantForm(0n);
  const isAffine = polynomial.size === (polynomial.has('') ? 1 : 0);
  return isAffine && isSmall(form) ? form : null;
}

/** A polynomial that is a constant times locals, all of them invariant; null where it is none. */
export function monomialOf(polynomial: Polynomial, isInvariant: (local: LocalId) => boolean): Monomial | null {
  const [only, ...others] = polynomial.values();
  if (only === undefined) return { strides: [], factor: 0n };
  const { strides, form } = only;
  if (others.length > 0) return null;
  const [term, ...terms] = form.terms;
  if (term === undefined) return { strides, factor: form.constant };
  const [local, factor] = term;
  const isOne = terms.length === 0 && form.constant === 0n && isInvariant(local);
  return isOne ? { strides: withStrides(strides, [local]), factor } : null;
}
