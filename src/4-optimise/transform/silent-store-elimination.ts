// Silent-store elimination: a store of the smaller or the larger of a number and what the element holds already stores
// nothing new most of the time. It becomes a branch that is seldom taken, and the element is written there alone.
//
//   loop 3 while (k < n)                                   loop 3 while (k < n)
//     loop 9 while (j < n)                                   loop 9 while (j < n)
//       $row[j] unchecked = int.min(x, $row[j] unchecked)      if (x < $row[j] unchecked)
//                                                                $row[j] unchecked = x
//
// Only where a loop around comes back to the same elements again and again and stores nothing else there, as in the
// relaxation of shortest paths: of n numbers in any order, about ln n are smaller than all before them, so that the branch
// is foreseen. For an element that is visited once it would be a matter of chance, and a wrong guess costs more than many
// stores. So it would be for a number worked out from another element of the same row, as in knapsack problems: it grows
// as the one that it is compared with.
//
// Runs behind the passes that make other code of minima (vectors, promotion, reassociation). Does not apply to locals,
// which cost nothing to set, and to accesses with checks.
// Source: Lepak, Lipasti, "Silent stores for free" (MICRO 2000); the number of records in a sequence: Rényi, 1962.

import { booleanType, intType, sameType } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { getLocal } from '../../mir/builders.ts';
import { blocksOf, hasLoop, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { arePure, effectsOf, every } from '../../mir/effects.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { isConstant } from '../../mir/kinds.ts';
import type { Expression, LocalId, Loop, SetHoisted, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { findLiveLocals } from '../analysis/liveness.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const silentStoreElimination: Pass = {
  name: 'silent-store-elimination',
  summary: 'an element that mostly stays as it is, as the least of many numbers, is written where it changes alone',
  isRequired: false,
  keeps: ['mod-ref', 'recursion'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => (hasLoop(fn.body) ? eliminate(fn, program.registry) : fn)),
};

/** `place = int.min(value, place)`, or the larger of both. */
interface SilentStore {
  readonly store: SetHoisted;
  /** It is pure. */
  readonly value: Expression;
  /** Whether something new would be stored, for a value that was read. */
  readonly changes: (value: Expression) => Expression;
}

function eliminate(fn: MirFunction, registry: LibraryRegistry): MirFunction {
  const found: SilentStore[] = [];
  visitAll(fn.body, (node) => {
    const silent = node.kind === 'set-hoisted' ? readSilent(node) : null;
    if (silent !== null) found.push(silent);
  });
  if (found.length === 0) return fn;
  const revisited = new Revisits(fn, found, registry).find();
  if (revisited.size === 0) return fn;
  const locals = fn.locals.slice();
  const replace = (node: Statement): readonly Statement[] => {
    const silent = revisited.get(node);
    return silent === undefined ? [node] : asBranch(silent, locals);
  };
  return { ...fn, body: rewriteBlocks(fn.body, (block) => block.flatMap(replace)), locals };
}

const symbols: ReadonlyMap<string, string> = new Map([
  ['int.min', '<'],
  ['int.max', '>'],
]);
/** Indices of more nodes are not compared. */
const largestIndex = 20;

function readSilent(store: SetHoisted): SilentStore | null {
  const { hoisted, index, value } = store;
  const symbol = value.kind === 'library-call' ? symbols.get(value.function) : undefined;
  if (symbol === undefined || value.kind !== 'library-call') return null;
  const key = expressionKey(index, largestIndex);
  const isPlace = (node: Expression): boolean =>
    node.kind === 'get-hoisted' &&
    node.hoisted.elements === hoisted.elements &&
    key !== null &&
    expressionKey(node.index, largestIndex) === key;
  const [left, right] = value.arguments as readonly [Expression, Expression];
  if (isPlace(left) === isPlace(right)) return null;
  const [other, place] = isPlace(left) ? [right, left] : [left, right];
  const { span } = value;
  const operator = `${symbol}(int,int)`;
  const changes = (read: Expression): Expression => ({
    kind: 'operate',
    operator,
    operands: [read, place],
    type: booleanType,
    span,
  });
  return { store, value: other, changes };
}

/** `if (value < place) place = value`, with the value in a local. */
function asBranch({ store, value, changes }: SilentStore, locals: Local[]): readonly Statement[] {
  const { span } = store;
  const write = (read: Expression): Statement => ({
    kind: 'if',
    arms: [{ condition: changes(read), then: [{ ...store, value: read }] }],
    otherwise: [],
    span,
  });
  if (value.kind === 'get-local' || isConstant(value)) return [write(value)];
  const local = locals.push({ name: 'new', type: intType, origin: 'temporary' }) - 1;
  return [{ kind: 'set-local', local, value, span }, write(getLocal(local, intType, value.span))];
}

/** Looks for those to whose elements a loop around comes back: what says where they are is the same in each iteration. */
class Revisits {
  readonly #fn: MirFunction;
  readonly #registry: LibraryRegistry;
  readonly #silent: ReadonlyMap<Statement, SilentStore>;
  readonly #sources: ReadonlyMap<LocalId, readonly Node[]>;
  readonly #found = new Map<Statement, SilentStore>();

  constructor(fn: MirFunction, silent: readonly SilentStore[], registry: LibraryRegistry) {
    this.#fn = fn;
    this.#registry = registry;
    this.#silent = new Map(silent.map((found) => [found.store, found]));
    this.#sources = findSources(fn);
  }

  find(): ReadonlyMap<Statement, SilentStore> {
    const live = findLiveLocals(this.#fn);
    const walk = (nodes: readonly Statement[], loops: readonly Around[]): void => {
      for (const node of nodes) {
        const silent = this.#silent.get(node);
        if (silent !== undefined && this.#isWorthIt(silent, loops)) this.#found.set(node, silent);
        const around = node.kind === 'loop' ? [...loops, aroundOf(node, live.get(node.id) ?? [])] : loops;
        for (const block of blocksOf(node)) walk(block, around);
      }
    };
    walk(this.#fn.body, []);
    return this.#found;
  }

  #isWorthIt({ store, value }: SilentStore, loops: readonly Around[]): boolean {
    const { hoisted, index, checked } = store;
    const innermost = loops.at(-1);
    // A sequence sets locals, which the index or the other operand may read.
    const isPlain = every([index, store.value], ({ kind }) => kind !== 'sequence');
    if (innermost === undefined || checked || !isPlain || !arePure([index, store.value], this.#registry)) return false;
    const locals = this.#behind([hoisted.elements, ...localsIn([index])], () => true);
    const comesBack = loops.some(
      ({ loop, carried }) => locals.every((local) => !carried.has(local)) && this.#storesNothingElse(loop, store),
    );
    return comesBack && !this.#isOfSameRow(store, value, innermost.set);
  }

  /** Whether all that the loop stores in arrays of this type are minima and maxima with what was there. */
  #storesNothingElse(loop: Loop, { hoisted }: SetHoisted): boolean {
    const { type } = hoisted.array;
    return every([loop], (node) => {
      if (this.#silent.has(node as Statement)) return true;
      const { calls, writes } = effectsOf(node, this.#registry);
      // An outlined loop is one of those that are in the loop.
      if (calls !== null && node.kind !== 'call-outlined') return false;
      return writes.every((place) => place.kind !== 'contents' || !sameType(place.type, type));
    });
  }

  /** Whether the value is worked out from an element that moves along in the same row. */
  #isOfSameRow({ hoisted }: SetHoisted, value: Expression, set: ReadonlySet<LocalId>): boolean {
    const locals = this.#behind(localsIn([value]), (local) => set.has(local));
    const values = locals.filter((local) => set.has(local)).flatMap((local) => this.#sources.get(local) ?? []);
    return !every([value, ...values], (node) => {
      const isSame = node.kind === 'get-hoisted' && node.hoisted.elements === hoisted.elements;
      return !isSame || localsIn([node.index]).every((local) => !set.has(local));
    });
  }

  /** The locals and, of those that are asked for, all that their values come from, at first hand or not. */
  #behind(locals: readonly LocalId[], asks: (local: LocalId) => boolean): readonly LocalId[] {
    const found = new Set(locals);
    // Grows while it is gone through.
    for (const local of found)
      if (asks(local)) for (const source of localsIn(this.#sources.get(local) ?? [])) found.add(source);
    return [...found];
  }
}

interface Around {
  readonly loop: Loop;
  readonly set: ReadonlySet<LocalId>;
  /** Those that an iteration hands on to the next one in another state. */
  readonly carried: ReadonlySet<LocalId>;
}

function aroundOf(loop: Loop, live: readonly LocalId[]): Around {
  const set = new Set<LocalId>();
  visitAll([loop], (node) => localsSet(node).forEach((local) => set.add(local)));
  return { loop, set, carried: new Set(live.filter((local) => set.has(local))) };
}

/** For each local, the expressions that are put into it, apart from what outlined loops give back. */
function findSources({ body }: MirFunction): ReadonlyMap<LocalId, readonly Node[]> {
  const sources = new Map<LocalId, Node[]>();
  visitAll(body, (node) => {
    const value = node.kind === 'set-local' ? node.value : node.kind === 'hoist-array' ? node.array : null;
    if (value === null) return;
    for (const local of localsSet(node)) sources.set(local, [...(sources.get(local) ?? []), value]);
  });
  return sources;
}

function localsIn(nodes: readonly Node[]): readonly LocalId[] {
  const found: LocalId[] = [];
  visitAll(nodes, (node) => found.push(...localsRead(node)));
  return found;
}
