// What the counters of a program count.

import type { Span } from '../source.ts';

export type Counter =
  /** How often the first statement of a line was begun. */
  | { readonly kind: 'statement'; readonly span: Span }
  /** How often a function was called. */
  | { readonly kind: 'function'; readonly name: string; readonly span: Span }
  /** How often a branch had this outcome. `span` is what people look at: a condition, a value. */
  | { readonly kind: 'branch'; readonly span: Span; readonly outcome: Outcome };

export interface Outcome {
  readonly kind: 'if' | 'conditional' | 'logical' | 'loop' | 'catch';
  /** The whole branch, whose outcomes belong together. */
  readonly whole: Span;
  /** What there is to say where it never happens. */
  readonly missing: string;
}
