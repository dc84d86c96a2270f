// Each point of a plane becomes the mean of itself and its eight neighbours, in place; the sum of the points.
export function main(n = 500) {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) a[i * n + j] = (i * (j + 2) + 2) / n;
  }

  for (let step = 0; step < 60; step++) {
    for (let i = 1; i < n - 1; i++) {
      const end = i * n + n - 1;
      let left = a[i * n];
      for (let at = i * n + 1; at < end; at++) {
        const above = a[at - n - 1] + a[at - n] + a[at - n + 1];
        const upToHere = above + left + a[at] + a[at + 1];
        left = (upToHere + a[at + n - 1] + a[at + n] + a[at + n + 1]) / 9;
        a[at] = left;
      }
    }
  }

  let sum = 0;
  for (let at = 0; at < n * n; at++) sum += a[at];
  return sum;
}
