// The power method with y = At (A x): each product of a row is used for all of y at once. The sum of the last x.
export function main(n = 1000) {
  const m = n + 100;
  const a = Array.from({ length: m }, () => new Float64Array(n));
  const x = new Float64Array(n).fill(1);
  const y = new Float64Array(n);
  for (let i = 0; i < m; i++) {
    const row = a[i];
    for (let j = 0; j < n; j++) row[j] = 1 / (i + j + 1);
  }

  for (let round = 0; round < 40; round++) {
    y.fill(0);
    for (let i = 0; i < m; i++) {
      const row = a[i];
      let product = 0;
      for (let j = 0; j < n; j++) product += row[j] * x[j];
      for (let j = 0; j < n; j++) y[j] += row[j] * product;
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
