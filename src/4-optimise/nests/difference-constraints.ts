// Systems of difference constraints, `x - y <= c`: whether there are ints that satisfy all of them.
//
// Source: Cormen, Leiserson, Rivest, Stein, "Introduction to Algorithms", section 24.4: there are exactly if the graph of
// the constraints has no cycle below 0, which Bellman and Ford find.

/** `left - right <= most`, with `most` so small that sums of many are exact. */
export interface Constraint {
  readonly left: string;
  readonly right: string;
  readonly most: number;
}

export function equal(left: string, right: string, difference: number): readonly Constraint[] {
  return [
    { left, right, most: difference },
    { left: right, right: left, most: -difference },
  ];
}

export function isSatisfiable(constraints: readonly Constraint[]): boolean {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  const edges = constraints.map(({ left, right, most }) => ({ to: numberOf(left), from: numberOf(right), most }));
  const least = new Array<number>(numbers.size).fill(0);
  for (let round = 0; round <= least.length; round++) {
    let hasChanged = false;
    for (const { to, from, most } of edges) {
      const bound = least[from]! + most;
      if (bound >= least[to]!) continue;
      least[to] = bound;
      hasChanged = true;
    }
    if (!hasChanged) return true;
  }
  return false;
}
