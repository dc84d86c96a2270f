// Loop nests: what holds of the locals where a loop runs, by the loops and settings around it. Which row of which matrix
// a local has the elements of, and how locals compare: in `for (i …) for (j < i) for (k < j)` the body of the innermost
// loop knows that `k < j < i`. Both are facts about values, with no matter how large they are: what could wrap is not
// taken in.
//
// Source: access functions and iteration domains of nests, as in Wolfe, "High Performance Compilers for Parallel
// Computing", chapter 5; comparisons are a difference-bound matrix, kept as a list of edges: Dill, "Timing assumptions
// and verification of finite-state concurrent systems" (1989).

import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { blocksOf, visitAll } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { pathKey } from './access-paths.ts';

/** A row of a matrix. */
export interface Row {
  /** The local with the rows. */
  readonly matrix: LocalId;
  readonly subscript: Expression;
}

/** `left <= right + offset`; null stands for 0. */
interface Order {
  readonly left: LocalId | null;
  readonly right: LocalId | null;
  readonly offset: bigint;
}

/** What is known at a place. */
export class NestFacts {
  readonly #rows: ReadonlyMap<LocalId, Row>;
  readonly #orders: readonly Order[];

  constructor(rows: ReadonlyMap<LocalId, Row> = new Map(), orders: readonly Order[] = []) {
    this.#rows = rows;
    this.#orders = orders;
  }

  /** The row whose elements, or which itself, is in a local. */
  rowOf(local: LocalId): Row | null {
    return this.#rows.get(local) ?? null;
  }

  /** The least known `c` with `left <= right + c`; null where there is none. */
  distance(left: LocalId | null, right: LocalId | null): bigint | null {
    const least = new Map<LocalId | null, bigint>([[left, 0n]]);
    // As Bellman and Ford have it; a cycle below 0 would be code that is never reached.
    for (let round = 0; round <= this.#orders.length; round++) {
      let hasChanged = false;
      for (const order of this.#orders) {
        const from = least.get(order.left);
        if (from === undefined) continue;
        const sum = from + order.offset;
        const known = least.get(order.right);
        if (known !== undefined && known <= sum) continue;
        least.set(order.right, sum);
        hasChanged = true;
      }
      if (!hasChanged) break;
    }
    return least.get(right) ?? null;
  }

