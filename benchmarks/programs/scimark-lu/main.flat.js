// LU decomposition of n by n pseudo-random doubles with partial pivoting; the sum of both triangles, and of the
// places of the pivots. Rows are exchanged by their places in one array.
export function main(n = 800) {
  const a = new Float64Array(n * n);
  const rows = new Int32Array(n);
  const pivots = new Int32Array(n);
  let seed = 42;
  for (let at = 0; at < n * n; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    a[at] = (seed >>> 0) / 4294967296;
  }
  for (let i = 0; i < n; i++) rows[i] = i * n;

  for (let k = 0; k < n; k++) {
    let pivot = k;
    let most = Math.abs(a[rows[k] + k]);
    for (let i = k + 1; i < n; i++) {
      const size = Math.abs(a[rows[i] + k]);
      if (size > most) {
        most = size;
        pivot = i;
      }
    }
    pivots[k] = pivot;
    const top = rows[pivot];
    rows[pivot] = rows[k];
    rows[k] = top;
    const divisor = a[top + k];
    for (let i = k + 1; i < n; i++) {
      const row = rows[i];
      const factor = a[row + k] / divisor;
      a[row + k] = factor;
      for (let j = k + 1; j < n; j++) a[row + j] -= factor * a[top + j];
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += pivots[i];
    const row = rows[i];
    for (let j = 0; j < n; j++) sum += a[row + j];
  }
  return sum;
}
