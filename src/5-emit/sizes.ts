// Limits on the size of functions: for Binaryen's passes, and for the engine's optimiser.

import { nodesOf, visitAll } from '../mir/children.ts';
import type { Node } from '../mir/children.ts';
import type { MirFunction } from '../mir/program.ts';

/** Functions with more nodes are large; only programs have such functions. */
export const largestFunction = 8000;

/** The limit for a second attempt, if a program is too much for the engine or for Binaryen. */
export const largestOnceMore = 1000;

/**
 * Wherever control flow merges, engines record every variable: their memory grows with the branches times the variables
 * of a function. V8 takes 30 to 130 bytes for each; this product is about a quarter of a gigabyte.
 */
export const largestProduct = 3_000_000;

/** The number of a function's nodes, and about how many branches its control flow has. */
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
