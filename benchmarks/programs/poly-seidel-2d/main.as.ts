// Each point of a plane becomes the mean of itself and its eight neighbours, in place; the sum of the points.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) unchecked((a[i * n + j] = (i * (j + 2.0) + 2) / n));
  }

  for (let step = 0; step < 60; step++) {
    for (let i = 1; i < n - 1; i++) {
      const end = i * n + n - 1;
      let left = unchecked(a[i * n]);
      for (let at = i * n + 1; at < end; at++) {
        const above = unchecked(a[at - n - 1] + a[at - n] + a[at - n + 1]);
        const upToHere = unchecked(above + left + a[at] + a[at + 1]);
        left = unchecked((upToHere + a[at + n - 1] + a[at + n] + a[at + n + 1]) / 9.0);
        unchecked((a[at] = left));
      }
    }
  }

  let sum: f64 = 0;
  for (let at = 0; at < n * n; at++) sum += unchecked(a[at]);
  return sum;
}
