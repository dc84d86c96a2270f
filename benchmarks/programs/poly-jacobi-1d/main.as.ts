// Heat that spreads along a rod of n points, from one array to another and back; the sum of the points.
function spread(from: StaticArray<f64>, to: StaticArray<f64>, n: i32): void {
  let left = unchecked(from[0]);
  let here = unchecked(from[1]);
  for (let i = 1; i < n - 1; i++) {
    const right = unchecked(from[i + 1]);
    unchecked((to[i] = 0.33333 * (left + here + right)));
    left = here;
    here = right;
  }
}

export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n);
  const b = new StaticArray<f64>(n);
  for (let i = 0; i < n; i++) {
    unchecked((a[i] = (i + 2.0) / n));
    unchecked((b[i] = (i + 3.0) / n));
  }

  for (let step = 0; step < 24000; step++) {
    spread(a, b, n);
    spread(b, a, n);
  }

  let sum: f64 = 0;
  for (let i = 0; i < n; i++) sum += unchecked(a[i]);
  return sum;
}
