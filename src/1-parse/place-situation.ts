// Where something stands that cannot stand there, and how advice for it is written down.

import type { Token } from 'antlr4ng';

/** Where the parser came to a token that does not fit. */
export interface Situation {
  readonly found: Token;
  /** The two tokens in front of it, nearest first. */
  readonly before: Token | null;
  readonly secondBefore: Token | null;
  /** The token behind it. */
  readonly after: Token | null;
  /** The first token of its statement. */
  readonly start: Token | null;
  /** The tokens from there on: of a statement that nobody has written that long, not all. */
  readonly statement: readonly Token[];
  /** The innermost bracket that is open. */
  readonly opener: Token | null;
  /** The token in front of that bracket. */
  readonly beforeOpener: Token | null;
  /** Whether a `(` could stand here. */
  readonly takesParenthesis: boolean;
  /** What could stand here, in words. */
  readonly expected: string;
  /** The rule of the grammar that was being read. */
  readonly rule: number;
}

export interface Hint {
  readonly when: (situation: Situation) => boolean;
  readonly help: string | ((situation: Situation) => string);
  /** The edit that was surely meant. */
  readonly mend?: (situation: Situation) => Mending | null;
}

/** The tokens from the first to the last become a text. */
export interface Mending {
  readonly first: Token;
  readonly last: Token;
  readonly text: string;
}

export const is = (token: Token | null, ...types: readonly number[]): boolean =>
  token !== null && types.includes(token.type);
