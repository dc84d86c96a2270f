// How large functions may be: for Binaryen's passes, and for the engine's optimiser.

import { nodesOf, visitAll } from '../mir/children.ts';
import type { Node } from '../mir/children.ts';
import type { MirFunction } from '../mir/mir.ts';

/** Functions of more nodes than this, which only programs write, are large. */
export const largestFunction = 8000;

/** In a program that turns out to be too much for engines or for Binaryen, those of more nodes than this are large. */
export const largestOnceMore = 1000;

/**
 * Where control comes together, engines take down where each variable is: what they need grows with the branches times
 * the variables of a function. V8 takes 30 to 130 bytes for each; this is about a quarter of a gigabyte.
 */
export const largestProduct = 3_000_000;

/** How many nodes a function has, and at about how many places of it control goes two ways. */
export function measure(fn: MirFunction): { readonly nodes: number; readonly branches: number } {
  let [nodes, branches] = [0, 0];
  visitAll(nodesOf(fn), ({ kind }) => {
    nodes += 1;
    branches += branchesOf.get(kind) ?? 0;
  });
  return { nodes, branches };
}

/** Accesses test what they are given; a try has an edge from each call in it, and a loop one back. */
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
