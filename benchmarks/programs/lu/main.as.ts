// LU decomposition of an n by n matrix of pseudo-random doubles, with row pivots; the sum of the pivots' sizes. Rows
// are exchanged by their places in one array.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  const rows = new StaticArray<i32>(n);
  let seed: u32 = 42;
  for (let i = 0; i < n; i++) {
    unchecked((rows[i] = i * n));
    for (let j = 0; j < n; j++) {
      seed = seed * 1664525 + 1013904223;
      unchecked((a[i * n + j] = <f64>seed / 4294967296));
    }
  }
  let sum: f64 = 0;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    let most = Math.abs(unchecked(a[rows[k] + k]));
    for (let i = k + 1; i < n; i++) {
      const size = Math.abs(unchecked(a[rows[i] + k]));
      if (size > most) {
        most = size;
        pivot = i;
      }
    }
    const top = unchecked(rows[pivot]);
    unchecked((rows[pivot] = rows[k]));
    unchecked((rows[k] = top));
    const scale = 1 / unchecked(a[top + k]);
    for (let i = k + 1; i < n; i++) {
      const row = unchecked(rows[i]);
      const factor = unchecked(a[row + k]) * scale;
      unchecked((a[row + k] = factor));
      for (let j = k + 1; j < n; j++) unchecked((a[row + j] -= factor * a[top + j]));
    }
    sum += most;
  }
  return sum;
}
