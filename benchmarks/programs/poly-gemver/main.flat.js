// Two outer products added to a matrix, and two products of it with vectors, ten times; the sum of the last vector.
export function main(n = 1200) {
  const alpha = 0.75;
  const beta = 0.5;
  const a = new Float64Array(n * n);
  const u1 = new Float64Array(n);
  const v1 = new Float64Array(n);
  const u2 = new Float64Array(n);
  const v2 = new Float64Array(n);
  const w = new Float64Array(n);
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  const z = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    u1[i] = (i * 1.0) / n;
    v1[i] = 1 / (i + 1);
    u2[i] = 1 - u1[i];
    v2[i] = 1 / (i + 3);
    y[i] = ((n - i) * 0.5) / n;
    z[i] = (i + 1) / 8;
    for (let j = 0; j < n; j++) a[i * n + j] = 1 / (i + j + 1);
  }

  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < n; i++) {
      const row = i * n;
      const one = u1[i];
      const two = u2[i];
      for (let j = 0; j < n; j++) a[row + j] += one * v1[j] + two * v2[j];
    }
    for (let i = 0; i < n; i++) {
      let sum = x[i];
      for (let j = 0, at = i; j < n; j++, at += n) sum += beta * a[at] * y[j];
      x[i] = sum;
    }
    for (let i = 0; i < n; i++) x[i] += z[i];
    for (let i = 0; i < n; i++) {
      const row = i * n;
      let sum = w[i];
      for (let j = 0; j < n; j++) sum += alpha * a[row + j] * x[j];
      w[i] = sum;
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) sum += w[i];
  return sum;
}
