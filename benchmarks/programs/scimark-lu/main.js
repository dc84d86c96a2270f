// LU decomposition of n by n pseudo-random doubles with partial pivoting; the sum of both triangles, and of the
// places of the pivots.
function factor(a, pivots) {
  const n = a.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    let most = Math.abs(a[k][k]);
    for (let i = k + 1; i < n; i++) {
      const size = Math.abs(a[i][k]);
      if (size > most) {
        most = size;
        pivot = i;
      }
    }
    pivots[k] = pivot;
    const top = a[pivot];
    a[pivot] = a[k];
    a[k] = top;
    const divisor = top[k];
    for (let i = k + 1; i < n; i++) {
      const row = a[i];
      const factor = row[k] / divisor;
      row[k] = factor;
      for (let j = k + 1; j < n; j++) row[j] -= factor * top[j];
    }
  }
}

export function main(n = 800) {
  const a = Array.from({ length: n }, () => new Float64Array(n));
  const pivots = new Int32Array(n);
  let seed = 42;
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      row[j] = (seed >>> 0) / 4294967296;
    }
  }
  factor(a, pivots);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += pivots[i];
    const row = a[i];
    for (let j = 0; j < n; j++) sum += row[j];
  }
  return sum;
}
