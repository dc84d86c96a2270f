// An electromagnetic wave in a plane, by finite differences in time; the sum of the magnetic field.
export function run(n: i32): f64 {
  const m = n + 40;
  const ex = new StaticArray<f64>(n * m);
  const ey = new StaticArray<f64>(n * m);
  const hz = new StaticArray<f64>(n * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      unchecked((ex[i * m + j] = (i * 1.0) / (j + 1)));
      unchecked((ey[i * m + j] = (j * 1.0) / (i + 2)));
      unchecked((hz[i * m + j] = 1.0 / (i + j + 3)));
    }
  }

  for (let step = 0; step < 100; step++) {
    for (let j = 0; j < m; j++) unchecked((ey[j] = step));
    for (let at = m; at < n * m; at++) unchecked((ey[at] -= 0.5 * (hz[at] - hz[at - m])));
    for (let i = 0; i < n; i++) {
      const end = i * m + m;
      for (let at = i * m + 1; at < end; at++) unchecked((ex[at] -= 0.5 * (hz[at] - hz[at - 1])));
    }
    for (let i = 0; i < n - 1; i++) {
      const end = i * m + m - 1;
      for (let at = i * m; at < end; at++) unchecked((hz[at] -= 0.7 * (ex[at + 1] - ex[at] + ey[at + m] - ey[at])));
    }
  }

  let sum: f64 = 0;
  for (let at = 0; at < n * m; at++) sum += unchecked(hz[at]);
  return sum;
}
