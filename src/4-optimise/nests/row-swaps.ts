// Rows of a matrix that change places, as elimination with pivots has them. In the scratch memory their elements do, in a
// loop of its own; the rows themselves do where they are, so that each gets its elements back behind the nest.
//
//   held = a[k]; a[k] = a[pivot]; a[pivot] = held      loop column  $held = a[k][column]; a[k][column] = a[pivot][column]; …
//
// That all rows are there, equally long and different stays so (row-checks.ts). Rows in locals are others behind it.

import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { visitStatements } from '../../mir/children.ts';
import type { Expression, Loop, LocalId, Statement } from '../../mir/mir.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import { booleanType, intType, valueOf } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Span } from '../../source.ts';
import { pathKey } from '../analysis/access-paths.ts';
import { constantForm, localForm, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { Names } from './reading.ts';
import { elementTypes } from './references.ts';
import type { References } from './references.ts';
import type { Accesses, NestArray, Part, Reference, Straight } from './tree.ts';

/** The statements of a swap are so many. */
export const swapLength = 3;

/** `held = array[one]; array[one] = array[other]; array[other] = held` */
export interface RowSwap {
  readonly held: LocalId;
  readonly one: Element;
  readonly other: Element;
  /** The first of the two that set a row. */
  readonly node: Statement;
}

type Element = Expression & { readonly kind: 'get-element' };

/** More nodes are in no index that is compared. */
const largestKey = 40;

/** The swap that the statements are from the one at a place on; null where they are none. */
export function swapAt(nodes: readonly Statement[], at: number): RowSwap | null {
  const [hold, first, second] = nodes.slice(at, at + swapLength);
  if (hold?.kind !== 'set-local' || first?.kind !== 'set-element' || second?.kind !== 'set-element') return null;
  const { local: held, value: one } = hold;
  const other = first.value;
  if (one.kind !== 'get-element' || other.kind !== 'get-element' || one.type.kind !== 'array') return null;
  const isSwap =
    isAt(first, one) && isAt(second, other) && second.value.kind === 'get-local' && second.value.local === held;
  return isSwap ? { held, one, other, node: first } : null;
}

/** Whether a loop or a branch has rows change places: in a nest nothing else sets a row. */
export function hasSwap(node: Statement): boolean {
  let has = false;
  visitStatements([node], (inner) => void (has ||= inner.kind === 'set-element' && inner.value.type.kind === 'array'));
  return has;
}

function isAt({ array, index }: Pick<Element, 'array' | 'index'>, element: Element): boolean {
  const path = pathKey(array);
  const key = expressionKey(index, largestKey);
  return (
    path !== null && path === pathKey(element.array) && key !== null && key === expressionKey(element.index, largestKey)
  );
}

/** Locals with rows of matrices do not have those at their places any more. */
export function forgetRows({ rows }: Names): void {
  for (const [local, { subscripts }] of rows) if (subscripts.length > 0) rows.delete(local);
}

export interface SwapContext {
  readonly accesses: Accesses;
  readonly references: References;
  readonly newLocal: (name: string, type: Type) => LocalId;
}

/** The rows change places, and so do their elements; null where it is not known which they are. */
export function swapRows(swap: RowSwap, names: Names, context: SwapContext): readonly Part[] | null {
  const { references, accesses, newLocal } = context;
  const { span } = swap.node;
  const one = references.reference(swap.one, names);
  const other = one && references.reference(swap.other, names);
  if (one === null || other === null || one.array !== other.array) return null;
  const { array } = one;
  if (array.dimensions !== 2 || one.subscripts.length !== 1) return null;
  forgetRows(names);
  // A local that has but a range may be another by then.
  if (other.ranges === undefined) names.rows.set(swap.held, other);
  const [row, numbers] = elementTypes(array.base.type) as readonly [Type, Type];
  const element = valueOf(numbers);
  const column = newLocal('column', intType);
  const number = newLocal('held', element);
  const end = references.lengthOfRows(array);
  const rowAt = ({ subscripts }: Reference): Element => ({
    kind: 'get-element',
    array: array.base,
    index: toExpression(subscripts[0]!, span),
    checked: false,
    type: row,
    span,
  });
  const accessTo = (reference: Reference, isWrite: boolean) => ({
    ...reference,
    subscripts: [...reference.subscripts, localForm(column)],
    isWrite,
    type: element,
  });
  const at = getLocal(column, intType, span);
  const load = (reference: Reference): Expression => {
    const node: Expression = {
      kind: 'get-element',
      array: rowAt(reference),
      index: at,
      checked: false,
      type: element,
      span,
    };
    accesses.set(node, accessTo(reference, false));
    return node;
  };
  const store = (reference: Reference, value: Expression): Statement => {
    const node: Statement = { kind: 'set-element', array: rowAt(reference), index: at, value, span };
    accesses.set(node, accessTo(reference, true));
    return node;
  };
  const statements: readonly Statement[] = [
    { kind: 'set-local', local: number, value: load(one), span },
    store(one, load(other)),
    store(other, getLocal(number, element, span)),
  ];
  return [
    swapInPlace(array, one, other, row, newLocal('held', row), span),
    {
      kind: 'loop',
      variable: column,
      goesUp: true,
      step: 1n,
      first: constantForm(0n),
      end,
      parts: [{ kind: 'straight', statements }],
      rows: [],
      // The script makes none of its iterations.
      weight: 0,
      source: emptyLoop(column, end, span),
    },
  ];
}

/** The rows themselves. */
function swapInPlace(
  array: NestArray,
  one: Reference,
  other: Reference,
  type: Type,
  held: LocalId,
  span: Span,
): Straight {
  const hoisted = { array: array.base, elements: array.elements[0]!, length: array.lengths[0]!, window: null };
  const indexOf = ({ subscripts }: Reference): Expression => toExpression(subscripts[0]!, span);
  const rowAt = (reference: Reference): Expression => ({
    kind: 'get-hoisted',
    hoisted,
    index: indexOf(reference),
    checked: false,
    type,
    span,
  });
  const set = (reference: Reference, value: Expression): Statement => ({
    kind: 'set-hoisted',
    hoisted,
    index: indexOf(reference),
    value,
    checked: false,
    span,
  });
  return {
    kind: 'straight',
    statements: [
      { kind: 'set-local', local: held, value: rowAt(one), span },
      set(one, rowAt(other)),
      set(other, getLocal(held, type, span)),
    ],
  };
}

/** A loop that stands for none of the script. */
function emptyLoop(variable: LocalId, end: AffineForm, span: Span): Loop {
  const read = getLocal(variable, intType, span);
  return {
    kind: 'loop',
    id: 0,
    condition: {
      kind: 'operate',
      operator: '<(int,int)',
      operands: [read, toExpression(end, span)],
      type: booleanType,
      span,
    },
    testFirst: true,
    body: [],
    step: [{ kind: 'set-local', local: variable, value: arithmetic('+', read, int(1n, span)), span }],
    span,
  };
}
