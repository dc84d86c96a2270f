// The power method with y = At (A x): each product of a row is used for all of y at once. The sum of the last x.
export function run(n: i32): f64 {
  const m = n + 100;
  const a = new StaticArray<f64>(m * n);
  const x = new StaticArray<f64>(n);
  const y = new StaticArray<f64>(n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) unchecked((a[i * n + j] = 1.0 / (i + j + 1)));
  }
  for (let j = 0; j < n; j++) unchecked((x[j] = 1));

  for (let round = 0; round < 40; round++) {
    for (let j = 0; j < n; j++) unchecked((y[j] = 0));
    for (let i = 0; i < m; i++) {
      const row = i * n;
      let product: f64 = 0;
      for (let j = 0; j < n; j++) product += unchecked(a[row + j] * x[j]);
      for (let j = 0; j < n; j++) unchecked((y[j] += a[row + j] * product));
    }
    let largest: f64 = 0;
    for (let j = 0; j < n; j++) {
      if (unchecked(y[j] > largest)) largest = unchecked(y[j]);
    }
    for (let j = 0; j < n; j++) unchecked((x[j] = y[j] / largest));
  }

  let sum: f64 = 0;
  for (let j = 0; j < n; j++) sum += unchecked(x[j]);
  return sum;
}
