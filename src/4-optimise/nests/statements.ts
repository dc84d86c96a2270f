// Reads the statements of a loop nest: those that set locals and elements, and ifs with nothing but these.

import type { Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { arithmetic, getLocal } from '../../mir/builders.ts';
import { flatten, operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isPure } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { toExpression } from './affine-forms.ts';
import { count, isNumber } from './reading.ts';
import type { Names, ReaderContext, Refusal } from './reading.ts';
import { guardsOf } from './guards.ts';
import type { Guard } from './guards.ts';
import { ofForm } from './polynomials.ts';
import type { Polynomial } from './polynomials.ts';
import type { ElementReference, References } from './references.ts';
import { withoutSequences } from './sequences.ts';
import type { Accesses, Reference } from './tree.ts';

type Charge = Statement & { readonly kind: 'charge' };

export class StatementReader {
  readonly #context: ReaderContext;
  readonly #references: References;
  /** How often the nest sets each local, and reads it. */
  readonly sets: ReadonlyMap<LocalId, number>;
  readonly #reads: ReadonlyMap<LocalId, number>;
  readonly accesses: Accesses = new Map();
  readonly rows = new Map<Node, Reference>();
  /** The subscripts of accesses to arrays of one dimension. */
  readonly flat = new Map<Node, Polynomial>();
  /** What holds where accesses are made, and rows are put into locals. */
  readonly guards = new Map<Node, readonly Guard[]>();
  /** The local that sums up what is charged under conditions, to be charged behind the nest; null where nothing is. */
  spent: LocalId | null = null;

  constructor(root: Loop, references: References, context: ReaderContext) {
    this.#context = context;
    this.#references = references;
    this.sets = count([root], localsSet);
    this.#reads = count([root], localsRead);
  }

  #refuse(kind: Refusal['kind'], node: Node): null {
    this.#context.refuse?.(kind, node);
    return null;
  }

  /** What stays of a statement; null where it has no place in a nest. */
  read(written: Statement, names: Names): readonly Statement[] | null {
    const [node] = rewriteExpressions([written], (part) => this.#references.fieldInFront(part) ?? part) as [Statement];
    if (node.kind === 'set-local') return this.#setLocal(node, names);
    if (node.kind === 'set-element') {
      if (!isNumber(node.value.type)) return this.#refuse('statement', node);
      const access = this.#references.access(node.array, node.index, names);
      if (access === null || !this.#isPlain(node.value, names)) return null;
      this.#note(node, access, names, true, node.value.type);
      return [node];
    }
    if (node.kind === 'charge' && node.units.kind === 'int') return [this.#spend(node)];
    if (node.kind !== 'if') return this.#refuse('statement', node);
    const block = (nodes: readonly Statement[], guards: readonly Guard[]): readonly Statement[] | null => {
      const inside: Names = { ...names, ints: new Map(names.ints), rows: new Map(names.rows), guards };
      const kept: Statement[] = [];
      for (const part of withoutSequences(flatten(nodes), this.#context.newLocal)) {
        const some = this.read(part, inside);
        if (some === null) return null;
        kept.push(...some);
      }
      return kept;
    };
    const arms: If['arms'][number][] = [];
    let behind = names;
    for (const arm of node.arms) {
      const then = block(arm.then, this.guarded(behind, arm.condition, true).guards);
      if (then === null) return null;
      arms.push({ ...arm, then });
      behind = this.guarded(behind, arm.condition, false);
    }
    const otherwise = block(node.otherwise, behind.guards);
    const isKnown = otherwise !== null && this.#arePlain(arms, names);
    return isKnown ? [{ ...node, arms, otherwise }] : null;
  }

  /** `$spent = $spent + 1` */
  #spend({ units, span }: Charge): Statement {
    this.spent ??= this.#context.newLocal('spent', intType);
    const sum = arithmetic('+', getLocal(this.spent, intType, span), units);
    return { kind: 'set-local', local: this.spent, value: sum, span };
  }

  #setLocal(node: Statement & { readonly kind: 'set-local' }, names: Names): readonly Statement[] | null {
    const { local, value } = node;
    const isOnly = this.sets.get(local) === 1;
    if (value.type.kind === 'array') {
      const reference = isOnly ? this.#references.reference(value, names) : null;
      // A row in a variable that is read behind the nest would have to be set.
      if (reference === null) return isOnly ? null : this.#refuse('statement', node);
      if (this.#isReadOutside(local)) return this.#refuse('statement', node);
      names.rows.set(local, reference);
      this.rows.set(node, reference);
      if (names.guards.length > 0) this.guards.set(node, names.guards);
      return [node];
    }
    if (value.kind === 'get-element' && !isNumber(value.type)) return this.#refuse('elements', value.array);
    if (!isNumber(value.type)) return this.#refuse('value', value);
    const length = isOnly && hasLength(value) ? this.#setLength(node, names) : null;
    if (length !== null) return [length];
    if (!this.#isPlain(value, names)) return null;
    if (value.type.kind === 'int' && isOnly) {
      const form = this.#references.polynomial(value, names);
      if (form !== null) names.ints.set(local, form);
    }
    return [node];
  }

  /** `$limit = a[i].length() - 1`, for which the row must be there. */
  #setLength(node: Statement & { readonly kind: 'set-local' }, names: Names): Statement | null {
    const { result: form, rows } = this.#references.withLengths(() => this.#references.affine(node.value, names));
    const [row, ...others] = rows;
    if (form === null || others.length > 0) return null;
    const set: Statement = { ...node, value: toExpression(form, node.span) };
    if (row !== undefined) this.rows.set(set, row);
    names.ints.set(node.local, ofForm(form));
    return set;
  }

  /** Whether the conditions are, each of which is worked out where those before it do not hold. */
  #arePlain(arms: If['arms'], names: Names): boolean {
    let reached = names;
    return arms.every(({ condition }) => {
      const here = reached;
      reached = this.guarded(reached, condition, false);
      return this.#isPlain(condition, here);
    });
  }

  /** The names where a condition holds, or where it does not. */
  guarded(names: Names, condition: Expression, holds: boolean): Names {
    const found = guardsOf(condition, holds, (node) => this.#references.affineInts(node, names));
    return found.length === 0 ? names : { ...names, guards: [...names.guards, ...found] };
  }

  #note(node: Node, { subscript, ...reference }: ElementReference, names: Names, isWrite: boolean, type: Type): void {
    this.accesses.set(node, { ...reference, isWrite, type });
    if (subscript !== null) this.flat.set(node, subscript);
    if (names.guards.length > 0) this.guards.set(node, names.guards);
  }

  #isReadOutside(local: LocalId): boolean {
    return this.#context.reads.get(local) !== this.#reads.get(local);
  }

  /** Whether a value can neither fail nor do anything. Its accesses are noted. */
  #isPlain(node: Expression, names: Names): boolean {
    if (node.kind === 'get-element') {
      const access = isNumber(node.type)
        ? this.#references.access(node.array, node.index, names)
        : this.#refuse('elements', node.array);
      if (access !== null) this.#note(node, access, names, false, node.type);
      return access !== null;
    }
    const effects = effectsOf(node, this.#context.registry);
    const isItself = isNumber(node.type) && node.kind !== 'sequence' && isPure(effects) && !effects.isGuarded;
    if (!isItself) this.#refuse('value', node);
    if (!isItself) return false;
    if (node.kind === 'conditional')
      return (
        this.#isPlain(node.condition, names) &&
        this.#isPlain(node.then, this.guarded(names, node.condition, true)) &&
        this.#isPlain(node.otherwise, this.guarded(names, node.condition, false))
      );
    if (node.kind !== 'logical') return operandsOf(node).every((part) => this.#isPlain(part, names));
    let reached = names;
    return node.operands.every((operand) => {
      const here = reached;
      reached = this.guarded(reached, operand, node.operator === '&&');
      return this.#isPlain(operand, here);
    });
  }
}

function hasLength(value: Expression): boolean {
  let has = false;
  visitAll([value], (node) => void (has ||= node.kind === 'library-call' && node.function === 'T[].length'));
  return has;
}
