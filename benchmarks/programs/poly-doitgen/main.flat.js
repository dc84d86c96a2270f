// Each row of a cube multiplied by a matrix, in place; the sum of the cube.
export function main(n = 100) {
  const cube = new Float64Array(n * n * n);
  const matrix = new Float64Array(n * n);
  const row = new Float64Array(n);
  for (let r = 0; r < n; r++) {
    for (let q = 0; q < n; q++) {
      for (let p = 0; p < n; p++) cube[(r * n + q) * n + p] = (r * q + p) / 9;
    }
  }
  for (let s = 0; s < n; s++) {
    for (let p = 0; p < n; p++) matrix[s * n + p] = 1 / (s + p + 1);
  }

  for (let own = 0; own < n * n * n; own += n) {
    for (let p = 0; p < n; p++) {
      let sum = 0;
      for (let s = 0, at = p; s < n; s++, at += n) sum += cube[own + s] * matrix[at];
      row[p] = sum;
    }
    for (let p = 0; p < n; p++) cube[own + p] = row[p];
  }

  let sum = 0;
  for (let at = 0; at < n * n * n; at++) sum += cube[at];
  return sum;
}
