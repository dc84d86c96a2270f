// Ints that an outermost loop leaves alone: locals, and fields and lengths of what is in locals, which are looked up in
// front of it, where the struct or the array is there.

import { booleanType, intType } from '../../language/types.ts';
import { asNullable, comparison, getLocal, not, withoutRepeats, zeroOf } from '../../mir/builders.ts';
import { visitAll } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { Span } from '../../source.ts';
import { isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { isSizeUnchanged } from '../analysis/counted-loops.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import type { LoopCopies } from '../loop-copies.ts';
import type { Invariants } from './interior.ts';

/** A field or a length of what is in a local, and the local that has its value. */
interface Path {
  readonly local: LocalId;
  readonly value: Expression;
  readonly owner: Expression;
}

/** What an outermost loop leaves alone. Fields and lengths get a local when they are asked for. */
export class InvariantPaths implements Invariants {
  readonly #set = new Set<LocalId>();
  readonly #changes: Changes;
  readonly #copies: LoopCopies;
  readonly #definitions: ReadonlyMap<LocalId, Expression>;
  readonly #known = new Map<string, Path>();
  /** Locals that are likely to have the value of another one. */
  readonly #same = new Map<LocalId, LocalId>();

  constructor(root: Loop, changes: Changes, copies: LoopCopies, definitions: ReadonlyMap<LocalId, Expression>) {
    this.#definitions = definitions;
    this.#changes = changes;
    this.#copies = copies;
    visitAll([root], (node) => localsSet(node).forEach((local) => this.#set.add(local)));
  }

  readonly has = (local: LocalId): boolean => !this.#set.has(local);

  readonly find = (node: Expression): LocalId | null => {
    if (node.type.kind !== 'int') return null;
    if (node.kind === 'get-local') return this.has(node.local) ? this.#likelySame(node.local) : null;
    const path = this.#pathOf(node);
    const key = path && pathKey(path.owner);
    if (path === null || key === null) return null;
    const name = `${node.kind === 'get-field' ? node.field : 'length'} of ${key}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = { ...path, local: this.#copies.newLocal('size', intType) };
      this.#known.set(name, known);
    }
    return known.local;
  };

  /** A local that was set once, to a field or length, for which it stands as long as both are the same. */
  #likelySame(local: LocalId): LocalId {
    const definition = this.#definitions.get(local);
    const other = definition === undefined ? null : this.find(definition);
    if (other === null) return local;
    this.#same.set(local, other);
    return other;
  }

  /** A field or length of what is in a local, as it may be read in front of the loop; null where it may change. */
  #pathOf(node: Expression): Omit<Path, 'local'> | null {
    const written = node.kind === 'get-field' ? node.object : lengthOf(node);
    if (written?.kind !== 'get-local') return null;
    const owner = asNullable(written);
    if (node.kind === 'get-field')
      return isUnchanged(node, this.#changes) ? { owner, value: { ...node, object: owner } } : null;
    const stays = isUnchanged(written, this.#changes) && isSizeUnchanged(written, this.#changes);
    return stays && node.kind === 'library-call' ? { owner, value: { ...node, arguments: [owner] } } : null;
  }

  /** Sets the locals: to zero where there is no owner. */
  inFront(): readonly Statement[] {
    return [...this.#known.values()].flatMap(({ local, value, owner }): readonly Statement[] => {
      const { span } = value;
      const then: readonly Statement[] = [{ kind: 'set-local', local, value, span }];
      return [
        { kind: 'set-local', local, value: zeroOf(intType, span), span },
        { kind: 'if', arms: [{ condition: isThere(owner), then }], otherwise: [], span },
      ];
    });
  }

  /**
   * That all owners are there, and that what is likely to be the same is: also where neither is left in a form, since the
   * loop may have failed there, or have been something else.
   */
  conditions(span: Span): readonly Expression[] {
    const read = (local: LocalId): Expression => getLocal(local, intType, span);
    return withoutRepeats([
      ...[...this.#known.values()].map(({ owner }) => isThere(owner)),
      ...[...this.#same].map(([local, other]) => comparison('==', read(local), read(other))),
    ]);
  }
}

/** The array whose length an expression is. */
function lengthOf(node: Expression): Expression | undefined {
  return node.kind === 'library-call' && node.function === 'T[].length' ? node.arguments[0] : undefined;
}

function isThere(owner: Expression): Expression {
  return not({ kind: 'is-null', operand: owner, type: booleanType, span: owner.span });
}

/** The fields and lengths to which locals are set that are set once. */
export function findDefinitions(fn: MirFunction): ReadonlyMap<LocalId, Expression> {
  const found = new Map<LocalId, Expression | null>();
  visitAll(fn.body, (node) => {
    for (const local of localsSet(node)) {
      const value = node.kind === 'set-local' && !found.has(local) ? node.value : null;
      found.set(local, value?.kind === 'get-field' || value?.kind === 'library-call' ? value : null);
    }
  });
  return new Map([...found].flatMap(([local, value]) => (value === null ? [] : [[local, value]])));
}
