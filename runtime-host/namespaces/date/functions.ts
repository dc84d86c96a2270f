// The clock.

import type { FreeNamespace } from '../namespace.ts';

/** `clock` gives Unix milliseconds. */
export function dateFunctions(clock: () => number) {
  return {
    now: () => BigInt(Math.floor(clock())),
  };
}

export const namespace: FreeNamespace = { bind: ({ clock }) => dateFunctions(clock) };
