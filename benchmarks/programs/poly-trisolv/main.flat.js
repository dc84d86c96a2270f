// Forward substitution in a lower triangle, 120 times, each on the result of the one before; the sum of the last.
export function main(n = 1000) {
  const l = new Float64Array(n * n);
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    x[i] = i + 1;
    for (let j = 0; j < i; j++) l[i * n + j] = 1 / (i + j + 1);
    l[i * n + i] = 1;
  }
  for (let round = 0; round < 120; round++) {
    for (let i = 0; i < n; i++) {
      const row = i * n;
      let rest = x[i];
      for (let j = 0; j < i; j++) rest -= l[row + j] * x[j];
      x[i] = rest / l[row + i];
    }
  }
  let sum = 0;
  for (let i = 0; i < n; i++) sum += x[i];
  return sum;
}
