// What the subscripts and bounds of a loop nest mean: affine forms, arrays and rows of matrices, and the invariants to be
// worked out in front of the nest.

import type { Expression, LibraryCall, LocalId, Loop } from '../../mir/mir.ts';
import { arithmetic, asNullable, getLocal, int } from '../../mir/builders.ts';
import type { Node } from '../../mir/children.ts';
import { every, isSpeculatable } from '../../mir/effects.ts';
import { booleanType, intType, isScalar } from '../../language/types.ts';
import type { IntStorage, Type } from '../../language/types.ts';
import { storageIn } from '../../mir/scratch.ts';
import { isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { elementsOf } from '../analysis/alias-classes.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { constantForm, keyOf, localForm, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { addPolynomials, affineOf, monomialOf, ofForm, times } from './polynomials.ts';
import type { Monomial, Polynomial } from './polynomials.ts';
import type { Names, ReaderContext, Refusal } from './reading.ts';
import type { Invariant, NestArray, Reference, Scan, SymbolicRange } from './tree.ts';

/** An element, by an array and its subscripts. */
export interface ElementReference extends Reference {
  /** Of an array of one dimension, which may be a matrix row behind row; there are no others if it is not affine. */
  readonly subscript: Polynomial | null;
}

/** Terms and strides of a polynomial: longer ones are no subscripts, and their numbers grow. */
const mostTerms = 24;

export class References {
  readonly #root: Loop;
  readonly #changes: Changes;
  readonly #context: ReaderContext;
  readonly arrays = new Map<string, NestArray>();
  readonly measured = new Map<NestArray, number>();
  readonly invariants = new Map<string, Invariant>();
  readonly scans = new Map<NestArray, Scan>();
  /** Locals that were made while the nest was read, and are set in it. */
  readonly madeInside = new Set<LocalId>();
  /** Whether locals that have but a range are read as forms: in subscripts alone. */
  #takesRanges = false;
  /** Rows whose lengths the bounds of a loop ask for; elsewhere lengths are none of a nest. */
  #asked: Reference[] | null = null;

  constructor(root: Loop, changes: Changes, context: ReaderContext) {
    this.#root = root;
    this.#changes = changes;
    this.#context = context;
  }

  #refuse(kind: Refusal['kind'], node: Node): null {
    this.#context.refuse?.(kind, node);
    return null;
  }

  /** What `read` gives, with the rows whose lengths it asks for. */
  withLengths<Result>(read: () => Result): { readonly result: Result; readonly rows: readonly Reference[] } {
    const rows: Reference[] = [];
    this.#asked = rows;
    const result = read();
    this.#asked = null;
    return { result, rows };
  }

  /** A local that has the value of an expression in front of the nest. */
  valueInFront(key: string, name: string, value: Expression): AffineForm {
    const known = this.invariants.get(key);
    if (known !== undefined) return localForm(known.local);
    const local = this.#context.newLocal(name, intType);
    this.invariants.set(key, { local, value, struct: null });
    return localForm(local);
  }

  access(array: Expression, index: Expression, names: Names): ElementReference | null {
    const found = this.#inSubscripts(() => this.#access(array, index, names));
    if (found === null) return null;
    // A matrix row behind row gets its subscripts later.
    const inRows = [...(found.subscript?.values() ?? [])].map(({ form }) => form);
    return { ...found, ...rangesOf(found, inRows, names) };
  }

  reference(node: Expression, names: Names): Reference | null {
    const found = this.#inSubscripts(() => this.#reference(node, names));
    return found === null ? null : { ...found, ...rangesOf(found, [], names) };
  }

  #inSubscripts<Result>(read: () => Result): Result {
    const before = this.#takesRanges;
    this.#takesRanges = true;
    const result = read();
    this.#takesRanges = before;
    return result;
  }

  /** The range of the elements of an array of ints of one dimension: of all, or of the one that the nest reads. */
  readonly elementsOf = (
    { array, index, type }: Expression & { readonly kind: 'get-element' },
    names: Names,
  ): SymbolicRange | null => {
    if (type.kind !== 'int' || array.kind === 'get-element') return null;
    const form = this.affine(index, names);
    if (form === null) return null;
    const base = this.#reference(array, names)?.array;
    if (base === undefined || base.dimensions !== 1) return null;
    const known = this.scans.get(base);
    const scan = known ?? {
      array: base,
      least: this.#context.newLocal('least', intType),
      greatest: this.#context.newLocal('greatest', intType),
      ascends: this.#context.newLocal('ascends', booleanType),
      position: [...form.terms.keys()].every(this.isInvariant) ? form : null,
    };
    if (scan.position !== null && keyOf(scan.position) !== keyOf(form)) scan.position = null;
    this.scans.set(base, scan);
    return { least: localForm(scan.least), greatest: localForm(scan.greatest), requirements: [], guarding: [] };
  };

  /** Whether a local is set by a scan. */
  isScanned(local: LocalId): boolean {
    return [...this.scans.values()].some(({ least, greatest }) => local === least || local === greatest);
  }

  #access(array: Expression, index: Expression, names: Names): ElementReference | null {
    const row = this.#reference(array, names);
    if (row === null) return null;
    if (row.array.dimensions === 1 && row.subscripts.length === 0) {
      const subscript = this.polynomial(index, names);
      if (subscript === null) return this.#refuse('index', index);
      const form = affineOf(subscript);
      return { array: row.array, subscripts: form === null ? [] : [form], subscript };
    }
    const last = this.affine(index, names);
    if (last === null) return this.#refuse('index', index);
    const subscripts = [...row.subscripts, last];
    return subscripts.length === row.array.dimensions
      ? { ...row, subscripts, subscript: null }
      : this.#refuse('value', array);
  }

  #reference(node: Expression, names: Names): Reference | null {
    if (node.kind === 'get-local') {
      const known = names.rows.get(node.local);
      if (known !== undefined) return known;
    }
    if (node.kind === 'get-element') {
      const matrix = this.#reference(node.array, names);
      if (matrix === null) return null;
      const subscript = this.affine(node.index, names);
      return subscript === null
        ? this.#refuse('index', node.index)
        : { ...matrix, subscripts: [...matrix.subscripts, subscript] };
    }
    const array = this.#arrayAt(node);
    return array === null ? null : { array, subscripts: [] };
  }

  /** An array that the nest leaves where it is. */
  #arrayAt(base: Expression): NestArray | null {
    const key = pathKey(base);
    if (key === null || base.type.kind !== 'array' || !isLookedUp(base) || !isUnchanged(base, this.#changes))
      return this.#refuse('array', base);
    const known = this.arrays.get(key);
    if (known !== undefined) return known;
    const { fn, matrices, newLocal } = this.#context;
    const types = elementTypes(base.type);
    if (!isScalar(types.at(-1)!)) return this.#refuse('elements', base);
    let rows = matrices().classOfArray(fn, base);
    let hasKnownRows = true;
    for (let rest = types.length; rest > 1; rest--) {
      if (rows.isUnknown) return this.#refuse('rows', base);
      hasKnownRows &&= matrices().isRectangularClass(rows);
      rows = elementsOf(rows);
    }
    const array: NestArray = {
      key,
      path: key,
      base,
      class: rows,
      dimensions: types.length,
      hasKnownRows,
      elements: types.map((element) => newLocal('elements', { kind: 'elements', element })),
      lengths: types.map(() => newLocal('length', intType)),
    };
    this.arrays.set(key, array);
    return array;
  }

  affine(node: Expression, names: Names): AffineForm | null {
    const sum = this.polynomial(node, names);
    return (sum === null ? null : affineOf(sum)) ?? this.#invariant(node);
  }

  /** Of locals and constants alone: nothing is looked up for it. */
  affineInts(node: Expression, names: Names): AffineForm | null {
    const isPlain = every([node], ({ kind }) => kind === 'int' || kind === 'get-local' || kind === 'operate');
    return isPlain && node.type.kind === 'int' ? this.affine(node, names) : null;
  }

  /** With strides where the node has some, even if it could be worked out in front of the nest. */
  polynomial(node: Expression, names: Names): Polynomial | null {
    const sum = this.#sumOf(node, names);
    if (sum !== null) return sum;
    const invariant = this.#invariant(node);
    return invariant === null ? null : ofForm(invariant);
  }

  #sumOf(node: Expression, names: Names): Polynomial | null {
    if (node.kind === 'int') return ofForm(constantForm(node.value));
    if (node.kind === 'get-local') {
      if (names.variables.has(node.local)) return ofForm(localForm(node.local));
      const known = names.ints.get(node.local);
      if (known !== undefined) return known;
      if (this.#takesRanges && names.ranges.has(node.local)) return ofForm(localForm(node.local));
      return this.isInvariant(node.local) ? ofForm(localForm(node.local)) : null;
    }
    if (node.kind === 'library-call' && node.function === 'T[].length') {
      const length = this.#lengthOf(node.arguments[0]!, names);
      return length === null ? null : ofForm(length);
    }
    if (node.kind === 'library-call' && isMinOrMax(node)) return this.#chosen(node, names);
    return node.kind === 'operate' ? this.#operation(node, names) : null;
  }

  /** The lesser or the greater of two invariants. */
  #chosen(call: LibraryCall, names: Names): Polynomial | null {
    const forms = call.arguments.map((argument) => this.affine(argument, names));
    const known = forms.filter((form) => form !== null);
    if (known.length < forms.length) return null;
    if (!known.every(({ terms }) => [...terms.keys()].every(this.isInvariant))) return null;
    const key = `${call.function} ${known.map(keyOf).join(' ')}`;
    const chosen = { ...call, arguments: known.map((form) => toExpression(form, call.span)) };
    return ofForm(this.valueInFront(key, 'chosen', chosen));
  }

  /** Whether the nest leaves a local as it is: it is no variable of a loop. */
  readonly isInvariant = (local: LocalId): boolean => !this.#changes.locals.has(local) && !this.madeInside.has(local);

  #operation({ operator, operands }: Expression & { readonly kind: 'operate' }, names: Names): Polynomial | null {
    if (operator === '-(int)') {
      const sum = this.polynomial(operands[0]!, names);
      return sum === null ? null : limited(addPolynomials(ofForm(constantForm(0n)), sum, -1n));
    }
    if (operator !== '+(int,int)' && operator !== '-(int,int)' && operator !== '*(int,int)') return null;
    const [left, right] = operands.map((operand) => this.polynomial(operand, names));
    if (left === null || left === undefined || right === null || right === undefined) return null;
    if (operator !== '*(int,int)') return limited(addPolynomials(left, right, operator === '+(int,int)' ? 1n : -1n));
    const factor = this.#strideOf(right);
    if (factor !== null) return limited(times(left, factor));
    const other = this.#strideOf(left);
    return other === null ? null : limited(times(right, other));
  }

  /** What a row is multiplied with where rows lie one behind another; null for what is none of the nest's. */
  strideOf(node: Expression, names: Names): Monomial | null {
    const factor = this.polynomial(node, names);
    return factor === null ? null : this.#strideOf(factor);
  }

  /** A constant times invariant locals; a sum of some, `n + 2`, becomes one in front of the nest. */
  #strideOf(factor: Polynomial): Monomial | null {
    const known = monomialOf(factor, this.isInvariant);
    if (known !== null) return known;
    const form = affineOf(factor);
    if (form === null || ![...form.terms.keys()].every(this.isInvariant)) return null;
    const stride = this.valueInFront(`stride ${keyOf(form)}`, 'stride', toExpression(form, this.#root.span));
    return { strides: [...stride.terms.keys()], factor: 1n };
  }

  /** A local with a constant times the product of invariant locals. */
  readonly product = (locals: readonly LocalId[], factor: bigint): LocalId => {
    const { span } = this.#root;
    const value = locals
      .map((local): Expression => getLocal(local, intType, span))
      .reduce((left, right) => arithmetic('*', left, right));
    const multiple = arithmetic('*', value, int(factor, span));
    const [local] = this.valueInFront(`product ${factor} ${locals.join(' ')}`, 'stride', multiple).terms.keys();
    return local!;
  };

  /** The length of an array, or of the rows of a matrix. */
  #lengthOf(array: Expression, names: Names): AffineForm | null {
    const reference = this.#reference(array, names);
    if (reference === null || reference.subscripts.length >= reference.array.dimensions) return null;
    const { array: measured, subscripts } = reference;
    if (subscripts.length > 0 && this.#asked === null) return null;
    if (subscripts.length > 0) this.#asked!.push(reference);
    this.measured.set(measured, Math.max(subscripts.length, this.measured.get(measured) ?? 0));
    return localForm(measured.lengths[subscripts.length]!);
  }

  /** The length of the rows of a matrix, which is measured in front of the nest. */
  readonly lengthOfRows = (matrix: NestArray): AffineForm => {
    this.measured.set(matrix, Math.max(1, this.measured.get(matrix) ?? 0));
    return localForm(matrix.lengths[1]!);
  };

  /** What can be worked out in front of the nest. */
  #invariant(node: Expression): AffineForm | null {
    const key = pathKey(node);
    if (key === null || node.type.kind !== 'int' || !isUnchanged(node, this.#changes)) return null;
    if (!every([node], (part) => part.kind !== 'get-local' || !this.madeInside.has(part.local))) return null;
    if (isSpeculatable(node, this.#context.registry)) return this.valueInFront(key, 'invariant', node);
    const field = this.fieldInFront(node);
    return field === null ? null : localForm(field.local);
  }

  /** The local that has a field in front of the nest, which leaves it as it is; null where that may not be. */
  fieldInFront(node: Expression): (Expression & { readonly kind: 'get-local' }) | null {
    if (node.kind !== 'get-field' || !isScalar(node.type)) return null;
    if (!isLookedUp(node) || !isUnchanged(node, this.#changes)) return null;
    const key = pathKey(node)!;
    const { type, span } = node;
    const local = this.invariants.get(key)?.local ?? this.#context.newLocal('field', type);
    this.invariants.set(key, { local, value: node, struct: asNullable(node.object) });
    return { kind: 'get-local', local, type, span };
  }
}

/** What is known of the locals in subscripts that have but a range there. */
function rangesOf(
  { subscripts, ranges: known }: Reference,
  others: readonly AffineForm[],
  names: Names,
): Pick<Reference, 'ranges'> {
  const ranges = new Map(known);
  for (const { terms } of [...subscripts, ...others])
    for (const local of terms.keys()) {
      const range = names.ranges.get(local);
      if (range !== undefined && !ranges.has(local)) ranges.set(local, range);
    }
  return ranges.size === 0 ? {} : { ranges };
}

/** A polynomial that is not too long to be worked with. */
function limited(polynomial: Polynomial): Polynomial | null {
  const terms = [...polynomial.values()].reduce((sum, { strides, form }) => sum + strides.length + form.terms.size, 0);
  return terms <= mostTerms ? polynomial : null;
}

function isMinOrMax({ function: name }: LibraryCall): boolean {
  return name === 'int.min' || name === 'int.max';
}

/** Whether it can be looked up in front of a loop without an error. */
function isLookedUp(base: Expression): boolean {
  if (base.kind === 'get-local' || base.kind === 'get-global') return true;
  return base.kind === 'get-field' && (base.object.kind === 'get-local' || base.object.kind === 'get-global');
}

/** Of an array the types of its elements, of their elements, and so on. */
/** How the numbers of an array lie in memory, if they are ints that fit in fewer bits. */
export function storageOf({ base }: NestArray): IntStorage | undefined {
  return storageIn(elementTypes(base.type).at(-1)!);
}

export function elementTypes(type: Type): readonly Type[] {
  return type.kind === 'array' ? [type.element, ...elementTypes(type.element)] : [];
}
