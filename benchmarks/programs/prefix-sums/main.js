// Running sums over n doubles, 40 times.
export function main(n = 500000) {
  const a = new Float64Array(n);
  for (let i = 0; i < n; i++) a[i] = i % 7;
  for (let turn = 0; turn < 40; turn++) {
    for (let i = 1; i < n; i++) a[i] = a[i] * 0.5 + a[i - 1] * 0.25;
  }
  return a[n - 1];
}
