// The spectral norm of an infinite matrix, cut to n by n, by the power method.
// @ts-ignore: decorator
@inline
function element(i: i32, j: i32): f64 {
  return 1.0 / <f64>((((i + j) * (i + j + 1)) >> 1) + i + 1);
}

function multiply(v: StaticArray<f64>, result: StaticArray<f64>): void {
  const n = v.length;
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let j = 0; j < n; j++) sum += element(i, j) * unchecked(v[j]);
    unchecked((result[i] = sum));
  }
}

function multiplyTransposed(v: StaticArray<f64>, result: StaticArray<f64>): void {
  const n = v.length;
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let j = 0; j < n; j++) sum += element(j, i) * unchecked(v[j]);
    unchecked((result[i] = sum));
  }
}

export function run(n: i32): f64 {
  const u = new StaticArray<f64>(n);
  const v = new StaticArray<f64>(n);
  const w = new StaticArray<f64>(n);
  u.fill(1);
  for (let i = 0; i < 10; i++) {
    multiply(u, w);
    multiplyTransposed(w, v);
    multiply(v, w);
    multiplyTransposed(w, u);
  }
  let uv: f64 = 0;
  let vv: f64 = 0;
  for (let i = 0; i < n; i++) {
    uv += unchecked(u[i]) * unchecked(v[i]);
    vv += unchecked(v[i]) * unchecked(v[i]);
  }
  return Math.sqrt(uv / vv);
}
