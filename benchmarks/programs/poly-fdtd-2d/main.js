// An electromagnetic wave in a plane, by finite differences in time; the sum of the magnetic field.
const matrix = (rows, columns) => Array.from({ length: rows }, () => new Float64Array(columns));

export function main(n = 700) {
  const m = n + 40;
  const ex = matrix(n, m);
  const ey = matrix(n, m);
  const hz = matrix(n, m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      ex[i][j] = i / (j + 1);
      ey[i][j] = j / (i + 2);
      hz[i][j] = 1 / (i + j + 3);
    }
  }

  for (let step = 0; step < 100; step++) {
    ey[0].fill(step);
    for (let i = 1; i < n; i++) {
      const y = ey[i];
      const z = hz[i];
      const before = hz[i - 1];
      for (let j = 0; j < m; j++) y[j] -= 0.5 * (z[j] - before[j]);
    }
    for (let i = 0; i < n; i++) {
      const x = ex[i];
      const z = hz[i];
      for (let j = 1; j < m; j++) x[j] -= 0.5 * (z[j] - z[j - 1]);
    }
    for (let i = 0; i < n - 1; i++) {
      const x = ex[i];
      const y = ey[i];
      const behind = ey[i + 1];
      const z = hz[i];
      for (let j = 0; j < m - 1; j++) z[j] -= 0.7 * (x[j + 1] - x[j] + behind[j] - y[j]);
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = hz[i];
    for (let j = 0; j < m; j++) sum += row[j];
  }
  return sum;
}
