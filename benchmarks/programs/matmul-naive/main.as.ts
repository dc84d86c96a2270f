// The product of two n by n matrices as the definition has it, columns innermost, and the sum of its diagonal.
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
    for (let j = 0; j < n; j++) {
      let sum: f64 = 0;
      for (let k = 0, at = j; k < n; k++, at += n) sum += unchecked(a[row + k]) * unchecked(b[at]);
      unchecked((c[row + j] = sum));
    }
  }
  let trace: f64 = 0;
  for (let i = 0; i < n; i++) trace += unchecked(c[i * n + i]);
  return trace;
}
