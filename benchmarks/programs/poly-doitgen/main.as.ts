// Each row of a cube multiplied by a matrix, in place; the sum of the cube.
export function run(n: i32): f64 {
  const cube = new StaticArray<f64>(n * n * n);
  const matrix = new StaticArray<f64>(n * n);
  const row = new StaticArray<f64>(n);
  for (let r = 0; r < n; r++) {
    for (let q = 0; q < n; q++) {
      for (let p = 0; p < n; p++) unchecked((cube[(r * n + q) * n + p] = (r * q + p) / 9.0));
    }
  }
  for (let s = 0; s < n; s++) {
    for (let p = 0; p < n; p++) unchecked((matrix[s * n + p] = 1.0 / (s + p + 1)));
  }

  for (let own = 0; own < n * n * n; own += n) {
    for (let p = 0; p < n; p++) {
      let sum: f64 = 0;
      for (let s = 0, at = p; s < n; s++, at += n) sum += unchecked(cube[own + s] * matrix[at]);
      unchecked((row[p] = sum));
    }
    for (let p = 0; p < n; p++) unchecked((cube[own + p] = row[p]));
  }

  let sum: f64 = 0;
  for (let at = 0; at < n * n * n; at++) sum += unchecked(cube[at]);
  return sum;
}
