// LU decomposition of an n by n matrix without pivots, row by row; the sum of both triangles.
export function main(n = 500) {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) a[i * n + j] = 1 / (i + j + 1);
    a[i * n + i] += 2;
  }

  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++) {
      let rest = a[row + j];
      for (let k = 0, at = j; k < j; k++, at += n) rest -= a[row + k] * a[at];
      a[row + j] = rest / a[j * n + j];
    }
    for (let j = i; j < n; j++) {
      let rest = a[row + j];
      for (let k = 0, at = j; k < i; k++, at += n) rest -= a[row + k] * a[at];
      a[row + j] = rest;
    }
  }

  let sum = 0;
  for (let at = 0; at < n * n; at++) sum += a[at];
  return sum;
}
