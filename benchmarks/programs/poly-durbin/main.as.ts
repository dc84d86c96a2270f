// The Yule-Walker equations of n unknowns, solved by Durbin's recursion; the sum of the solution.
export function run(n: i32): f64 {
  const r = new StaticArray<f64>(n);
  let y = new StaticArray<f64>(n);
  let z = new StaticArray<f64>(n);
  for (let i = 0; i < n; i++) unchecked((r[i] = 1.0 / (i + 2)));

  let alpha = unchecked(-r[0]);
  unchecked((y[0] = alpha));
  let beta: f64 = 1;
  for (let k = 1; k < n; k++) {
    beta *= 1 - alpha * alpha;
    let sum: f64 = 0;
    for (let i = 0; i < k; i++) sum += unchecked(r[k - i - 1] * y[i]);
    alpha = unchecked(-(r[k] + sum) / beta);
    for (let i = 0; i < k; i++) unchecked((z[i] = y[i] + alpha * y[k - i - 1]));
    unchecked((z[k] = alpha));
    const held = y;
    y = z;
    z = held;
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) sum += unchecked(y[i]);
  return sum;
}
