// Successive over-relaxation of n by n pseudo-random doubles, a hundred sweeps in place; the sum of the points.
export function main(n = 500) {
  const g = new Float64Array(n * n);
  let seed = 42;
  for (let at = 0; at < n * n; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    g[at] = (seed >>> 0) / 4294967296;
  }

  const quarter = 1.25 * 0.25;
  const rest = 1 - 1.25;
  for (let sweep = 0; sweep < 100; sweep++) {
    for (let i = 1; i < n - 1; i++) {
      const end = i * n + n - 1;
      let left = g[i * n];
      let here = g[i * n + 1];
      for (let at = i * n + 1; at < end; at++) {
        const right = g[at + 1];
        left = quarter * (g[at - n] + g[at + n] + left + right) + rest * here;
        g[at] = left;
        here = right;
      }
    }
  }

  let sum = 0;
  for (let at = 0; at < n * n; at++) sum += g[at];
  return sum;
}
