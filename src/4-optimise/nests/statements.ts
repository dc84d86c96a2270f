// Reads the statements of a loop nest: those that set locals and elements, and ifs with nothing but these.

import type { Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isPure } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { toExpression } from './affine-forms.ts';
import { count, flatten, isNumber } from './reading.ts';
import type { Names, ReaderContext, Refusal } from './reading.ts';
import type { References } from './references.ts';
import type { Accesses, Reference } from './tree.ts';

export class StatementReader {
  readonly #context: ReaderContext;
  readonly #references: References;
  /** How often the nest sets each local, and reads it. */
  readonly sets: ReadonlyMap<LocalId, number>;
  readonly #reads: ReadonlyMap<LocalId, number>;
  readonly accesses: Accesses = new Map();
  readonly rows = new Map<Node, Reference>();

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
  read(node: Statement, names: Names): readonly Statement[] | null {
    if (node.kind === 'set-local') return this.#setLocal(node, names);
    if (node.kind === 'set-element') {
      const access = this.#references.access(node.array, node.index, names);
      if (access === null || !this.#isPlain(node.value, names)) return null;
      this.accesses.set(node, { ...access, isWrite: true, type: node.value.type });
      return isNumber(node.value.type) ? [node] : this.#refuse('value', node.value);
    }
    if (node.kind !== 'if') return this.#refuse('statement', node);
    const block = (nodes: readonly Statement[]): readonly Statement[] | null => {
      const inside: Names = { ...names, ints: new Map(names.ints), rows: new Map(names.rows) };
      const kept: Statement[] = [];
      for (const part of flatten(nodes)) {
        const some = this.read(part, inside);
        if (some === null) return null;
        kept.push(...some);
      }
      return kept;
    };
    const arms: If['arms'][number][] = [];
    for (const arm of node.arms) {
      const then = block(arm.then);
      if (then === null) return null;
      arms.push({ ...arm, then });
    }
    const otherwise = block(node.otherwise);
    const isKnown = otherwise !== null && arms.every(({ condition }) => this.#isPlain(condition, names));
    return isKnown ? [{ ...node, arms, otherwise }] : null;
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
      return [node];
    }
    if (!isNumber(value.type)) return this.#refuse('value', value);
    const length = isOnly && hasLength(value) ? this.#setLength(node, names) : null;
    if (length !== null) return [length];
    if (!this.#isPlain(value, names)) return null;
    if (value.type.kind === 'int' && isOnly) {
      const form = this.#references.affine(value, names);
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
    names.ints.set(node.local, form);
    return set;
  }

  #isReadOutside(local: LocalId): boolean {
    return this.#context.reads.get(local) !== this.#reads.get(local);
  }

  /** Whether a value can neither fail nor do anything. Its accesses are noted. */
  #isPlain(node: Expression, names: Names): boolean {
    if (node.kind === 'get-element') {
      const access = isNumber(node.type)
        ? this.#references.access(node.array, node.index, names)
        : this.#refuse('value', node);
      if (access !== null) this.accesses.set(node, { ...access, isWrite: false, type: node.type });
      return access !== null;
    }
    const effects = effectsOf(node, this.#context.registry);
    const isItself = isNumber(node.type) && node.kind !== 'sequence' && isPure(effects) && !effects.isGuarded;
    if (!isItself) this.#refuse('value', node);
    return isItself && operandsOf(node).every((part) => this.#isPlain(part, names));
  }
}

function hasLength(value: Expression): boolean {
  let has = false;
  visitAll([value], (node) => void (has ||= node.kind === 'library-call' && node.function === 'T[].length'));
  return has;
}
