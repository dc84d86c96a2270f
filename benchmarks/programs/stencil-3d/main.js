// Heat that spreads in a cube of n by n by n points from its hot lower side, in one array that rows are views of.
export function main(n = 100) {
  const plane = n * n;
  const rowsOf = (points) => Array.from({ length: plane }, (_, row) => points.subarray(row * n, (row + 1) * n));
  let from = rowsOf(new Float64Array(n * plane).fill(100, 0, plane));
  let to = rowsOf(new Float64Array(n * plane).fill(100, 0, plane));
  for (let step = 0; step < 60; step++) {
    for (let z = 1; z < n - 1; z++) {
      for (let y = 1; y < n - 1; y++) {
        const at = z * n + y;
        const row = from[at];
        const [before, behind, below, above] = [from[at - 1], from[at + 1], from[at - n], from[at + n]];
        const result = to[at];
        let left = row[0];
        let here = row[1];
        for (let x = 1; x < n - 1; x++) {
          const right = row[x + 1];
          const around = left + right + before[x] + behind[x] + below[x] + above[x];
          result[x] = 0.4 * here + 0.1 * around;
          left = here;
          here = right;
        }
      }
    }
    const held = from;
    from = to;
    to = held;
  }
  let sum = 0;
  for (let z = 0; z < n; z++) sum += from[z * n + (n >> 1)][n >> 1];
  return sum;
}
