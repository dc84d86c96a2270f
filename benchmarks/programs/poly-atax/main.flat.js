// The power method with y = At (A x): each product of a row is used for all of y at once. The sum of the last x.
export function main(n = 1000) {
  const m = n + 100;
  const a = new Float64Array(m * n);
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) a[i * n + j] = 1 / (i + j + 1);
  }
  for (let j = 0; j < n; j++) x[j] = 1;

  for (let round = 0; round < 40; round++) {
    for (let j = 0; j < n; j++) y[j] = 0;
    for (let i = 0; i < m; i++) {
      const row = i * n;
      let product = 0;
      for (let j = 0; j < n; j++) product += a[row + j] * x[j];
      for (let j = 0; j < n; j++) y[j] += a[row + j] * product;
    }
    let largest = 0;
    for (let j = 0; j < n; j++) {
      if (y[j] > largest) largest = y[j];
    }
    for (let j = 0; j < n; j++) x[j] = y[j] / largest;
  }

  let sum = 0;
  for (let j = 0; j < n; j++) sum += x[j];
  return sum;
}
