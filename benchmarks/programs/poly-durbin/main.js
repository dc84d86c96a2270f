// The Yule-Walker equations of n unknowns, solved by Durbin's recursion; the sum of the solution.
export function main(n = 12000) {
  const r = new Float64Array(n);
  let y = new Float64Array(n);
  let z = new Float64Array(n);
  for (let i = 0; i < n; i++) r[i] = 1 / (i + 2);

  y[0] = -r[0];
  let beta = 1;
  let alpha = -r[0];
  for (let k = 1; k < n; k++) {
    beta *= 1 - alpha * alpha;
    let sum = 0;
    for (let i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (let i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    z[k] = alpha;
    const held = y;
    y = z;
    z = held;
  }

  let sum = 0;
  for (let i = 0; i < n; i++) sum += y[i];
  return sum;
}
