// What becomes of a nest, as it is found out: for remarks alone.

import type { Node } from '../../mir/children.ts';
import type { Instance } from './dependences.ts';
import type { NestLoop } from './tree.ts';

export interface NestLog {
  readonly jams: { readonly loop: NestLoop; readonly copies: number }[];
  /** Loops of which vectors hold two iterations. */
  readonly vectors: NestLoop[];
  /** What keeps a loop from being jammed: two accesses that would be turned round. */
  readonly dependences: { readonly loop: NestLoop; readonly earlier: Instance; readonly later: Instance }[];
  /** Accesses to an element that is in a local while a loop runs. */
  readonly promotions: { readonly loop: NestLoop; readonly nodes: readonly Node[] }[];
}
