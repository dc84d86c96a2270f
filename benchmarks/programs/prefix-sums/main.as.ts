// Running weighted sums over n doubles, again and again: each one waits for the one before it.
export function run(n: i32): f64 {
  const a = new StaticArray<f64>(n);
  for (let i = 0; i < n; i++) unchecked((a[i] = <f64>(i % 7)));
  for (let iteration = 0; iteration < 100; iteration++) {
    let last = unchecked(a[0]);
    for (let i = 1; i < n; i++) {
      last = unchecked(a[i]) * 0.5 + last * 0.25;
      unchecked((a[i] = last));
    }
  }
  return unchecked(a[n - 1]);
}
