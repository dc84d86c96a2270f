// What is known at a place in an iteration of a loop: the state of the walk of inductive ranges.

import { visitAll } from '../../mir/children.ts';
import type { Expression, LocalId } from '../../mir/mir.ts';
import { join } from './intervals.ts';
import type { Interval } from './intervals.ts';

/** What is known at a place: the ranges of places, and which locals are copies of others. */
export interface State {
  readonly ranges: Map<string, Interval>;
  readonly names: Map<LocalId, LocalId>;
}

/** What holds on both ways; null is a way that is never taken. */
export function joinStates(least: (symbol: string) => bigint, one: State | null, other: State | null): State | null {
  if (one === null || other === null) return one ?? other;
  const ranges = new Map<string, Interval>();
  for (const [key, range] of one.ranges) {
    const also = other.ranges.get(key);
    if (also !== undefined) ranges.set(key, join(range, also, least));
  }
  const names = new Map([...one.names].filter(([local, of]) => other.names.get(local) === of));
  return { ranges, names };
}

/** The expression without a constant that is added to it; of a sequence its value. */
export function withoutConstant(node: Expression): { readonly place: Expression; readonly plus: bigint } {
  if (node.kind === 'sequence') return withoutConstant(node.value);
  if (node.kind === 'operate' && (node.operator === '+(int,int)' || node.operator === '-(int,int)')) {
    const [place, by] = node.operands as readonly [Expression, Expression];
    if (by.kind === 'int') return { place, plus: node.operator === '+(int,int)' ? by.value : -by.value };
  }
  return { place: node, plus: 0n };
}

/** Fields have keys with the name of their object. */
export function isField(key: string): boolean {
  return !key.startsWith('local ');
}

export function copy({ ranges, names }: State): State {
  return { ranges: new Map(ranges), names: new Map(names) };
}

export function replace(state: State, by: State): void {
  if (state === by) return;
  const { ranges, names } = copy(by);
  state.ranges.clear();
  state.names.clear();
  for (const [key, range] of ranges) state.ranges.set(key, range);
  for (const [local, of] of names) state.names.set(local, of);
}

export function hasSettings(node: Expression): boolean {
  let has = false;
  visitAll([node], ({ kind }) => (has ||= kind === 'sequence'));
  return has;
}
