// How many points of an n by n grid stay bounded for 50 iterations.
// @ts-ignore: decorator
@inline
function isBounded(cr: f64, ci: f64): bool {
  let zr: f64 = 0;
  let zi: f64 = 0;
  for (let i = 0; i < 50; i++) {
    const r2 = zr * zr;
    const i2 = zi * zi;
    if (r2 + i2 > 4) return false;
    zi = 2 * zr * zi + ci;
    zr = r2 - i2 + cr;
  }
  return true;
}

export function run(n: i32): f64 {
  let inside = 0;
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      if (isBounded((3.0 * x) / n - 2, (2.0 * y) / n - 1)) inside++;
    }
  }
  return inside;
}
