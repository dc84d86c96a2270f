// Each point of a plane becomes the mean of itself and its eight neighbours, in place; the sum of the points.
export function main(n = 500) {
  const a = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) row[j] = (i * (j + 2) + 2) / n;
  }

  for (let step = 0; step < 60; step++) {
    for (let i = 1; i < n - 1; i++) {
      const above = a[i - 1];
      const row = a[i];
      const below = a[i + 1];
      let left = row[0];
      for (let j = 1; j < n - 1; j++) {
        const upToHere = above[j - 1] + above[j] + above[j + 1] + left + row[j] + row[j + 1];
        left = (upToHere + below[j - 1] + below[j] + below[j + 1]) / 9;
        row[j] = left;
      }
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) sum += row[j];
  }
  return sum;
}
