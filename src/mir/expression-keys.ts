// Keys of expressions: two expressions have the same key exactly if they are the same but for where they were written.

import type { Expression } from './mir.ts';
import { visitAll } from './children.ts';

/** The key; null for an expression of more nodes than this. */
export function expressionKey(node: Expression, largest: number): string | null {
  let nodes = 0;
  visitAll([node], () => void (nodes += 1));
  return nodes > largest ? null : JSON.stringify(node, plain);
}

/** What JSON cannot tell apart gets a text; places are left out. */
function plain(name: string, value: unknown): unknown {
  if (name === 'span') return undefined;
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))
    ? `${1 / value} ${value}`
    : value;
}
