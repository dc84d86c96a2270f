// Cholesky decomposition of a symmetric n by n matrix, row by row; the sum of the diagonal.
export function main(n = 1000) {
  const a = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j <= i; j++) row[j] = 1 / (1 + i - j) + (i === j ? 4 : 0);
  }
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < i; j++) {
      const other = a[j];
      let sum = row[j];
      for (let k = 0; k < j; k++) sum -= row[k] * other[k];
      row[j] = sum / other[j];
    }
    let rest = row[i];
    for (let k = 0; k < i; k++) rest -= row[k] * row[k];
    row[i] = Math.sqrt(rest);
  }
  let trace = 0;
  for (let i = 0; i < n; i++) trace += a[i][i];
  return trace;
}
