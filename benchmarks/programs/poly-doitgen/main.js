// Each row of a cube multiplied by a matrix, in place; the sum of the cube.
export function main(n = 100) {
  const cube = Array.from({ length: n }, () => Array.from({ length: n }, () => new Float64Array(n)));
  const matrix = Array.from({ length: n }, () => new Float64Array(n));
  const row = new Float64Array(n);
  for (let r = 0; r < n; r++) {
    for (let q = 0; q < n; q++) {
      for (let p = 0; p < n; p++) cube[r][q][p] = (r * q + p) / 9;
    }
  }
  for (let s = 0; s < n; s++) {
    for (let p = 0; p < n; p++) matrix[s][p] = 1 / (s + p + 1);
  }

  for (let r = 0; r < n; r++) {
    for (let q = 0; q < n; q++) {
      const own = cube[r][q];
      for (let p = 0; p < n; p++) {
        let sum = 0;
        for (let s = 0; s < n; s++) sum += own[s] * matrix[s][p];
        row[p] = sum;
      }
      own.set(row);
    }
  }

  let sum = 0;
  for (let r = 0; r < n; r++) {
    for (let q = 0; q < n; q++) {
      const own = cube[r][q];
      for (let p = 0; p < n; p++) sum += own[p];
    }
  }
  return sum;
}
