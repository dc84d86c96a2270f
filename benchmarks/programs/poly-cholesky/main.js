// Cholesky decomposition of a symmetric n by n matrix in its lower triangle; the sum of the triangle.
export function main(n = 700) {
  const a = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < i; j++) row[j] = 1 / (1 + i - j);
    row[i] = 5;
  }

  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < i; j++) {
      const other = a[j];
      let rest = row[j];
      for (let k = 0; k < j; k++) rest -= row[k] * other[k];
      row[j] = rest / other[j];
    }
    let rest = row[i];
    for (let k = 0; k < i; k++) rest -= row[k] * row[k];
    row[i] = Math.sqrt(rest);
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j <= i; j++) sum += row[j];
  }
  return sum;
}
