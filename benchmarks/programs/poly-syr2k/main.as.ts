// C = alpha (A Bt + B At) + beta C, of which the lower triangle is enough; the sum of the triangle.
export function run(n: i32): f64 {
  const m = n + 10;
  const alpha = 1.5;
  const beta = 1.2;
  const a = new StaticArray<f64>(n * m);
  const b = new StaticArray<f64>(n * m);
  const c = new StaticArray<f64>(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      unchecked((a[i * m + j] = (i + 1.0) / (j + 2)));
      unchecked((b[i * m + j] = (i - j) / 6.0));
    }
    for (let j = 0; j <= i; j++) unchecked((c[i * n + j] = (i + j) / 4.0));
  }

  for (let i = 0; i < n; i++) {
    const own = i * m;
    for (let j = 0; j <= i; j++) {
      const other = j * m;
      let sum = unchecked(c[i * n + j] * beta);
      for (let k = 0; k < m; k++) sum += unchecked(alpha * (a[own + k] * b[other + k] + b[own + k] * a[other + k]));
      unchecked((c[i * n + j] = sum));
    }
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) sum += unchecked(c[i * n + j]);
  }
  return sum;
}
