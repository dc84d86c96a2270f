// Successive over-relaxation of n by n pseudo-random doubles, a hundred sweeps in place; the sum of the points.
function relax(g, omega, sweeps) {
  const n = g.length;
  const quarter = omega * 0.25;
  const rest = 1 - omega;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let i = 1; i < n - 1; i++) {
      const above = g[i - 1];
      const row = g[i];
      const below = g[i + 1];
      let left = row[0];
      let here = row[1];
      for (let j = 1; j < n - 1; j++) {
        const right = row[j + 1];
        left = quarter * (above[j] + below[j] + left + right) + rest * here;
        row[j] = left;
        here = right;
      }
    }
  }
}

export function main(n = 500) {
  const g = Array.from({ length: n }, () => new Float64Array(n));
  let seed = 42;
  for (let i = 0; i < n; i++) {
    const row = g[i];
    for (let j = 0; j < n; j++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      row[j] = (seed >>> 0) / 4294967296;
    }
  }
  relax(g, 1.25, 100);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = g[i];
    for (let j = 0; j < n; j++) sum += row[j];
  }
  return sum;
}
