// Heat that spreads over an n by n plate whose upper edge is hot: each point becomes the mean of its neighbours.
export function run(n: i32): f64 {
  let from = new StaticArray<f64>(n * n);
  let to = new StaticArray<f64>(n * n);
  from.fill(100, 0, n);
  to.fill(100, 0, n);
  for (let step = 0; step < 100; step++) {
    for (let y = 1; y < n - 1; y++) {
      const end = y * n + n - 1;
      let left = unchecked(from[y * n]);
      let here = unchecked(from[y * n + 1]);
      for (let at = y * n + 1; at < end; at++) {
        const right = unchecked(from[at + 1]);
        unchecked((to[at] = 0.25 * (from[at - n] + from[at + n] + left + right)));
        left = here;
        here = right;
      }
    }
    const held = from;
    from = to;
    to = held;
  }
  let sum: f64 = 0;
  for (let y = 0; y < n; y++) sum += unchecked(from[y * n + (n >> 1)]);
  return sum;
}
