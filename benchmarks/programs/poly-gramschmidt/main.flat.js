// QR decomposition of n + 50 by n pseudo-random doubles, column by column; the sum of R.
export function main(n = 320) {
  const rows = n + 50;
  const all = rows * n;
  const a = new Float64Array(all);
  const q = new Float64Array(all);
  const r = new Float64Array(n * n);
  let seed = 42;
  for (let at = 0; at < all; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    a[at] = (seed >>> 0) / 4294967296;
  }

  for (let k = 0; k < n; k++) {
    let norm = 0;
    for (let at = k; at < all; at += n) norm += a[at] * a[at];
    const size = Math.sqrt(norm);
    r[k * n + k] = size;
    for (let at = k; at < all; at += n) q[at] = a[at] / size;
    for (let j = k + 1; j < n; j++) {
      let sum = 0;
      for (let at = k, other = j; at < all; at += n, other += n) sum += q[at] * a[other];
      r[k * n + j] = sum;
      for (let at = k, other = j; at < all; at += n, other += n) a[other] -= q[at] * sum;
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) sum += r[i * n + j];
  }
  return sum;
}
