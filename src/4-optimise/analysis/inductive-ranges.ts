// Inductive ranges: ints that a loop sets and yet keeps within bounds, such as a position that goes around in an array:
// `at = at + 1; if (at == size) at = 0`. If `0 <= at < size` holds in front of an iteration, it holds behind it. The
// bounds are guessed from what the loop compares with, and an interval analysis of one iteration confirms the guess.
//
// Source: inductive invariants and interval analysis; Cousot, Cousot, "Abstract Interpretation" (POPL 1977); Bodík,
// Gupta, Sarkar, "ABCD: Eliminating Array Bounds Checks on Demand" (PLDI 2000).

import type { Expression, LocalId, Loop } from '../../mir/mir.ts';
import { partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { arithmetic, getLocal, int } from '../../mir/builders.ts';
import { intType } from '../../language/types.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { pathKey } from './access-paths.ts';
import { constant, isEmpty } from './intervals.ts';
import type { Exact, Interval } from './intervals.ts';
import { withoutConstant } from './iteration-state.ts';
import { IterationWalk } from './iteration-walk.ts';
import type { CheckedElement } from './iteration-walk.ts';
import { fieldKey } from './assignments.ts';
import type { Changes } from './mod-ref.ts';

/** An int variable that a loop sets: a local, or a field of an object in a local that the loop does not set. */
export interface Place {
  readonly key: string;
  /** Reads it in front of the loop, where its object is known not to be null. */
  readonly read: Expression;
  /** The object of a field. */
  readonly object: ObjectLocal | null;
}

type ObjectLocal = Expression & { readonly kind: 'get-local' };

/** What a loop is known to do, if all these tests hold in front of it. */
export interface InductiveRanges {
  /** The accesses whose index is in range in all iterations. */
  readonly accesses: ReadonlySet<CheckedElement>;
  /** Each of the ints from 0 to below the other. */
  readonly inRange: readonly (readonly [Expression, Expression])[];
  /** The locals that are not null. */
  readonly objects: readonly ObjectLocal[];
}

/** At most so many bounds of a place are tried. */
const mostGuesses = 4;
const mostPlaces = 8;
/** The length of arrays, and what is compared with one, is below this. */
const lengthLimit = 2n ** 31n;

/** What a loop does with the indices of all its checked accesses; null if one of them may not be in range. */
export function findInductiveRanges(loop: Loop, changes: Changes, registry: LibraryRegistry): InductiveRanges | null {
  const checked: CheckedElement[] = [];
  visitAll([loop], (node) => {
    if ((node.kind === 'get-hoisted' || node.kind === 'set-hoisted') && node.checked) checked.push(node);
  });
  const isHoisted = ({ hoisted: { elements, length, window } }: CheckedElement): boolean =>
    window === null && !changes.locals.has(elements) && !changes.locals.has(length);
  if (checked.length === 0 || !checked.every(isHoisted)) return null;
  return new Search(loop, checked, changes, registry).found();
}

class Search {
  readonly #loop: Loop;
  readonly #checked: readonly CheckedElement[];
  readonly #changes: Changes;
  readonly #registry: LibraryRegistry;
  /** Ints that the loop does not change, by their keys. */
  readonly #symbols = new Map<string, Expression>();
  readonly #lengths = new Set<string>();
  readonly #places = new Map<string, Place>();

  constructor(loop: Loop, checked: readonly CheckedElement[], changes: Changes, registry: LibraryRegistry) {
    this.#loop = loop;
    this.#checked = checked;
    this.#changes = changes;
    this.#registry = registry;
    for (const { hoisted, span } of checked) {
      const key = pathKey(hoisted.array);
      if (key === null) continue;
      this.#symbols.set(`length of ${key}`, getLocal(hoisted.length, intType, span));
      this.#lengths.add(`length of ${key}`);
    }
  }

  found(): InductiveRanges | null {
    const guesses = new Map([...this.#guesses()].map(([key, bounds]) => [key, [...bounds]]));
    for (let tries = 0; tries < mostPlaces * mostGuesses && guesses.size > 0; tries++) {
      const bounds = new Map([...guesses].map(([key, [first]]) => [key, first!]));
      const walk = this.#walk(bounds);
      if (walk === null) return null;
      const wrong = [...bounds].filter(([key, bound]) => !walk.keeps(key, rangeOf(bound)));
      if (wrong.length === 0) return this.#confirmed(walk, bounds) === null ? null : this.#fewest(bounds);
      for (const [key] of wrong) {
        const others = guesses.get(key)!.slice(1);
        if (others.length === 0) guesses.delete(key);
        else guesses.set(key, others);
      }
    }
    return null;
  }

  /**
   * With the bounds alone that it takes: those of temporaries, which each iteration sets first, say nothing. In front of
   * the loop nothing has set these. What such a bound is made of may have to be known all the same.
   */
  #fewest(bounds: ReadonlyMap<string, Exact>): InductiveRanges {
    const [kept, sizes] = [new Map(bounds), new Map(bounds)];
    for (const [key, bound] of bounds) {
      kept.delete(key);
      sizes.delete(key);
      if (this.#ifAllHold(kept, sizes) !== null) continue;
      sizes.set(key, bound);
      if (this.#ifAllHold(kept, sizes) === null) kept.set(key, bound);
    }
    return this.#ifAllHold(kept, sizes)!;
  }

  #ifAllHold(bounds: ReadonlyMap<string, Exact>, sizes: ReadonlyMap<string, Exact>): InductiveRanges | null {
    const walk = this.#walk(bounds, sizes);
    const holds = walk !== null && [...bounds].every(([key, bound]) => walk.keeps(key, rangeOf(bound)));
    return holds ? this.#confirmed(walk, bounds, sizes) : null;
  }

  #walk(bounds: ReadonlyMap<string, Exact>, sizes = bounds): IterationWalk | null {
    const least = new Map<string, bigint>([...this.#lengths].map((key) => [key, 0n]));
    for (const { symbol, plus } of sizes.values()) {
      if (symbol !== null) least.set(symbol, max(least.get(symbol) ?? 0n, 1n - plus));
    }
    const walk = new IterationWalk({
      loop: this.#loop,
      registry: this.#registry,
      least,
      placeOf: (node, names) => this.#keyOf(node, names),
      exactOf: (node) => this.#exactOf(node),
      start: new Map([...bounds].map(([key, bound]) => [key, rangeOf(bound)])),
    });
    return walk.isKnown ? walk : null;
  }

  #confirmed(
    walk: IterationWalk,
    bounds: ReadonlyMap<string, Exact>,
    sizes: ReadonlyMap<string, Exact> = bounds,
  ): InductiveRanges | null {
    const inRange: [Expression, Expression][] = [];
    const { span } = this.#loop;
    for (const [key, size] of sizes) {
      if (size.symbol !== null && !this.#lengths.has(size.symbol))
        inRange.push([this.#expressionOf({ ...size, plus: size.plus - 1n }), int(lengthLimit, span)]);
      const bound = bounds.get(key);
      if (bound !== undefined) inRange.push([this.#places.get(key)!.read, this.#expressionOf(bound)]);
    }
    const accesses = new Set<CheckedElement>();
    for (const access of this.#checked) {
      const index = walk.indices.get(access);
      // An access that is never reached has no index, and keeps its check.
      if (index === undefined || isEmpty(index)) continue;
      accesses.add(access);
      if (index.low < 0n || index.high > lengthLimit) return null;
      const highest = this.#expressionOf({ symbol: index.symbol, plus: index.high });
      inRange.push([highest, getLocal(access.hoisted.length, intType, span)]);
    }
    if (accesses.size === 0) return null;
    const objects = [...bounds.keys()].flatMap((key) => this.#places.get(key)!.object ?? []);
    return { accesses, inRange, objects };
  }

  #expressionOf({ symbol, plus }: Exact): Expression {
    const { span } = this.#loop;
    if (symbol === null) return int(plus, span);
    const value = this.#symbols.get(symbol)!;
    return plus < 0n ? arithmetic('-', value, int(-plus, span)) : arithmetic('+', value, int(plus, span));
  }

  /** The bounds with which the places are compared from which indices are made. */
  #guesses(): ReadonlyMap<string, ReadonlySet<Exact>> {
    const names = this.#namesOfObjects();
    const inIndices = this.#placesInIndices(names);
    const found = new Map<string, Map<string, Exact>>();
    const copies: [string, string][] = [];
    const guess = (key: string | null, { symbol, plus }: Exact): void => {
      if (key === null || !inIndices.has(key) || (symbol === null && (plus < 1n || plus >= lengthLimit))) return;
      if (!found.has(key) && found.size === mostPlaces) return;
      const bounds = found.get(key) ?? new Map<string, Exact>();
      found.set(key, bounds);
      if (bounds.size < mostGuesses) bounds.set(`${symbol} ${plus}`, { symbol, plus });
    };
    visitAll([this.#loop], (node) => {
      if (node.kind === 'set-local' || node.kind === 'set-field') {
        const bound = this.#boundOfValue(node.value);
        const key = this.#keyOf(node, names);
        const from = this.#keyOf(node.value, names);
        if (bound !== null) guess(key, bound);
        if (key !== null && from !== null) copies.push([key, from]);
        return;
      }
      if (node.kind !== 'operate' || !/^(?:[<>]=?|[!=]=)\(int,int\)$/.test(node.operator)) return;
      const [left, right] = node.operands as readonly [Expression, Expression];
      for (const [place, limit] of [
        [left, right],
        [right, left],
      ] as const) {
        const bound = this.#exactOf(limit);
        if (bound === null) continue;
        const { place: compared, plus } = withoutConstant(place);
        const key = this.#keyOf(compared, names);
        for (const above of [0n, 1n]) guess(key, { ...bound, plus: bound.plus - plus + above });
      }
    });
    for (const [key, from] of copies) for (const bound of found.get(from)?.values() ?? []) guess(key, bound);
    return new Map([...found].map(([key, bounds]) => [key, new Set(bounds.values())]));
  }

  /** `value % n` is below `n`, `value & 15` below 16, and `n - 1` below `n`. */
  #boundOfValue(value: Expression): Exact | null {
    const exact = this.#exactOf(value);
    if (exact !== null) return { ...exact, plus: exact.plus + 1n };
    if (value.kind !== 'operate') return null;
    const [, by] = value.operands as readonly [Expression, Expression?];
    if (by === undefined) return null;
    if (value.operator === '%(int,int)') return this.#exactOf(by);
    return value.operator === '&(int,int)' && by.kind === 'int' ? { symbol: null, plus: by.value + 1n } : null;
  }

  /** The places that the loop sets and from which its indices are made, directly or by way of locals. */
  #placesInIndices(names: ReadonlyMap<LocalId, LocalId>): ReadonlySet<string> {
    const values = new Map<string, Expression[]>();
    visitAll([this.#loop], (node) => {
      if (node.kind !== 'set-local' && node.kind !== 'set-field') return;
      const key = this.#keyOf(node, names);
      if (key !== null) values.set(key, [...(values.get(key) ?? []), node.value]);
    });
    const found = new Set<string>();
    const open: Node[] = this.#checked.map(({ index }) => index);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const key = this.#keyOf(node, names);
      if (key !== null && !found.has(key)) {
        found.add(key);
        open.push(...(values.get(key) ?? []));
      }
      if (node.kind !== 'get-hoisted' && node.kind !== 'get-element') open.push(...partsOf(node));
    }
    return found;
  }

  /** Locals that the loop sets once, to an object that stays in another local. */
  #namesOfObjects(): ReadonlyMap<LocalId, LocalId> {
    const names = new Map<LocalId, LocalId>();
    visitAll([this.#loop], (node) => {
      if (node.kind !== 'set-local' || node.value.kind !== 'get-local') return;
      if (!this.#changes.locals.has(node.value.local)) names.set(node.local, node.value.local);
    });
    return names;
  }

  /** The key of the place that the node reads or sets; null if it is none that the loop sets. */
  #keyOf(node: Node, names: ReadonlyMap<LocalId, LocalId>): string | null {
    const { locals, fields } = this.#changes;
    if (node.kind === 'get-local' || node.kind === 'set-local') {
      const type = node.kind === 'get-local' ? node.type : node.value.type;
      // What is counted bounds-check elimination has looked at.
      if (type.kind !== 'int' || !locals.has(node.local) || node.local === this.#loop.counted?.variable) return null;
      const key = `local ${node.local}`;
      this.#places.set(key, { key, read: getLocal(node.local, intType, node.span), object: null });
      return key;
    }
    if (node.kind !== 'get-field' && node.kind !== 'set-field') return null;
    const type = node.kind === 'get-field' ? node.type : node.value.type;
    const name = fieldKey(node.struct, node.field);
    if (type.kind !== 'int' || node.object.kind !== 'get-local' || !fields.has(name)) return null;
    const local = names.get(node.object.local) ?? node.object.local;
    if (locals.has(local)) return null;
    const key = `${name} of ${local}`;
    const { struct, field, span } = node;
    const object = { kind: 'get-local', local, type: node.object.type, span } as const;
    const read: Expression = {
      kind: 'get-field',
      object: { ...object, nonNull: true },
      struct,
      field,
      type: intType,
      span,
    };
    this.#places.set(key, { key, read, object });
    return key;
  }

  /** An int that the loop does not change: a constant, a local or the length of an array, and a constant added to it. */
  #exactOf(node: Expression): Exact | null {
    if (node.kind === 'int') return isSmall(node.value) ? { symbol: null, plus: node.value } : null;
    if (node.kind === 'operate' && (node.operator === '+(int,int)' || node.operator === '-(int,int)')) {
      const [left, right] = node.operands as readonly [Expression, Expression];
      const exact = right.kind === 'int' && isSmall(right.value) ? this.#exactOf(left) : null;
      if (exact === null || right.kind !== 'int') return null;
      return { ...exact, plus: exact.plus + (node.operator === '+(int,int)' ? right.value : -right.value) };
    }
    if (node.kind === 'library-call' && node.function === 'T[].length') {
      const key = pathKey(node.arguments[0]!);
      return key !== null && this.#lengths.has(`length of ${key}`) ? { symbol: `length of ${key}`, plus: 0n } : null;
    }
    if (node.kind !== 'get-local' || node.type.kind !== 'int' || this.#changes.locals.has(node.local)) return null;
    const key = `local ${node.local}`;
    if (!this.#symbols.has(key)) this.#symbols.set(key, getLocal(node.local, intType, node.span));
    return { symbol: key, plus: 0n };
  }
}

function isSmall(value: bigint): boolean {
  return value > -lengthLimit && value < lengthLimit;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** From 0 to below the bound. */
function rangeOf({ symbol, plus }: Exact): Interval {
  return symbol === null ? { ...constant(0n), high: plus - 1n } : { low: 0n, symbol, high: plus - 1n };
}
