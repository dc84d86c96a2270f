// Limits on the size of functions: for Binaryen's passes, and for the engine's optimiser.

import { nodesOf, visitAll } from '../mir/children.ts';
import type { Node } from '../mir/children.ts';
import type { MirFunction } from '../mir/program.ts';

/** Functions with more nodes are large; only programs have such functions. */
export const largestFunction = 8000;

/** The limit for a second attempt, if the stack overflows or a function is too large for engines. */
export const largestOnceMore = 1000;

/**
 * The most branches times variables of a function. Engines record every variable at each merge of the control flow, so
 * their memory grows with this product. V8 takes 30 to 130 bytes for each; this limit is about a quarter of a gigabyte.
 */
export const largestProduct = 3_000_000;

/** The number of a function's nodes, and roughly the number of branches in its control flow. */
export function measure(fn: MirFunction): { readonly nodes: number; readonly branches: number } {
  let [nodes, branches] = [0, 0];
  visitAll(nodesOf(fn), ({ kind }) => {
    nodes += 1;
    branches += branchesOf.get(kind) ?? 0;
  });
  return { nodes, branches };
}

/** An access branches to fail its tests; a try has an edge from each call inside, and a loop has one back. */
const branchesOf: ReadonlyMap<Node['kind'], number> = new Map<Node['kind'], number>([
  ['try', 8],
  ['loop', 4],
  ['get-element', 2],
  ['set-element', 2],
  ['get-hoisted', 2],
  ['set-hoisted', 2],
  ['if', 1],
  ['logical', 1],
  ['conditional', 1],
  ['select', 1],
  ['get-field', 1],
  ['set-field', 1],
  ['return', 1],
  ['break', 1],
  ['continue', 1],
  ['call-outlined', 1],
]);
