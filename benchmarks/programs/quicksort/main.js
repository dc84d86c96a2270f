// Sorts n pseudo-random ints by quicksort, and sums every thousandth.
function sortRange(a, from, to) {
  if (from >= to) return;
  const pivot = a[(from + to) >> 1];
  let i = from;
  let j = to;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) {
      const held = a[i];
      a[i] = a[j];
      a[j] = held;
      i++;
      j--;
    }
  }
  sortRange(a, from, j);
  sortRange(a, i, to);
}

export function main(n = 1500000) {
  // All values are below 2^31.
  const a = new Int32Array(n);
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    a[i] = seed;
  }
  sortRange(a, 0, n - 1);
  let sum = 0;
  for (let i = 0; i < n; i += 1000) sum += a[i];
  return sum;
}
