// What the subscripts and bounds of a loop nest mean: affine forms, arrays and rows of matrices, and the invariants to be
// worked out in front of the nest.

import type { Expression, LocalId } from '../../mir/mir.ts';
import type { Node } from '../../mir/children.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import { intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { elementsOf } from '../analysis/alias-classes.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { add, constantForm, isSmall, localForm } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { isNumber } from './reading.ts';
import type { Names, ReaderContext, Refusal } from './reading.ts';
import type { Access, NestArray, Reference } from './tree.ts';

export class References {
  readonly #changes: Changes;
  readonly #context: ReaderContext;
  readonly arrays = new Map<string, NestArray>();
  readonly measured = new Set<NestArray>();
  readonly invariants = new Map<string, { readonly local: LocalId; readonly value: Expression }>();
  /** Rows whose lengths the bounds of a loop ask for; elsewhere lengths are none of a nest. */
  #asked: Reference[] | null = null;

  constructor(changes: Changes, context: ReaderContext) {
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
    this.invariants.set(key, { local, value });
    return localForm(local);
  }

  access(array: Expression, index: Expression, names: Names): Pick<Access, 'array' | 'subscripts'> | null {
    const row = this.reference(array, names);
    if (row === null) return null;
    const last = this.affine(index, names);
    if (last === null) return this.#refuse('index', index);
    const subscripts = [...row.subscripts, last];
    return subscripts.length === row.array.dimensions ? { array: row.array, subscripts } : this.#refuse('value', array);
  }

  reference(node: Expression, names: Names): Reference | null {
    if (node.kind === 'get-local') {
      const known = names.rows.get(node.local);
      if (known !== undefined) return known;
    }
    if (node.kind === 'get-element') {
      const matrix = this.reference(node.array, names);
      if (matrix === null) return null;
      const subscript = this.affine(node.index, names);
      return subscript === null
        ? this.#refuse('index', node.index)
        : { array: matrix.array, subscripts: [...matrix.subscripts, subscript] };
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
    if (!isNumber(types.at(-1)!)) return this.#refuse('value', base);
    let rows = matrices().classOfArray(fn, base);
    for (let rest = types.length; rest > 1; rest--) {
      if (!matrices().isFixedClass(rows)) return this.#refuse('rows', base);
      rows = elementsOf(rows);
    }
    const array: NestArray = {
      key,
      base,
      class: rows,
      dimensions: types.length,
      elements: types.map((element) => newLocal('elements', { kind: 'elements', element })),
      lengths: types.map(() => newLocal('length', intType)),
    };
    this.arrays.set(key, array);
    return array;
  }

  affine(node: Expression, names: Names): AffineForm | null {
    const form = this.#sumOf(node, names);
    return form !== null && isSmall(form) ? form : null;
  }

  #sumOf(node: Expression, names: Names): AffineForm | null {
    if (node.kind === 'int') return constantForm(node.value);
    if (node.kind === 'get-local') {
      if (names.variables.has(node.local)) return localForm(node.local);
      const known = names.ints.get(node.local);
      if (known !== undefined) return known;
      return this.#changes.locals.has(node.local) ? null : localForm(node.local);
    }
    if (node.kind === 'library-call' && node.function === 'T[].length')
      return this.#lengthOf(node.arguments[0]!, names);
    if (node.kind === 'operate') {
      const sum = this.#operation(node, names);
      if (sum !== null) return sum;
    }
    return this.#invariant(node);
  }

  #operation({ operator, operands }: Expression & { readonly kind: 'operate' }, names: Names): AffineForm | null {
    if (operator !== '+(int,int)' && operator !== '-(int,int)' && operator !== '*(int,int)') return null;
    const [left, right] = operands.map((operand) => this.affine(operand, names));
    if (left === null || left === undefined || right === null || right === undefined) return null;
    if (operator !== '*(int,int)') return add(left, right, operator === '+(int,int)' ? 1n : -1n);
    if (left.terms.size === 0) return add(constantForm(0n), right, left.constant);
    return right.terms.size === 0 ? add(constantForm(0n), left, right.constant) : null;
  }

  /** The length of an array, or of the rows of a fixed matrix. */
  #lengthOf(array: Expression, names: Names): AffineForm | null {
    const reference = this.reference(array, names);
    if (reference === null || reference.subscripts.length >= reference.array.dimensions) return null;
    const { array: measured, subscripts } = reference;
    if (subscripts.length > 0 && this.#asked === null) return null;
    if (subscripts.length > 0) this.#asked!.push(reference);
    this.measured.add(measured);
    return localForm(measured.lengths[subscripts.length]!);
  }

  /** What can be worked out in front of the nest. */
  #invariant(node: Expression): AffineForm | null {
    const key = pathKey(node);
    if (key === null || node.type.kind !== 'int' || !isUnchanged(node, this.#changes)) return null;
    if (!isSpeculatable(node, this.#context.registry)) return null;
    return this.valueInFront(key, 'invariant', node);
  }
}

/** Whether it can be looked up in front of a loop without an error. */
function isLookedUp(base: Expression): boolean {
  if (base.kind === 'get-local' || base.kind === 'get-global') return true;
  return base.kind === 'get-field' && (base.object.kind === 'get-local' || base.object.kind === 'get-global');
}

/** Of an array the types of its elements, of their elements, and so on. */
export function elementTypes(type: Type): readonly Type[] {
  return type.kind === 'array' ? [type.element, ...elementTypes(type.element)] : [];
}
