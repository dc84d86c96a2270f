// Sorts n pseudo-random ints by quicksort, and sums every thousandth.
function sortRange(a: StaticArray<i32>, from: i32, to: i32): void {
  if (from >= to) return;
  const pivot = unchecked(a[(from + to) / 2]);
  let i = from;
  let j = to;
  while (i <= j) {
    while (unchecked(a[i]) < pivot) i++;
    while (unchecked(a[j]) > pivot) j--;
    if (i <= j) {
      const held = unchecked(a[i]);
      unchecked((a[i] = a[j]));
      unchecked((a[j] = held));
      i++;
      j--;
    }
  }
  sortRange(a, from, j);
  sortRange(a, i, to);
}

export function run(n: i32): f64 {
  // All values are below 2^31.
  const a = new StaticArray<i32>(n);
  let seed: i32 = 42;
  for (let i = 0; i < n; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    unchecked((a[i] = seed));
  }
  sortRange(a, 0, n - 1);
  let sum: i64 = 0;
  for (let i = 0; i < n; i += 1000) sum += unchecked(a[i]);
  return <f64>sum;
}
