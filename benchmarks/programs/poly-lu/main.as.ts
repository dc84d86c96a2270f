// LU decomposition of an n by n matrix without pivots, row by row; the sum of both triangles.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) unchecked((a[i * n + j] = 1.0 / (i + j + 1)));
    unchecked((a[i * n + i] += 2));
  }

  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      let rest = unchecked(a[row + j]);
      for (let k = 0, at = j; k < j; k++, at += n) rest -= unchecked(a[row + k] * a[at]);
      unchecked((a[row + j] = rest / a[j * n + j]));
    }
    for (let j = i; j < n; j++) {
      let rest = unchecked(a[row + j]);
      for (let k = 0, at = j; k < i; k++, at += n) rest -= unchecked(a[row + k] * a[at]);
      unchecked((a[row + j] = rest));
    }
  }

  let sum: f64 = 0;
  for (let at = 0; at < n * n; at++) sum += unchecked(a[at]);
  return sum;
}
