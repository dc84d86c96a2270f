// Heat that spreads in a cube of n by n by n points from its hot lower side, in one array whose indices are computed.
export function run(n: i32): f64 {
  const plane = n * n;
  let from = new StaticArray<f64>(n * plane);
  let to = new StaticArray<f64>(n * plane);
  from.fill(100, 0, plane);
  to.fill(100, 0, plane);
  for (let step = 0; step < 60; step++) {
    for (let z = 1; z < n - 1; z++) {
      for (let y = 1; y < n - 1; y++) {
        const end = (z * n + y + 1) * n - 1;
        const begin = (z * n + y) * n + 1;
        let left = unchecked(from[begin - 1]);
        let here = unchecked(from[begin]);
        for (let at = begin; at < end; at++) {
          const right = unchecked(from[at + 1]);
          const around = unchecked(left + right + from[at - n] + from[at + n] + from[at - plane] + from[at + plane]);
          unchecked((to[at] = 0.4 * here + 0.1 * around));
          left = here;
          here = right;
        }
      }
    }
    const held = from;
    from = to;
    to = held;
  }
  let sum: f64 = 0;
  for (let z = 0; z < n; z++) sum += unchecked(from[(z * n + (n >> 1)) * n + (n >> 1)]);
  return sum;
}
