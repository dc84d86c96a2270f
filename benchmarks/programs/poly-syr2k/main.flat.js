// C = alpha (A Bt + B At) + beta C, of which the lower triangle is enough; the sum of the triangle.
export function main(n = 500) {
  const m = n + 10;
  const alpha = 1.5;
  const beta = 1.2;
  const a = new Float64Array(n * m);
  const b = new Float64Array(n * m);
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      a[i * m + j] = (i + 1) / (j + 2);
      b[i * m + j] = (i - j) / 6;
    }
    for (let j = 0; j <= i; j++) c[i * n + j] = (i + j) / 4;
  }

  for (let i = 0; i < n; i++) {
    const own = i * m;
    for (let j = 0; j <= i; j++) {
      const other = j * m;
      let sum = c[i * n + j] * beta;
      for (let k = 0; k < m; k++) sum += alpha * (a[own + k] * b[other + k] + b[own + k] * a[other + k]);
      c[i * n + j] = sum;
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) sum += c[i * n + j];
  }
  return sum;
}
