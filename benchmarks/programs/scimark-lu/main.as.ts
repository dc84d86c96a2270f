// LU decomposition of n by n pseudo-random doubles with partial pivoting; the sum of both triangles, and of the
// places of the pivots. Rows are exchanged by their places in one array.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  const rows = new StaticArray<i32>(n);
  const pivots = new StaticArray<i32>(n);
  let seed: u32 = 42;
  for (let at = 0; at < n * n; at++) {
    seed = seed * 1664525 + 1013904223;
    unchecked((a[at] = <f64>seed / 4294967296));
  }
  for (let i = 0; i < n; i++) unchecked((rows[i] = i * n));

  for (let k = 0; k < n; k++) {
    let pivot = k;
    let most = unchecked(Math.abs(a[rows[k] + k]));
    for (let i = k + 1; i < n; i++) {
      const size = unchecked(Math.abs(a[rows[i] + k]));
      if (size > most) {
        most = size;
        pivot = i;
      }
    }
    unchecked((pivots[k] = pivot));
    const top = unchecked(rows[pivot]);
    unchecked((rows[pivot] = rows[k]));
    unchecked((rows[k] = top));
    const divisor = unchecked(a[top + k]);
    for (let i = k + 1; i < n; i++) {
      const row = unchecked(rows[i]);
      const factor = unchecked(a[row + k] / divisor);
      unchecked((a[row + k] = factor));
      for (let j = k + 1; j < n; j++) unchecked((a[row + j] -= factor * a[top + j]));
    }
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    sum += unchecked(pivots[i]);
    const row = unchecked(rows[i]);
    for (let j = 0; j < n; j++) sum += unchecked(a[row + j]);
  }
  return sum;
}
