// Redundant-check elimination: an access to an element need not test again what an access in front of it has tested: that
// the array is not null, and that the index is in range.
//
//   top = t.0[i]                              top = t.0[i]
//   t.0[i] = top.1                            t.0[i] again = top.1
//
// What an access through a path of fields has found not to be null is not tested again either.
//
// Does not apply where something between the two may have changed the path, the index or the length of the array
// (mod-ref), where the first may not have been executed, and to texts. Runs behind all passes that move accesses: an
// access that tests nothing must stay behind the one that does.
// Source: Gupta, "Optimizing array bound checks using flow analysis", 1993.

import type {
  Expression,
  GetElement,
  GetHoisted,
  LocalId,
  Loop,
  SetElement,
  SetHoisted,
  Statement,
} from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { isSizeUnchanged } from '../analysis/counted-loops.ts';
import { ForwardRewriter } from '../analysis/forward-rewriter.ts';
import type { PlainStatement } from '../analysis/forward-rewriter.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const redundantCheckElimination: Pass = {
  name: 'redundant-check-elimination',
  summary: 'what an access has tested is not tested again',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    return mapFunctions(program, context, (fn) => withoutRedundant(fn, modRef, program.registry));
  },
};

function withoutRedundant(fn: MirFunction, modRef: ProgramChanges, registry: LibraryRegistry): MirFunction {
  let accesses = 0;
  visitAll(fn.body, (node) => void (accesses += isAccess(node) ? 1 : 0));
  return accesses < 2 ? fn : { ...fn, body: new Walk(fn, modRef, registry).statements(fn.body) };
}

type Access = GetElement | GetHoisted | SetElement | SetHoisted;

function isAccess(node: Node): node is Access {
  return (
    node.kind === 'get-element' ||
    node.kind === 'set-element' ||
    node.kind === 'get-hoisted' ||
    node.kind === 'set-hoisted'
  );
}

/** Something that was tested, which holds while what it is about does not change. */
interface Fact {
  /** What it was about: an array and an index, or what is not null. */
  readonly paths: readonly Expression[];
  /** The array whose length was compared, where it may still be resized. */
  readonly array: Expression | null;
  readonly locals: ReadonlySet<LocalId>;
}

/** The facts by their keys, the oldest first. */
type Facts = ReadonlyMap<string, Fact>;

/** So many are known at once: each step looks at all of them. */
const mostFacts = 48;

class Walk extends ForwardRewriter<Facts> {
  readonly #fn: MirFunction;
  readonly #modRef: ProgramChanges;
  readonly #registry: LibraryRegistry;

  constructor(fn: MirFunction, modRef: ProgramChanges, registry: LibraryRegistry) {
    super(new Map());
    this.#fn = fn;
    this.#modRef = modRef;
    this.#registry = registry;
  }

  protected override both(one: Facts, other: Facts): Facts {
    if (one === other) return one;
    return new Map([...one].filter(([key]) => other.has(key)));
  }

  protected override assume(): void {
    // Conditions compare in other ways than accesses do; those in them have been evaluated already.
  }

  protected override enterLoop(loop: Loop): void {
    this.#forget(loop);
  }

  protected override evaluated(node: Expression): Expression {
    const written = this.#tested(node);
    this.#forgetChanges(written);
    return written;
  }

