// Delinearisation: a matrix whose rows lie one behind another in one array, `a[i * n + j]`, is read as a matrix with the
// subscripts i and j. That j is in 0..n is a condition in front of the nest; then no two pairs of subscripts are of the
// same element, and ranges and dependences are those of each subscript.
//
// Source: Grosser, Ramanujam, Pouchet, Sadayappan, Pop, "Optimistic delinearization of parametrically sized arrays"
// (2015).

import type { LocalId } from '../../mir/mir.ts';
import type { Node } from '../../mir/children.ts';
import { add, constantForm, isSmall, localForm, plus, substitute } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { affineOf, fromProducts, keyOfStrides, withStrides, withoutStrides } from './polynomials.ts';
import type { Monomial, Polynomial, Product } from './polynomials.ts';
import type { Accesses, Nest, NestArray, SymbolicRange } from './tree.ts';

export interface DelinearisationContext {
  readonly accesses: Accesses;
  /** Of accesses to arrays of one dimension. */
  readonly subscripts: Map<Node, Polynomial>;
  /** By locals in subscripts. */
  readonly rowsTimesStrides: ReadonlyMap<LocalId, RowTimesStride>;
  /** What is not a variable of a loop. */
  readonly isInvariant: (local: LocalId) => boolean;
  /** A local that holds a constant times the product of invariant locals. */
  readonly product: (locals: readonly LocalId[], factor: bigint) => LocalId;
}

/** An index that is a row, of which but a range is known, times a stride. */
export interface RowTimesStride {
  readonly row: LocalId;
  readonly range: SymbolicRange;
  readonly stride: Monomial;
}

type Strides = readonly LocalId[];

/** Of each dimension from the innermost on, by its stride, a form. */
type Forms = readonly AffineForm[];

/**
 * Gives all accesses with strides subscripts of more dimensions, and those to the same arrays; to the node of one for
 * which there are none, null where there is no such node.
 */
export function delinearise(context: DelinearisationContext): Node | null {
  const { accesses, subscripts } = context;
  for (const [array, nodes] of Map.groupBy(subscripts.keys(), (node) => accesses.get(node)!.array)) {
    // What is only read needs not be told apart from what is set.
    if (nodes.some((node) => accesses.get(node)!.isWrite)) for (const node of nodes) takeRows(node, context);
    if (nodes.every((node) => affineOf(subscripts.get(node)!) !== null)) continue;
    const ofColumns = columnsIn(nodes, context);
    const isPlain = (node: Node): boolean => {
      const form = affineOf(subscripts.get(node)!);
      return form !== null && !variablesOf(form, context).every((local) => ofColumns.has(local));
    };
    const ofMatrix = nodes.filter((node) => !isPlain(node));
    const matrices = new Map<string, NestArray>();
    // All by the same shape, or else each by its own.
    if (take(array, ofMatrix, matrices, context)) continue;
    const unfit = ofMatrix.find((node) => !take(array, [node], matrices, context));
    if (unfit !== undefined) return unfit;
  }
  return null;
}

/** The arrays that are still accessed, those that were found to be matrices included. */
export function withMatrices(
  arrays: readonly NestArray[],
  accesses: Accesses,
  measured: Nest['measured'],
): Map<string, NestArray> {
  const used = new Set([...accesses.values()].map(({ array }) => array));
  const kept = arrays.filter((array) => used.has(array) || measured.has(array) || array.dimensions > 1);
  return new Map([...kept, ...used].map((array) => [array.key, array]));
}

/** Has rows that have but a range be rows of a subscript with strides. */
function takeRows(node: Node, { accesses, subscripts, rowsTimesStrides }: DelinearisationContext): void {
  const access = accesses.get(node)!;
  const form = affineOf(subscripts.get(node)!);
  const ranges = new Map(access.ranges);
  const products: Product[] = [];
  let rest = form;
  for (const [local, coefficient] of form?.terms ?? []) {
    const found = rowsTimesStrides.get(local);
    if (found === undefined || rest === null) continue;
    const { row, range, stride } = found;
    rest = substitute(rest, local, constantForm(0n));
    ranges.delete(local);
    ranges.set(row, range);
    const times = coefficient * stride.factor;
    products.push({ strides: stride.strides, form: add(constantForm(0n), localForm(row), times) });
  }
  if (rest === null || products.length === 0) return;
  subscripts.set(node, fromProducts([{ strides: [], form: rest }, ...products]));
  accesses.set(node, { ...access, ranges });
}

/** The variables by which accesses move in a row: others, in an index without strides, go through the whole array. */
function columnsIn(nodes: readonly Node[], context: DelinearisationContext): ReadonlySet<LocalId> {
  const polynomials = nodes.map((node) => context.subscripts.get(node)!).filter((one) => affineOf(one) === null);
  return new Set(polynomials.flatMap((one) => variablesOf(one.get('')?.form ?? constantForm(0n), context)));
}

function variablesOf({ terms }: AffineForm, { isInvariant }: DelinearisationContext): readonly LocalId[] {
  return [...terms.keys()].filter((local) => !isInvariant(local));
}

