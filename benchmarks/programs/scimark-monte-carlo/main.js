// Pi by n pseudo-random points in a square, of which those count that lie in the quarter of a circle. The numbers are
// those of a lagged Fibonacci generator: each is the difference of the ones 5 and 17 before it.
class Random {
  constructor(seed) {
    this.last = new Int32Array(17);
    this.oldest = 0;
    this.recent = 12;
    for (let i = 0; i < 17; i++) {
      seed = (seed * 16807) % 2147483647;
      this.last[i] = seed;
    }
  }

  next() {
    const { last, oldest, recent } = this;
    let value = (last[recent] - last[oldest]) | 0;
    if (value < 0) value = (value + 2147483647) | 0;
    last[oldest] = value;
    this.oldest = oldest === 16 ? 0 : oldest + 1;
    this.recent = recent === 16 ? 0 : recent + 1;
    return value / 2147483647;
  }
}

export function main(n = 10000000) {
  const random = new Random(42);
  let inside = 0;
  for (let i = 0; i < n; i++) {
    const x = random.next();
    const y = random.next();
    if (x * x + y * y <= 1) inside++;
  }
  return (4 * inside) / n;
}
