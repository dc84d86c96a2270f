// Heat that spreads over an n by n plate whose upper edge is hot: each point becomes the mean of its neighbours.
export function main(n = 1000) {
  let from = Array.from({ length: n }, () => new Float64Array(n));
  let to = Array.from({ length: n }, () => new Float64Array(n));
  from[0].fill(100);
  to[0].fill(100);
  for (let step = 0; step < 100; step++) {
    for (let y = 1; y < n - 1; y++) {
      const above = from[y - 1];
      const row = from[y];
      const below = from[y + 1];
      const result = to[y];
      let left = row[0];
      let here = row[1];
      for (let x = 1; x < n - 1; x++) {
        const right = row[x + 1];
        result[x] = 0.25 * (above[x] + below[x] + left + right);
        left = here;
        here = right;
      }
    }
    [from, to] = [to, from];
  }
  let sum = 0;
  for (let y = 0; y < n; y++) sum += from[y][n >> 1];
  return sum;
}
