// LU decomposition of an n by n matrix without pivots, row by row; the sum of both triangles.
export function main(n = 500) {
  const a = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) row[j] = 1 / (i + j + 1);
    row[i] += 2;
  }

  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < i; j++) {
      let rest = row[j];
      for (let k = 0; k < j; k++) rest -= row[k] * a[k][j];
      row[j] = rest / a[j][j];
    }
    for (let j = i; j < n; j++) {
      let rest = row[j];
      for (let k = 0; k < i; k++) rest -= row[k] * a[k][j];
      row[j] = rest;
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) sum += row[j];
  }
  return sum;
}
