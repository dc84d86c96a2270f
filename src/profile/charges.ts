// What fuel is used for.

import type { Span } from '../source.ts';

export interface ChargedFunction {
  /** As stacks show it. */
  readonly name: string;
  readonly span: Span;
}

export type Charge =
  /** A call of the function. */
  | { readonly kind: 'call'; readonly function: ChargedFunction; readonly span: Span }
  /** An iteration of a loop in the function. */
  | { readonly kind: 'loop'; readonly function: ChargedFunction; readonly span: Span }
  /** The library's work for a line of the function. */
  | { readonly kind: 'library'; readonly function: ChargedFunction; readonly span: Span }
  /** The library's work before the first function. */
  | { readonly kind: 'before' };
