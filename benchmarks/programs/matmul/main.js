// The product of two n by n matrices, rows innermost, and the sum of its diagonal.
const matrix = (n) => Array.from({ length: n }, () => new Float64Array(n));

export function main(n = 600) {
  const a = matrix(n);
  const b = matrix(n);
  const c = matrix(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      a[i][j] = (i * 7 + j * 3) % 11;
      b[i][j] = (i * 5 + j * 2) % 13;
    }
  }
  for (let i = 0; i < n; i++) {
    const row = c[i];
    for (let k = 0; k < n; k++) {
      const x = a[i][k];
      const other = b[k];
      for (let j = 0; j < n; j++) row[j] += x * other[j];
    }
  }
  let trace = 0;
  for (let i = 0; i < n; i++) trace += c[i][i];
  return trace;
}
