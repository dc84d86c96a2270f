// Subscripts that are no affine forms, but have a range, are worked out in front of the statement:
//
//   sum += f[y][(x + d + w) % w]      $index = (x + d + w) % w;  sum += f[y][$index]
//   sum += f[pivot * w + x]           $row = pivot;  $index = $row * w;  sum += f[$index + x]
//
// What an index has besides, `k + table[i]`, stays in it. An index that is worked out under a condition stays too.

import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { operandsOf, withOperands } from '../../mir/children.ts';
import { isStrict } from '../../mir/kinds.ts';
import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { intType } from '../../language/types.ts';

type SetLocal = Statement & { readonly kind: 'set-local' };

export interface LiftingContext {
  /** Whether an int is a form that a nest works with as it is. */
  readonly isForm: (index: Expression) => boolean;
  readonly hasRange: (index: Expression) => boolean;
  /** Whether a value is the same in all iterations of the loop around. */
  readonly isSteady: (value: Expression) => boolean;
  readonly newIndex: () => LocalId;
  /** Told of an index that is a local with a range times a form: perhaps the row of a matrix in one array. */
  readonly noteRow: (index: LocalId, row: LocalId, by: Expression) => void;
}

/** The statement, and what comes in front of it. */
export function liftSubscripts(
  node: Statement,
  context: LiftingContext,
): { readonly lifted: readonly SetLocal[]; readonly node: Statement } {
  const lifting = new Lifting(context);
  const rest = lifting.statement(node);
  return { lifted: lifting.lifted, node: lifting.lifted.length === 0 ? node : rest };
}

class Lifting {
  readonly lifted: SetLocal[] = [];
  readonly #context: LiftingContext;
  /** A row stays in its local, in which the index is another later on. */
  #isOfRow = false;

  constructor(context: LiftingContext) {
    this.#context = context;
  }

  statement(node: Statement): Statement {
    if (node.kind === 'set-local') {
      this.#isOfRow = node.value.type.kind === 'array';
      const { value, span } = node;
      if (!this.#isSteadyRange(value)) return { ...node, value: this.#rest(value) };
      const local = this.#context.newIndex();
      this.lifted.push({ kind: 'set-local', local, value: this.#rest(value), span });
      return { ...node, value: getLocal(local, intType, value.span) };
    }
    if (node.kind === 'set-element') return { ...node, value: this.#rest(node.value) };
    if (node.kind !== 'if') return node;
    const [first, ...others] = node.arms as readonly [(typeof node.arms)[number], ...typeof node.arms];
    return { ...node, arms: [{ ...first, condition: this.#rest(first.condition) }, ...others] };
  }

  #isSteadyRange(value: Expression): boolean {
    if (value.type.kind !== 'int' || value.kind === 'get-local' || this.#context.isForm(value)) return false;
    return this.#context.hasRange(value) && this.#context.isSteady(value);
  }

  #rest(node: Expression): Expression {
    if (node.kind === 'get-element') return { ...node, array: this.#rest(node.array), index: this.#index(node.index) };
    const operands = operandsOf(node);
    if (operands.length === 0) return node;
    const [first, ...others] = operands as readonly [Expression, ...(readonly Expression[])];
    // Of others only the first is surely worked out.
    return withOperands(
      node,
      isStrict(node) ? operands.map((part) => this.#rest(part)) : [this.#rest(first), ...others],
    );
  }

  /** The index, with what is no form in a local. */
  #index(index: Expression): Expression {
    if (this.#context.isForm(index)) return index;
    if (index.kind === 'get-local' && !this.#isOfRow) return index;
    const { span } = index;
    const [kept, apart] = partition(addendsOf(index), ({ value }) => this.#context.isForm(value));
    const rest = sumOf(apart, span);
    if (!this.#context.hasRange(rest)) return index;
    const local = this.#context.newIndex();
    this.lifted.push({ kind: 'set-local', local, value: this.#ofRow(local, this.#rest(rest)), span });
    const read = getLocal(local, intType, span);
    return kept.length === 0 ? read : arithmetic('+', sumOf(kept, span), read);
  }

  /** With what is multiplied in a local of its own. */
  #ofRow(index: LocalId, value: Expression): Expression {
    const factors = factorsOf(value, this.#context.isForm);
    if (factors === null) return value;
    const { row, by } = factors;
    const { span } = value;
    const local = this.#context.newIndex();
    this.lifted.push({ kind: 'set-local', local, value: row, span });
    this.#context.noteRow(index, local, by);
    return arithmetic('*', getLocal(local, intType, span), by);
  }
}

interface Factors {
  readonly row: Expression;
  readonly by: Expression;
}

interface Addend {
  readonly value: Expression;
  readonly isNegative: boolean;
}

function addendsOf(node: Expression, isNegative = false): readonly Addend[] {
  if (node.kind !== 'operate') return [{ value: node, isNegative }];
  const [left, right] = node.operands;
  if (node.operator === '+(int,int)') return [left!, right!].flatMap((part) => addendsOf(part, isNegative));
  if (node.operator === '-(int,int)') return [...addendsOf(left!, isNegative), ...addendsOf(right!, !isNegative)];
  return [{ value: node, isNegative }];
}

function sumOf(addends: readonly Addend[], span: Expression['span']): Expression {
  const [first, ...others] = addends as readonly [Addend, ...Addend[]];
  const begin = first.isNegative ? arithmetic('-', int(0n, span), first.value) : first.value;
  return others.reduce((sum, { value, isNegative }) => arithmetic(isNegative ? '-' : '+', sum, value), begin);
}

/** Of a product of which one factor alone is a form. */
function factorsOf(value: Expression, isForm: (factor: Expression) => boolean): Factors | null {
  if (value.kind !== 'operate' || value.operator !== '*(int,int)') return null;
  const [left, right] = value.operands as readonly [Expression, Expression];
  if (isForm(left) === isForm(right)) return null;
  return isForm(right) ? { row: left, by: right } : { row: right, by: left };
}

function partition<Item>(items: readonly Item[], is: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}
