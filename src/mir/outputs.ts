// What a program can give to the host.

import type { Type } from '../language/types.ts';

/** What main can give to the host, null where there is none, and each exported function. */
export interface ProgramOutputs {
  readonly entry: Outputs | null;
  readonly exports: ReadonlyMap<string, Outputs>;
}

/** What a call of a function can give to the host. */
export interface Outputs {
  /** By the function and by what it calls. */
  readonly yields: readonly Output[];
  readonly returns: readonly Output[];
  /** It can end without a value. */
  readonly returnsNothing: boolean;
}

export interface Output {
  readonly type: Type;
  /** It may be null, other than as json, of which null is a value. */
  readonly nullable: boolean;
}
