// The spectral norm of an infinite matrix, cut to n by n, by the power method.
function element(i, j) {
  return 1 / ((((i + j) * (i + j + 1)) >> 1) + i + 1);
}

function multiply(v, result) {
  for (let i = 0; i < v.length; i++) {
    let sum = 0;
    for (let j = 0; j < v.length; j++) sum += element(i, j) * v[j];
    result[i] = sum;
  }
}

function multiplyTransposed(v, result) {
  for (let i = 0; i < v.length; i++) {
    let sum = 0;
    for (let j = 0; j < v.length; j++) sum += element(j, i) * v[j];
    result[i] = sum;
  }
}

export function main(n = 1600) {
  const u = new Float64Array(n).fill(1);
  const v = new Float64Array(n);
  const w = new Float64Array(n);
  for (let i = 0; i < 10; i++) {
    multiply(u, w);
    multiplyTransposed(w, v);
    multiply(v, w);
    multiplyTransposed(w, u);
  }
  let uv = 0;
  let vv = 0;
  for (let i = 0; i < n; i++) {
    uv += u[i] * v[i];
    vv += v[i] * v[i];
  }
  return Math.sqrt(uv / vv);
}
