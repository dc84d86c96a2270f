// Cholesky decomposition of a symmetric n by n matrix in its lower triangle; the sum of the triangle.
export function main(n = 700) {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) a[i * n + j] = 1 / (1 + i - j);
    a[i * n + i] = 5;
  }

  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      const other = j * n;
      let rest = a[row + j];
      for (let k = 0; k < j; k++) rest -= a[row + k] * a[other + k];
      a[row + j] = rest / a[other + j];
    }
    let rest = a[row + i];
    for (let k = 0; k < i; k++) rest -= a[row + k] * a[row + k];
    a[row + i] = Math.sqrt(rest);
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) sum += a[i * n + j];
  }
  return sum;
}
