// The clock.

/** `clock` gives Unix milliseconds. */
export function dateFunctions(clock: () => number) {
  return {
    now: () => BigInt(Math.floor(clock())),
  };
}
