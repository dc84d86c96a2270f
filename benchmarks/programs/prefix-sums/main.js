// Running weighted sums over n doubles, again and again: each one waits for the one before it.
export function main(n = 500000) {
  const a = new Float64Array(n);
  for (let i = 0; i < n; i++) a[i] = i % 7;
  for (let turn = 0; turn < 100; turn++) {
    let last = a[0];
    for (let i = 1; i < a.length; i++) {
      last = a[i] * 0.5 + last * 0.25;
      a[i] = last;
    }
  }
  return a[n - 1];
}
