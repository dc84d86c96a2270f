// Successive over-relaxation of n by n pseudo-random doubles, a hundred sweeps in place; the sum of the points.
export function run(n: i32): f64 {
  const g = new StaticArray<f64>(n * n);
  let seed: u32 = 42;
  for (let at = 0; at < n * n; at++) {
    seed = seed * 1664525 + 1013904223;
    unchecked((g[at] = <f64>seed / 4294967296));
  }

  const quarter = 1.25 * 0.25;
  const rest = 1 - 1.25;
  for (let sweep = 0; sweep < 100; sweep++) {
    for (let i = 1; i < n - 1; i++) {
      const end = i * n + n - 1;
      let left = unchecked(g[i * n]);
      let here = unchecked(g[i * n + 1]);
      for (let at = i * n + 1; at < end; at++) {
        const right = unchecked(g[at + 1]);
        left = unchecked(quarter * (g[at - n] + g[at + n] + left + right) + rest * here);
        unchecked((g[at] = left));
        here = right;
      }
    }
  }

  let sum: f64 = 0;
  for (let at = 0; at < n * n; at++) sum += unchecked(g[at]);
  return sum;
}
