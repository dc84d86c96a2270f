// An electromagnetic wave in a plane, by finite differences in time; the sum of the magnetic field.
export function main(n = 700) {
  const m = n + 40;
  const ex = new Float64Array(n * m);
  const ey = new Float64Array(n * m);
  const hz = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      ex[i * m + j] = (i * 1.0) / (j + 1);
      ey[i * m + j] = (j * 1.0) / (i + 2);
      hz[i * m + j] = 1.0 / (i + j + 3);
    }
  }

  for (let step = 0; step < 100; step++) {
    for (let j = 0; j < m; j++) ey[j] = step;
    for (let at = m; at < n * m; at++) ey[at] -= 0.5 * (hz[at] - hz[at - m]);
    for (let i = 0; i < n; i++) {
      const end = i * m + m;
      for (let at = i * m + 1; at < end; at++) ex[at] -= 0.5 * (hz[at] - hz[at - 1]);
    }
    for (let i = 0; i < n - 1; i++) {
      const end = i * m + m - 1;
      for (let at = i * m; at < end; at++) hz[at] -= 0.7 * (ex[at + 1] - ex[at] + ey[at + m] - ey[at]);
    }
  }

  let sum = 0;
  for (let at = 0; at < n * m; at++) sum += hz[at];
  return sum;
}
