// Systems of difference constraints, `x - y <= c`: whether there are ints that satisfy all of them.
//
// Source: Cormen, Leiserson, Rivest, Stein, "Introduction to Algorithms", section 24.4: there are exactly if the graph of
// the constraints has no cycle below 0, which Bellman and Ford find.

/** `left - right <= most`. */
export interface Constraint {
  readonly left: string;
  readonly right: string;
  readonly most: bigint;
}

export function equal(left: string, right: string, difference: bigint): readonly Constraint[] {
  return [
    { left, right, most: difference },
    { left: right, right: left, most: -difference },
  ];
}

export function isSatisfiable(constraints: readonly Constraint[]): boolean {
  const least = new Map<string, bigint>();
  for (const { left, right } of constraints) {
    least.set(left, 0n);
    least.set(right, 0n);
  }
  for (let round = 0; round <= least.size; round++) {
    let hasChanged = false;
    for (const { left, right, most } of constraints) {
      const bound = least.get(right)! + most;
      if (bound >= least.get(left)!) continue;
      least.set(left, bound);
      hasChanged = true;
    }
    if (!hasChanged) return true;
  }
  return false;
}