/** Has accesses be to a matrix, if there is a shape for all of them. */
function take(
  array: NestArray,
  nodes: readonly Node[],
  matrices: Map<string, NestArray>,
  context: DelinearisationContext,
): boolean {
  const { accesses, subscripts } = context;
  const polynomials = nodes.map((node) => subscripts.get(node)!);
  const strides = stridesOf(polynomials, context);
  if (strides === null) return false;
  const placed = polynomials.map((polynomial) => place(polynomial, strides, context));
  // `(i * n + j) * 3 + k` has rows of 3 * n.
  const factors = strides.map((_, level) => (level === 0 ? 1n : factorOf(placed.map((forms) => forms[level]!))));
  const sizes = sizesOf(strides, factors, context);
  if (sizes === null) return false;
  const split = placed.map((forms) => withinRows(forms, factors, sizes, context));
  if (!split.every((forms) => forms.every(isSmall))) return false;
  const key = sizes.join(',');
  const matrix = matrices.get(key) ?? matrixOf(array, sizes);
  matrices.set(key, matrix);
  for (const [at, node] of nodes.entries())
    accesses.set(node, { ...accesses.get(node)!, array: matrix, subscripts: split[at]!.toReversed() });
  return true;
}

/** An array as a matrix with rows of these sizes; itself where there are none. */
function matrixOf(array: NestArray, sizes: readonly LocalId[]): NestArray {
  if (sizes.length === 0) return array;
  return {
    ...array,
    key: `${array.path} by ${sizes.join(',')}`,
    dimensions: sizes.length + 1,
    lengths: [array.lengths[0]!, ...sizes.toReversed()],
  };
}

/** The strides of variables in the subscripts, if each is a multiple of the one before; else null. */
function stridesOf(polynomials: readonly Polynomial[], context: DelinearisationContext): readonly Strides[] | null {
  const found = new Map<string, Strides>([['', []]]);
  for (const polynomial of polynomials)
    for (const [key, { strides, form }] of polynomial)
      if (variablesOf(form, context).length > 0) found.set(key, strides);
  const strides = [...found.values()].toSorted((one, other) => one.length - other.length);
  const areMultiples = strides.slice(1).every((next, index) => {
    const quotient = withoutStrides(next, strides[index]!);
    return quotient !== null && quotient.length > 0;
  });
  return areMultiples ? strides : null;
}

/** The forms that the strides are multiplied with. */
function place(polynomial: Polynomial, strides: readonly Strides[], context: DelinearisationContext): Forms {
  const keys = strides.map(keyOfStrides);
  const forms = strides.map(() => constantForm(0n));
  const put = (level: number, form: AffineForm, factor: bigint): void =>
    void (forms[level] = add(forms[level]!, form, factor));
  for (const { strides: around, form } of polynomial.values()) {
    for (const [local, coefficient] of form.terms) {
      if (context.isInvariant(local)) placeConstant(withStrides(around, [local]), coefficient);
      else put(keys.indexOf(keyOfStrides(around)), localForm(local), coefficient);
    }
    placeConstant(around, form.constant);
  }
  return forms;

  /** Invariants: `i * n + j + n` is in the next row, `i * n + m` further on in this one. */
  function placeConstant(product: Strides, factor: bigint): void {
    if (factor === 0n) return;
    const same = keys.indexOf(keyOfStrides(product));
    if (same >= 0) return put(same, constantForm(1n), factor);
    for (let level = strides.length - 1; level >= 0; level--) {
      const [only, ...others] = withoutStrides(product, strides[level]!) ?? [];
      if (only !== undefined && others.length === 0) return put(level, localForm(only), factor);
    }
    put(0, localForm(context.product(product, 1n)), factor);
  }
}

/** The greatest constant that divides all of the forms. */
function factorOf(forms: readonly AffineForm[]): bigint {
  const numbers = forms.flatMap(({ terms, constant }) => [...terms.values(), constant]);
  return numbers.reduce(greatestDivisor, 0n) || 1n;
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  const [left, right] = [one < 0n ? -one : one, other < 0n ? -other : other];
  return right === 0n ? left : greatestDivisor(right, left % right);
}

/** Of each dimension but the outermost, from the innermost: the stride of the next by its own. */
function sizesOf(
  strides: readonly Strides[],
  factors: readonly bigint[],
  { product }: DelinearisationContext,
): readonly LocalId[] | null {
  if (factors.slice(1).some((factor, index) => factor % factors[index]! !== 0n)) return null;
  return strides.slice(1).map((next, index) => {
    const quotient = withoutStrides(next, strides[index]!)!;
    const factor = factors[index + 1]! / factors[index]!;
    return quotient.length === 1 && factor === 1n ? quotient[0]! : product(quotient, factor);
  });
}

/** The subscripts, from the innermost. */
function withinRows(
  placed: Forms,
  factors: readonly bigint[],
  sizes: readonly LocalId[],
  context: DelinearisationContext,
): Forms {
  const forms = placed.map(({ terms, constant }, level): AffineForm => {
    const factor = factors[level]!;
    const divided = [...terms].map(([local, coefficient]) => [local, coefficient / factor] as const);
    return { terms: new Map(divided), constant: constant / factor };
  });
  sizes.forEach((size, level) => {
    // `i * n + n - 1` is not in the next row.
    if (!isBelowZero(forms[level]!, context)) return;
    forms[level] = add(forms[level]!, localForm(size));
    forms[level + 1] = plus(forms[level + 1]!, -1n);
  });
  return forms;
}

/** Whether it seems to be below 0, since nothing in it goes up. */
function isBelowZero(form: AffineForm, context: DelinearisationContext): boolean {
  const variables = variablesOf(form, context);
  if (variables.length < form.terms.size) return false;
  return (variables.length > 0 || form.constant < 0n) && variables.every((local) => form.terms.get(local)! < 0n);
}
