// One iteration of a loop, statement by statement, with the intervals of the ints that it sets: the part of inductive
// ranges that follows control flow.

import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { operandsOf } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import {
  add,
  anything,
  constant,
  isWithin,
  join,
  masked,
  mirrored,
  negated,
  refine,
  remainder,
  subtract,
} from './intervals.ts';
import type { Comparison, Exact, Interval } from './intervals.ts';
import { copy, hasSettings, isField, joinStates, replace, withoutConstant } from './iteration-state.ts';
import type { State } from './iteration-state.ts';
import { fieldKey } from './assignments.ts';

/** An access whose array is in locals. */
export type CheckedElement = Node & { readonly kind: 'get-hoisted' | 'set-hoisted' };

interface Given {
  readonly loop: Loop;
  readonly registry: LibraryRegistry;
  /** How small the symbols can be; comparisons with others say nothing. */
  readonly least: ReadonlyMap<string, bigint>;
  /** The key of the place that the node reads or sets. */
  readonly placeOf: (node: Node, names: ReadonlyMap<LocalId, LocalId>) => string | null;
  readonly exactOf: (node: Expression) => Exact | null;
  readonly start: ReadonlyMap<string, Interval>;
}

export class IterationWalk {
  /** False if the loop has something in it that the walk does not follow. */
  isKnown = true;
  /** The indices of the accesses that can be reached. */
  readonly indices = new Map<CheckedElement, Interval>();
  readonly #given: Given;
  readonly #least: (symbol: string) => bigint;
  /** Behind the iteration; null if it always leaves the loop. */
  readonly #end: State | null;
  /** Where an iteration goes on with the step. */
  #continued: State | null = null;

  constructor(given: Given) {
    this.#given = given;
    this.#least = (symbol) => given.least.get(symbol) ?? 0n;
    const { condition, testFirst, body, step } = given.loop;
    const start: State = { ranges: new Map(given.start), names: new Map() };
    const tested = (state: State | null): State | null => {
      if (state === null || condition === null) return state;
      this.#value(condition, state);
      return this.#where(condition, true, state);
    };
    const inside = this.#statements(body, testFirst ? tested(start) : start);
    const stepped = this.#statements(step, joinStates(this.#least, inside, this.#continued));
    this.#end = testFirst ? stepped : tested(stepped);
  }

  /** Whether the place is in the range behind each iteration. */
  keeps(key: string, range: Interval): boolean {
    return this.#end === null || isWithin(this.#end.ranges.get(key) ?? anything, range, this.#least);
  }

