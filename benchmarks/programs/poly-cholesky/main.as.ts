// Cholesky decomposition of a symmetric n by n matrix in its lower triangle; the sum of the triangle.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) unchecked((a[i * n + j] = 1.0 / (1 + i - j)));
    unchecked((a[i * n + i] = 5));
  }

  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      const other = j * n;
      let rest = unchecked(a[row + j]);
      for (let k = 0; k < j; k++) rest -= unchecked(a[row + k] * a[other + k]);
      unchecked((a[row + j] = rest / a[other + j]));
    }
    let rest = unchecked(a[row + i]);
    for (let k = 0; k < i; k++) rest -= unchecked(a[row + k] * a[row + k]);
    unchecked((a[row + i] = Math.sqrt(rest)));
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) sum += unchecked(a[i * n + j]);
  }
  return sum;
}
