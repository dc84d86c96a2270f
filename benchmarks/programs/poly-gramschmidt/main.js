// QR decomposition of n + 50 by n pseudo-random doubles, column by column; the sum of R.
const matrix = (rows, columns) => Array.from({ length: rows }, () => new Float64Array(columns));

function decompose(a, q, r, rows, columns) {
  for (let k = 0; k < columns; k++) {
    let norm = 0;
    for (let i = 0; i < rows; i++) {
      const value = a[i][k];
      norm += value * value;
    }
    const size = Math.sqrt(norm);
    const own = r[k];
    own[k] = size;
    for (let i = 0; i < rows; i++) q[i][k] = a[i][k] / size;
    for (let j = k + 1; j < columns; j++) {
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += q[i][k] * a[i][j];
      own[j] = sum;
      for (let i = 0; i < rows; i++) a[i][j] -= q[i][k] * sum;
    }
  }
}

export function main(n = 320) {
  const rows = n + 50;
  const a = matrix(rows, n);
  const q = matrix(rows, n);
  const r = matrix(n, n);
  let seed = 42;
  for (let i = 0; i < rows; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      row[j] = (seed >>> 0) / 4294967296;
    }
  }
  decompose(a, q, r, rows, n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) sum += r[i][j];
  }
  return sum;
}
