// C = alpha (A Bt + B At) + beta C, of which the lower triangle is enough; the sum of the triangle.
const matrix = (rows, columns) => Array.from({ length: rows }, () => new Float64Array(columns));

export function main(n = 500) {
  const m = n + 10;
  const alpha = 1.5;
  const beta = 1.2;
  const a = matrix(n, m);
  const b = matrix(n, m);
  const c = matrix(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      a[i][j] = (i + 1) / (j + 2);
      b[i][j] = (i - j) / 6;
    }
    for (let j = 0; j <= i; j++) c[i][j] = (i + j) / 4;
  }

  for (let i = 0; i < n; i++) {
    const ownA = a[i];
    const ownB = b[i];
    const result = c[i];
    for (let j = 0; j <= i; j++) {
      const otherA = a[j];
      const otherB = b[j];
      let sum = result[j] * beta;
      for (let k = 0; k < m; k++) sum += alpha * (ownA[k] * otherB[k] + ownB[k] * otherA[k]);
      result[j] = sum;
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) sum += c[i][j];
  }
  return sum;
}