  #statements(nodes: readonly Statement[], start: State | null): State | null {
    let state = start;
    for (const node of nodes) {
      if (state === null) return null;
      state = this.#statement(node, state);
    }
    return state;
  }

  #statement(node: Statement, state: State): State | null {
    switch (node.kind) {
      case 'set-local':
        this.#set(node, this.#value(node.value, state), state);
        if (node.value.kind === 'get-local')
          state.names.set(node.local, state.names.get(node.value.local) ?? node.value.local);
        return state;
      case 'set-field': {
        this.#value(node.object, state);
        this.#set(node, this.#value(node.value, state), state);
        return state;
      }
      case 'set-hoisted':
        this.#access(node, state);
        this.#value(node.value, state);
        return state;
      case 'if':
        return this.#if(node, state);
      case 'block':
        return this.#statements(node.statements, state);
      case 'continue':
        if (node.loop === this.#given.loop.id) this.#continued = joinStates(this.#least, this.#continued, copy(state));
        return null;
      case 'break':
      case 'return':
      case 'throw':
        return null;
      case 'set-global':
      case 'charge':
      case 'evaluate':
        for (const operand of operandsOf(node)) this.#value(operand, state);
        return state;
      case 'append-text':
      case 'call-outlined':
      case 'copy-elements':
      case 'finish':
      case 'hoist-array':
      case 'loop':
      case 'osr-exit':
      case 'poll':
      case 'attribute':
      case 'count':
      case 'return-live-outs':
      case 'set-element':
      case 'set-item':
      case 'set-member':
      case 'set-range':
      case 'store':
      case 'try':
      case 'yield':
        this.isKnown = false;
        return null;
    }
  }

  #set(node: Statement & { readonly kind: 'set-local' | 'set-field' }, value: Interval, state: State): void {
    const key = this.#given.placeOf(node, state.names);
    if (node.kind === 'set-local') {
      state.names.delete(node.local);
      for (const [name, of] of state.names) if (of === node.local) state.names.delete(name);
    }
    // The object of another local may be the same.
    if (node.kind === 'set-field')
      for (const other of state.ranges.keys())
        if (other.startsWith(`${fieldKey(node.struct, node.field)} of `)) state.ranges.delete(other);
    if (key !== null) state.ranges.set(key, value);
  }

  #if({ arms, otherwise }: Statement & { readonly kind: 'if' }, before: State): State | null {
    let state: State | null = before;
    let behind: State | null = null;
    for (const { condition, then } of arms) {
      if (state === null) break;
      this.#value(condition, state);
      behind = joinStates(this.#least, behind, this.#statements(then, this.#where(condition, true, copy(state))));
      state = this.#where(condition, false, state);
    }
    return joinStates(this.#least, behind, this.#statements(otherwise, state));
  }

  /** The state where the condition, which was evaluated in it, is true or false. */
  #where(condition: Expression, holds: boolean, state: State): State {
    if (condition.kind === 'logical') {
      if ((condition.operator === '&&') !== holds) return state;
      // What an operand found out does not hold behind settings in others.
      const from = condition.operands.findLastIndex(hasSettings);
      for (const operand of condition.operands.slice(Math.max(from, 0))) this.#where(operand, holds, state);
      return state;
    }
    if (condition.kind !== 'operate') return state;
    if (condition.operator === '!(boolean)') return this.#where(condition.operands[0]!, !holds, state);
    const symbol = /^([<>]=?|[!=]=)\(int,int\)$/.exec(condition.operator)?.[1] as Comparison | undefined;
    if (symbol === undefined) return state;
    const comparison = holds ? symbol : negated[symbol];
    const [left, right] = condition.operands as readonly [Expression, Expression];
    // What the left one is may be set in the right one.
    if (!hasSettings(right)) this.#compare(left, comparison, right, state);
    this.#compare(right, mirrored[comparison], left, state);
    return state;
  }

  #compare(part: Expression, comparison: Comparison, limit: Expression, { ranges, names }: State): void {
    const { place, plus } = withoutConstant(part);
    const key = this.#given.placeOf(place, names);
    const exact = key === null ? null : this.#given.exactOf(limit);
    if (key === null || exact === null || !this.#isUsed(exact)) return;
    const range = ranges.get(key) ?? anything;
    // A sum that wraps around says nothing of what was added to.
    if (plus !== 0n && add(range, constant(plus)) === anything) return;
    const refined = refine(range, comparison, { ...exact, plus: exact.plus - plus }, this.#least);
    ranges.set(key, refined);
    // Copies are equal.
    for (const [name, of] of names) if (key === `local ${of}`) ranges.set(`local ${name}`, refined);
  }

  #isUsed({ symbol }: Exact): boolean {
    return symbol === null || this.#given.least.has(symbol);
  }

  #access(node: CheckedElement, state: State): void {
    if (node.checked) this.#value(node.hoisted.array, state);
    const index = this.#value(node.index, state);
    if (!node.checked) return;
    const before = this.indices.get(node);
    this.indices.set(node, before === undefined ? index : join(before, index, this.#least));
  }

  /** The interval of the value; settings inside it take place. */
  #value(node: Expression, state: State): Interval {
    switch (node.kind) {
      case 'int':
        return constant(node.value);
      case 'get-local':
      case 'get-field': {
        if (node.kind === 'get-field') this.#value(node.object, state);
        const key = this.#given.placeOf(node, state.names);
        return (key === null ? this.#exact(node) : state.ranges.get(key)) ?? anything;
      }
      case 'get-hoisted':
        this.#access(node, state);
        return anything;
      case 'sequence': {
        const end = this.#statements(node.statements, state);
        if (end === null) this.isKnown = false;
        else replace(state, end);
        return this.#value(node.value, state);
      }
      case 'logical':
        return this.#logical(node, state);
      case 'conditional':
      case 'select':
        return this.#either(node, state);
      case 'wrap32': {
        const value = this.#value(node.operand, state);
        return value.low >= 0n && value.high < 2n ** 31n ? value : anything;
      }
      case 'operate':
        return this.#result(node, state);
      case 'array-literal':
      case 'boolean':
      case 'build-text':
      case 'built-length':
      case 'built-text':
      case 'call':
      case 'cast':
      case 'check-null':
      case 'concat':
      case 'double':
      case 'extract-lane':
      case 'get-element':
      case 'get-global':
      case 'get-item':
      case 'get-member':
      case 'in-bounds':
      case 'in-range':
      case 'is-null':
      case 'item-count':
      case 'json-array':
      case 'json-object':
      case 'lane-wise':
      case 'library-call':
      case 'load':
      case 'new-array':
      case 'null':
      case 'out-of-fuel':
      case 'reserve-scratch':
      case 'row-length':
      case 'distinct-rows':
      case 'same-object':
      case 'splat':
      case 'string':
      case 'struct-literal':
      case 'to-json':
      case 'to-text':
      case 'character':
      case 'widen':
        return this.#other(node, state);
    }
  }

  #other(node: Expression, state: State): Interval {
    for (const operand of operandsOf(node)) this.#value(operand, state);
    const { calls, waits } = effectsOf(node, this.#given.registry);
    if (calls !== null || waits) for (const key of state.ranges.keys()) if (isField(key)) state.ranges.delete(key);
    return this.#exact(node) ?? anything;
  }

  /** What stays the same is as large as it is: its own symbol. */
  #exact(node: Expression): Interval | null {
    const exact = this.#given.exactOf(node);
    if (exact === null || exact.symbol === null || !this.#isUsed(exact)) return null;
    return { low: this.#least(exact.symbol) + exact.plus, symbol: exact.symbol, high: exact.plus };
  }

  /** The operands behind the first may be evaluated or not. */
  #logical(node: Expression & { readonly kind: 'logical' }, state: State): Interval {
    const reached = copy(state);
    let after: State | null = null;
    for (const operand of node.operands) {
      this.#value(operand, reached);
      after = joinStates(this.#least, after, copy(reached));
      this.#where(operand, node.operator === '&&', reached);
    }
    replace(state, after!);
    return anything;
  }

  #either(node: Expression & { readonly kind: 'conditional' | 'select' }, state: State): Interval {
    const { condition, then, otherwise } = node;
    if (node.kind === 'select' && hasSettings(node)) {
      for (const part of [then, otherwise, condition]) this.#value(part, state);
      return anything;
    }
    this.#value(condition, state);
    const other = this.#where(condition, false, copy(state));
    this.#where(condition, true, state);
    const value = this.#value(then, state);
    const otherValue = this.#value(otherwise, other);
    replace(state, joinStates(this.#least, state, other)!);
    return join(value, otherValue, this.#least);
  }

  #result(node: Expression & { readonly kind: 'operate' }, state: State): Interval {
    const values = node.operands.map((operand) => this.#value(operand, state));
    const [left = anything, right = anything] = values;
    const last = node.operands.at(-1)!;
    const by = this.#given.exactOf(last);
    switch (node.operator) {
      case '+(int,int)':
        return add(left, right);
      case '-(int,int)':
        return subtract(left, right);
      case '%(int,int)':
        return by !== null && this.#isUsed(by) ? remainder(left, by) : anything;
      case '&(int,int)':
        return last.kind === 'int' ? masked(last.value) : anything;
    }
    return anything;
  }
}
