// Forward substitution in a lower triangle, 120 times, each on the result of the one before; the sum of the last.
export function run(n: i32): f64 {
  const l = new StaticArray<f64>(n * n);
  const x = new StaticArray<f64>(n);
  for (let i = 0; i < n; i++) {
    unchecked((x[i] = i + 1));
    for (let j = 0; j < i; j++) unchecked((l[i * n + j] = 1.0 / (i + j + 1)));
    unchecked((l[i * n + i] = 1));
  }
  for (let round = 0; round < 120; round++) {
    for (let i = 0; i < n; i++) {
      const row = i * n;
      let rest = unchecked(x[i]);
      for (let j = 0; j < i; j++) rest -= unchecked(l[row + j] * x[j]);
      unchecked((x[i] = rest / l[row + i]));
    }
  }
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) sum += unchecked(x[i]);
  return sum;
}
