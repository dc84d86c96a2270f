// Pi by n pseudo-random points in a square, of which those count that lie in the quarter of a circle. The numbers are
// those of a lagged Fibonacci generator: each is the difference of the ones 5 and 17 before it.
class Random {
  last: StaticArray<i32> = new StaticArray<i32>(17);
  oldest: i32 = 0;
  recent: i32 = 12;

  constructor(seed: i64) {
    for (let i = 0; i < 17; i++) {
      seed = (seed * 16807) % 2147483647;
      unchecked((this.last[i] = <i32>seed));
    }
  }

  next(): f64 {
    const last = this.last;
    const oldest = this.oldest;
    const recent = this.recent;
    let value = unchecked(last[recent] - last[oldest]);
    if (value < 0) value += 2147483647;
    unchecked((last[oldest] = value));
    this.oldest = oldest === 16 ? 0 : oldest + 1;
    this.recent = recent === 16 ? 0 : recent + 1;
    return value / 2147483647.0;
  }
}

export function run(n: i32): f64 {
  const random = new Random(42);
  let inside = 0;
  for (let i = 0; i < n; i++) {
    const x = random.next();
    const y = random.next();
    if (x * x + y * y <= 1) inside++;
  }
  return (4.0 * inside) / n;
}