  /** Whether something is known to be larger than the local by so much, so that the sum does not wrap. */
  #canAdd(local: LocalId, amount: bigint): boolean {
    return this.#orders.some(({ left, right, offset }) =>
      amount > 0n ? left === local && offset <= -amount : right === local && offset <= amount,
    );
  }

  without(changed: ReadonlySet<LocalId>): NestFacts {
    if (changed.size === 0) return this;
    const isChanged = (local: LocalId | null): boolean => local !== null && changed.has(local);
    return new NestFacts(
      new Map(
        [...this.#rows].filter(
          ([local, { matrix, subscript }]) =>
            !isChanged(local) && !isChanged(matrix) && !localsIn(subscript).some(isChanged),
        ),
      ),
      this.#orders.filter(({ left, right }) => !isChanged(left) && !isChanged(right)),
    );
  }

  withRow(local: LocalId, row: Row): NestFacts {
    return new NestFacts(new Map([...this.#rows, [local, row]]), this.#orders);
  }

  #withOrders(orders: readonly Order[]): NestFacts {
    return orders.length === 0 ? this : new NestFacts(this.#rows, [...this.#orders, ...orders].slice(-mostOrders));
  }

  /** Behind a setting of a local, which is known not to be in the value. */
  withValue(local: LocalId, value: Expression): NestFacts {
    const sum = readSum(value);
    if (sum === null || sum.local === local) return this;
    const { local: base, offset } = sum;
    if (base !== null && offset !== 0n && !this.#canAdd(base, offset)) return this;
    return this.#withOrders([
      { left: local, right: base, offset },
      { left: base, right: local, offset: -offset },
    ]);
  }

  /** Where a condition holds. */
  withCondition(condition: Expression | null): NestFacts {
    if (condition !== null && hasSetting(condition)) return this;
    if (condition?.kind === 'logical' && condition.operator === '&&')
      return condition.operands.reduce((facts: NestFacts, operand) => facts.withCondition(operand), this);
    const order = condition?.kind === 'operate' ? readOrder(condition) : null;
    return order === null ? this : this.#withOrders([order]);
  }

  /**
   * In the body of a loop: what it changes is unknown, but for its condition, and for where a variable that goes up by
   * one began.
   */
  inside(loop: Loop, changed: ReadonlySet<LocalId>): NestFacts {
    const kept = this.without(changed).withCondition(loop.testFirst ? loop.condition : null);
    const lowest = [...changed].flatMap((local): readonly Order[] => {
      if (!goesUpByOne(loop, local) || !kept.#canAdd(local, 1n)) return [];
      return this.#orders.filter(({ left, right }) => right === local && (left === null || !changed.has(left)));
    });
    return kept.#withOrders(lowest);
  }
}

/** More are not looked through. */
const mostOrders = 40;

/** Whether the step of the loop adds one to the local, and nothing else in it sets it. */
function goesUpByOne(loop: Loop, local: LocalId): boolean {
  let sets = 0;
  visitAll([loop], (node) => void (node.kind === 'set-local' && node.local === local && (sets += 1)));
  if (sets !== 1) return false;
  return loop.step.some((node) => {
    if (node.kind !== 'set-local' || node.local !== local) return false;
    const sum = readSum(node.value);
    return sum !== null && sum.local === local && sum.offset === 1n;
  });
}

/** A local and a constant, or one of the two. */
export interface Sum {
  readonly local: LocalId | null;
  readonly offset: bigint;
}

/** Offsets stay below this. */
const largestOffset = 1n << 29n;

export function readSum(node: Expression): Sum | null {
  if (node.kind === 'int') return isSmall(node.value) ? { local: null, offset: node.value } : null;
  if (node.kind === 'get-local') return { local: node.local, offset: 0n };
  if (node.kind !== 'operate' || (node.operator !== '+(int,int)' && node.operator !== '-(int,int)')) return null;
  const [left, right] = node.operands.map((operand) => readSum(operand)) as [Sum | null, Sum | null];
  if (left === null || right === null) return null;
  const isPlus = node.operator === '+(int,int)';
  if (right.local !== null && (!isPlus || left.local !== null)) return null;
  const offset = isPlus ? left.offset + right.offset : left.offset - right.offset;
  return isSmall(offset) ? { local: left.local ?? right.local, offset } : null;
}

function isSmall(value: bigint): boolean {
  return -largestOffset <= value && value <= largestOffset;
}

/** Of two locals, or a local and a constant: sums on either side could have wrapped. */
function readOrder({ operator, operands }: Expression & { readonly kind: 'operate' }): Order | null {
  const [left, right] = operands.map((operand) => readSum(operand));
  const isPlain = (sum: Sum | null | undefined): sum is Sum =>
    sum !== null && sum !== undefined && (sum.local === null || sum.offset === 0n);
  if (!isPlain(left) || !isPlain(right)) return null;
  const order = (less: Sum, more: Sum, distance: bigint): Order => ({
    left: less.local,
    right: more.local,
    offset: more.offset - less.offset - distance,
  });
  if (operator === '<(int,int)') return order(left, right, 1n);
  if (operator === '<=(int,int)') return order(left, right, 0n);
  if (operator === '>(int,int)') return order(right, left, 1n);
  return operator === '>=(int,int)' ? order(right, left, 0n) : null;
}

/** What a condition has read may have been set behind that. */
function hasSetting(condition: Expression): boolean {
  let has = false;
  visitAll([condition], ({ kind }) => (has ||= kind === 'sequence'));
  return has;
}

export function localsIn(node: Expression): readonly LocalId[] {
  const found: LocalId[] = [];
  visitAll([node], (part) => void (part.kind === 'get-local' && found.push(part.local)));
  return found;
}

/** What holds in the bodies of loops, at the beginning of each iteration: of those that are wanted. */
export function findNests(
  statements: readonly Statement[],
  isWanted: (loop: Loop) => boolean,
  registry: LibraryRegistry,
): ReadonlyMap<Loop, NestFacts> {
  const found = new Map<Loop, NestFacts>();
  const walk = (nodes: readonly Statement[], before: NestFacts): NestFacts =>
    nodes.reduce((facts, node) => behind(node, facts), before);
  const behind = (node: Statement, facts: NestFacts): NestFacts => {
    if (node.kind === 'block') return walk(node.statements, facts);
    const changed = changedBy(node, registry);
    const kept = facts.without(changed);
    if (node.kind === 'set-local') {
      const row = readRow(node.value);
      return row === null ? kept.withValue(node.local, node.value) : kept.withRow(node.local, row);
    }
    if (node.kind === 'hoist-array') {
      const row = node.array.kind === 'get-local' ? kept.rowOf(node.array.local) : readRow(node.array);
      return row === null ? kept : kept.withRow(node.elements, row);
    }
    if (node.kind === 'loop') {
      const inside = facts.inside(node, changed);
      if (isWanted(node)) found.set(node, inside);
      walk(node.body, inside);
    } else if (node.kind === 'if') {
      for (const { condition, then } of node.arms) walk(then, kept.withCondition(condition));
      walk(node.otherwise, kept);
    } else for (const block of blocksOf(node)) walk(block, kept);
    return kept;
  };
  walk(statements, new NestFacts());
  return found;
}

/** The row that `index in 0..$length ? $elements[index] : null` gives, where it gives one. */
function readRow(node: Expression): Row | null {
  if (node.kind !== 'conditional' || node.otherwise.kind !== 'null' || node.then.kind !== 'get-hoisted') return null;
  const { hoisted, index } = node.then;
  return hoisted.window !== null || pathKey(index) === null ? null : { matrix: hoisted.elements, subscript: index };
}

function changedBy(node: Statement, registry: LibraryRegistry): ReadonlySet<LocalId> {
  const changed = new Set<LocalId>();
  visitAll([node], (part) => {
    for (const write of effectsOf(part, registry).writes) if (write.kind === 'local') changed.add(write.local);
  });
  return changed;
}
