// What becomes of a nest, as it is found out: for remarks alone.

import type { Expression } from '../../mir/mir.ts';
import type { Node } from '../../mir/children.ts';
import type { Instance } from './dependences.ts';
import type { NestLoop } from './tree.ts';

/** What keeps a loop from being jammed. */
export type Obstacle =
  /** Two accesses that would be turned round. */
  | { readonly kind: 'dependence'; readonly earlier: Instance; readonly later: Instance }
  /** A loop in it, whose bounds are others in each iteration. */
  | { readonly kind: 'bounds'; readonly inner: NestLoop }
  /** It makes fewer iterations than so many. */
  | { readonly kind: 'few'; readonly copies: number }
  /** It does not go up by one. */
  | { readonly kind: 'direction' }
  /** There are loops in it under a condition. */
  | { readonly kind: 'branch'; readonly condition: Expression }
  /** There would be too much code. */
  | { readonly kind: 'size' };

export interface NestLog {
  readonly jams: { readonly loop: NestLoop; readonly copies: number }[];
  /** Loops of which vectors hold so many iterations. */
  readonly vectors: { readonly loop: NestLoop; readonly lanes: number }[];
  /** Innermost loops that load so many elements of each row at once. */
  readonly transposed: { readonly loop: NestLoop; readonly elements: number }[];
  /** Innermost loops that do several of their iterations one behind another. */
  readonly unrolled: { readonly loop: NestLoop; readonly copies: number }[];
  /** Of loops that would gain by being jammed. */
  readonly obstacles: { readonly loop: NestLoop; readonly obstacle: Obstacle }[];
  /** Accesses to an element that is in a local while a loop runs. */
  readonly promotions: { readonly loop: NestLoop; readonly nodes: readonly Node[] }[];
}
