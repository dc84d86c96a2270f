// Two outer products added to a matrix, and two products of it with vectors, ten times; the sum of the last vector.
export function run(n: i32): f64 {
  const alpha = 0.75;
  const beta = 0.5;
  const a = new StaticArray<f64>(n * n);
  const u1 = new StaticArray<f64>(n);
  const v1 = new StaticArray<f64>(n);
  const u2 = new StaticArray<f64>(n);
  const v2 = new StaticArray<f64>(n);
  const w = new StaticArray<f64>(n);
  const x = new StaticArray<f64>(n);
  const y = new StaticArray<f64>(n);
  const z = new StaticArray<f64>(n);
  for (let i = 0; i < n; i++) {
    unchecked((u1[i] = (i * 1.0) / n));
    unchecked((v1[i] = 1.0 / (i + 1)));
    unchecked((u2[i] = 1 - u1[i]));
    unchecked((v2[i] = 1.0 / (i + 3)));
    unchecked((y[i] = ((n - i) * 0.5) / n));
    unchecked((z[i] = (i + 1) / 8.0));
    for (let j = 0; j < n; j++) unchecked((a[i * n + j] = 1.0 / (i + j + 1)));
  }

  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < n; i++) {
      const row = i * n;
      const one = unchecked(u1[i]);
      const two = unchecked(u2[i]);
      for (let j = 0; j < n; j++) unchecked((a[row + j] += one * v1[j] + two * v2[j]));
    }
    for (let i = 0; i < n; i++) {
      let sum = unchecked(x[i]);
      for (let j = 0, at = i; j < n; j++, at += n) sum += unchecked(beta * a[at] * y[j]);
      unchecked((x[i] = sum));
    }
    for (let i = 0; i < n; i++) unchecked((x[i] += z[i]));
    for (let i = 0; i < n; i++) {
      const row = i * n;
      let sum = unchecked(w[i]);
      for (let j = 0; j < n; j++) sum += unchecked(alpha * a[row + j] * x[j]);
      unchecked((w[i] = sum));
    }
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) sum += unchecked(w[i]);
  return sum;
}
