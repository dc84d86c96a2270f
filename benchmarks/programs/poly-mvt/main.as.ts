// A matrix and its transpose multiplied by a vector each, thirty times; the sum of both results.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  const x1 = new StaticArray<f64>(n);
  const x2 = new StaticArray<f64>(n);
  const y1 = new StaticArray<f64>(n);
  const y2 = new StaticArray<f64>(n);
  for (let i = 0; i < n; i++) {
    unchecked((x1[i] = i / 3.0));
    unchecked((x2[i] = (i + 1) / 7.0));
    unchecked((y1[i] = 1.0 / (i + 3)));
    unchecked((y2[i] = 1.0 / (i + 4)));
    for (let j = 0; j < n; j++) unchecked((a[i * n + j] = (i - j) / 16.0));
  }

  for (let round = 0; round < 30; round++) {
    for (let i = 0; i < n; i++) {
      const row = i * n;
      let sum = unchecked(x1[i]);
      for (let j = 0; j < n; j++) sum += unchecked(a[row + j] * y1[j]);
      unchecked((x1[i] = sum));
    }
    for (let i = 0; i < n; i++) {
      let sum = unchecked(x2[i]);
      for (let j = 0, at = i; j < n; j++, at += n) sum += unchecked(a[at] * y2[j]);
      unchecked((x2[i] = sum));
    }
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) sum += unchecked(x1[i] + x2[i]);
  return sum;
}
