// Limits on the size of functions: for Binaryen's passes, and for the engine's optimiser.

import { nodesOf, visitAll } from '../mir/children.ts';
import type { Node } from '../mir/children.ts';
import type { MirFunction } from '../mir/program.ts';

/** How thoroughly Binaryen works on a function. */
export type FunctionSize = 'small' | 'medium' | 'large';

/** What Binaryen is to know of a function. */
export interface FunctionTraits {
  readonly size: FunctionSize;
  /** One of its branches must not become a select. */
  readonly keepsBranches: boolean;
}

/** Functions with more nodes are not small: mostly those with jammed loop nests. */
export const largestThorough = 600;

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
    branches += branchesOf[kind];
  });
  return { nodes, branches };
}

/**
 * The branches of each kind of node. An access branches to fail its checks; a try has an edge from each call inside,
 * and a loop has a back edge. A node with 0 is straight-line code, or has so few branches that the estimate leaves them
 * out.
 */
const branchesOf: Readonly<Record<Node['kind'], number>> = {
  int: 0,
  double: 0,
  boolean: 0,
  string: 0,
  null: 0,
  'get-local': 0,
  'get-global': 0,
  'get-field': 1,
  'get-element': 2,
  'get-hoisted': 2,
  'in-range': 0,
  'in-bounds': 0,
  'out-of-fuel': 0,
  wrap32: 0,
  operate: 0,
  logical: 1,
  conditional: 1,
  select: 1,
  widen: 0,
  'check-null': 0,
  'is-null': 0,
  'same-object': 0,
  call: 0,
  'library-call': 0,
  'array-literal': 0,
  'struct-literal': 0,
  'new-array': 0,
  'to-text': 0,
  character: 0,
  concat: 0,
  'build-text': 0,
  'built-text': 0,
  'built-length': 0,
  'to-json': 0,
  'json-object': 0,
  'json-array': 0,
  'get-member': 0,
  'get-item': 0,
  'item-count': 0,
  cast: 0,
  sequence: 0,
  'set-local': 0,
  'set-global': 0,
  'set-field': 1,
  'set-element': 2,
  'set-member': 0,
  'set-item': 0,
  charge: 0,
  count: 0,
  attribute: 0,
  poll: 0,
  evaluate: 0,
  if: 1,
  loop: 4,
  break: 1,
  continue: 1,
  return: 1,
  finish: 0,
  yield: 0,
  throw: 0,
  try: 8,
  'hoist-array': 0,
  'set-hoisted': 2,
  'set-range': 2,
  load: 1,
  'reserve-scratch': 0,
  'row-length': 0,
  'distinct-rows': 0,
  splat: 1,
  'extract-lane': 1,
  'lane-wise': 0,
  store: 1,
  'copy-elements': 0,
  'append-text': 0,
  'call-outlined': 1,
  'return-live-outs': 0,
  'osr-exit': 0,
  block: 0,
};
