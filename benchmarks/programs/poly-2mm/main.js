// D = alpha A B C + beta D, the product of A and B first; the sum of D.
const matrix = (rows, columns) => Array.from({ length: rows }, () => new Float64Array(columns));

export function main(n = 320) {
  const inner = n + 10;
  const middle = n + 20;
  const width = n + 30;
  const alpha = 1.5;
  const beta = 1.2;
  const a = matrix(n, inner);
  const b = matrix(inner, middle);
  const c = matrix(middle, width);
  const d = matrix(n, width);
  const product = matrix(n, middle);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < inner; j++) a[i][j] = (i + 1) / (i + j + 2);
    for (let j = 0; j < width; j++) d[i][j] = (i - j) / 7;
  }
  for (let i = 0; i < inner; i++) {
    for (let j = 0; j < middle; j++) b[i][j] = (i + j) / 5;
  }
  for (let i = 0; i < middle; i++) {
    for (let j = 0; j < width; j++) c[i][j] = 1 / (i + j + 1);
  }

  for (let i = 0; i < n; i++) {
    const row = a[i];
    const result = product[i];
    for (let j = 0; j < middle; j++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += alpha * row[k] * b[k][j];
      result[j] = sum;
    }
  }
  for (let i = 0; i < n; i++) {
    const row = product[i];
    const result = d[i];
    for (let j = 0; j < width; j++) {
      let sum = result[j] * beta;
      for (let k = 0; k < middle; k++) sum += row[k] * c[k][j];
      result[j] = sum;
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = d[i];
    for (let j = 0; j < width; j++) sum += row[j];
  }
  return sum;
}
