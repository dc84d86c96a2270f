// LU decomposition of an n by n matrix of pseudo-random doubles, with row pivots; the sum of the pivots' sizes.
export function main(n = 750) {
  const a = Array.from({ length: n }, () => new Float64Array(n));
  let seed = 42;
  for (let i = 0; i < n; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      row[j] = (seed >>> 0) / 4294967296;
    }
  }
  let sum = 0;
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
    const top = a[pivot];
    a[pivot] = a[k];
    a[k] = top;
    const scale = 1 / top[k];
    for (let i = k + 1; i < n; i++) {
      const row = a[i];
      const factor = row[k] * scale;
      row[k] = factor;
      for (let j = k + 1; j < n; j++) row[j] -= factor * top[j];
    }
    sum += most;
  }
  return sum;
}