  #tested(node: Expression): Expression {
    if (node.kind === 'get-field') {
      const object = this.#asNonNull(node.object);
      this.#learnNonNull(object);
      return object === node.object ? node : { ...node, object };
    }
    if (node.kind === 'get-hoisted') return this.#access(node, this.known);
    if (node.kind !== 'get-element') return node;
    const array = this.#asNonNull(node.array);
    const written = this.#access(array === node.array ? node : { ...node, array }, this.known);
    this.#learnNonNull(array);
    return written;
  }

  protected override executed(node: PlainStatement, before: Facts | null): Statement {
    const written = this.#testedStatement(node, before);
    this.#forgetChanges(written);
    return written;
  }

  #testedStatement(node: PlainStatement, before: Facts | null): PlainStatement {
    if (node.kind === 'set-field') {
      const object = this.#changesNothing(node.value) ? this.#asNonNull(node.object) : node.object;
      this.#learnNonNull(object);
      return object === node.object ? node : { ...node, object };
    }
    if (node.kind !== 'set-element' && node.kind !== 'set-hoisted') return node;
    // The array and the index are evaluated in front of the value, and tested behind it.
    const isSteady = this.#changesNothing(node.value);
    const known = isSteady ? this.known : before;
    if (node.kind === 'set-hoisted') return this.#access(node, known);
    const array = isSteady ? this.#asNonNull(node.array) : node.array;
    const written = this.#access(array === node.array ? node : { ...node, array }, known);
    if (isSteady) this.#learnNonNull(array);
    return written;
  }

  /** The access, which tests nothing if that is known, and what it has tested is known behind it. */
  #access<Kind extends Access>(node: Kind, known: Facts | null): Kind {
    const fact = factOf(node);
    if (fact === null || this.known === null) return node;
    if (this.known.has(fact.key) && known?.has(fact.key) === true) return { ...node, isRedundant: true };
    const isSteady = !('value' in node) || this.#changesNothing(node.value);
    if (isSteady) this.#learn(fact.key, fact);
    return node;
  }

  /** The path, marked if it is known not to be null. */
  #asNonNull(object: Expression): Expression {
    if (object.kind !== 'get-field' && object.kind !== 'get-element') return object;
    const key = pathKey(object);
    return key !== null && this.known?.has(nonNullKey(key)) === true ? { ...object, nonNull: true } : object;
  }

  #learnNonNull(object: Expression): void {
    if (object.kind !== 'get-field' && object.kind !== 'get-element') return;
    const key = pathKey(object);
    if (key === null) return;
    this.#learn(nonNullKey(key), { paths: [object], array: null, locals: localsIn([object]) });
  }

  #learn(key: string, fact: Fact): void {
    if (this.known === null || this.known.has(key)) return;
    const facts = new Map(this.known).set(key, fact);
    if (facts.size > mostFacts) facts.delete(facts.keys().next().value!);
    this.known = facts;
  }

  #changesNothing(value: Expression): boolean {
    let changes = false;
    visitAll([value], (node) => (changes ||= this.#mayChange(node)));
    return !changes;
  }

  #mayChange(node: Node): boolean {
    const { writes, calls, waits } = effectsOf(node, this.#registry);
    return writes.length > 0 || calls !== null || waits;
  }

  /** Behind a node: what it changes is no longer known. */
  #forgetChanges(node: Node): void {
    if (this.known === null || this.known.size === 0) return;
    if (node.kind === 'set-local') this.#keep(({ locals }) => !locals.has(node.local));
    else if (this.#mayChange(node)) this.#forget(node);
  }

  #forget(node: Node): void {
    if (this.known === null || this.known.size === 0) return;
    const changes = this.#modRef.of([node], this.#fn);
    this.#keep((fact) => holdsBehind(fact, changes));
  }

  #keep(holds: (fact: Fact) => boolean): void {
    const all = [...this.known!];
    const kept = all.filter(([, fact]) => holds(fact));
    if (kept.length < all.length) this.known = new Map(kept);
  }
}

function holdsBehind({ paths, array, locals }: Fact, changes: Changes): boolean {
  return (
    [...locals].every((local) => !changes.locals.has(local)) &&
    paths.every((path) => isUnchanged(path, changes)) &&
    (array === null || isSizeUnchanged(array, changes))
  );
}

function nonNullKey(path: string): string {
  return `not null: ${path}`;
}

/** What an access tests; null where it tests nothing, and where that cannot be followed. */
function factOf(node: Access): (Fact & { readonly key: string }) | null {
  const index = pathKey(node.index);
  if (index === null) return null;
  if (node.kind === 'get-element' || node.kind === 'set-element') {
    const array = pathKey(node.array);
    if (array === null || (node.kind === 'get-element' && !node.checked)) return null;
    const paths = [node.array, node.index];
    return { key: `${array}, ${index}`, paths, array: node.array, locals: localsIn(paths) };
  }
  const { elements, length, window } = node.hoisted;
  if (!node.checked || window !== null) return null;
  const locals = new Set([...localsIn([node.index]), elements, length]);
  return { key: `elements ${elements}, ${index}`, paths: [node.index], array: null, locals };
}

function localsIn(paths: readonly Expression[]): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  visitAll(paths, (node) => {
    for (const local of [...localsRead(node), ...localsSet(node)]) found.add(local);
  });
  return found;
}
