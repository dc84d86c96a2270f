// Cholesky decomposition of a symmetric n by n matrix, row by row; the sum of the diagonal.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) unchecked((a[i * n + j] = 1 / <f64>(1 + i - j) + (i === j ? 4.0 : 0.0)));
  }
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      const other = j * n;
      let sum = unchecked(a[row + j]);
      for (let k = 0; k < j; k++) sum -= unchecked(a[row + k]) * unchecked(a[other + k]);
      unchecked((a[row + j] = sum / a[other + j]));
    }
    let rest = unchecked(a[row + i]);
    for (let k = 0; k < i; k++) rest -= unchecked(a[row + k]) * unchecked(a[row + k]);
    unchecked((a[row + i] = Math.sqrt(rest)));
  }
  let trace: f64 = 0;
  for (let i = 0; i < n; i++) trace += unchecked(a[i * n + i]);
  return trace;
}
