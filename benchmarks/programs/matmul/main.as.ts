// The product of two n by n matrices, rows innermost, and the sum of its diagonal.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  const b = new StaticArray<f64>(n * n);
  const c = new StaticArray<f64>(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      unchecked((a[i * n + j] = <f64>((i * 7 + j * 3) % 11)));
      unchecked((b[i * n + j] = <f64>((i * 5 + j * 2) % 13)));
    }
  }
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let k = 0; k < n; k++) {
      const x = unchecked(a[row + k]);
      const other = k * n;
      for (let j = 0; j < n; j++) unchecked((c[row + j] += x * b[other + j]));
    }
  }
  let trace: f64 = 0;
  for (let i = 0; i < n; i++) trace += unchecked(c[i * n + i]);
  return trace;
}
