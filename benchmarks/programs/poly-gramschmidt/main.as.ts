// QR decomposition of n + 50 by n pseudo-random doubles, column by column; the sum of R.
export function run(n: i32): f64 {
  const rows = n + 50;
  const all = rows * n;
  const a = new StaticArray<f64>(all);
  const q = new StaticArray<f64>(all);
  const r = new StaticArray<f64>(n * n);
  let seed: u32 = 42;
  for (let at = 0; at < all; at++) {
    seed = seed * 1664525 + 1013904223;
    unchecked((a[at] = <f64>seed / 4294967296));
  }

  for (let k = 0; k < n; k++) {
    let norm: f64 = 0;
    for (let at = k; at < all; at += n) norm += unchecked(a[at] * a[at]);
    const size = Math.sqrt(norm);
    unchecked((r[k * n + k] = size));
    for (let at = k; at < all; at += n) unchecked((q[at] = a[at] / size));
    for (let j = k + 1; j < n; j++) {
      let sum: f64 = 0;
      for (let at = k, other = j; at < all; at += n, other += n) sum += unchecked(q[at] * a[other]);
      unchecked((r[k * n + j] = sum));
      for (let at = k, other = j; at < all; at += n, other += n) unchecked((a[other] -= q[at] * sum));
    }
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) sum += unchecked(r[i * n + j]);
  }
  return sum;
}
