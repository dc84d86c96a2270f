// Forward substitution in a lower triangle, 120 times, each on the result of the one before; the sum of the last.
function solve(l, x, n) {
  for (let i = 0; i < n; i++) {
    const row = l[i];
    let rest = x[i];
    for (let j = 0; j < i; j++) rest -= row[j] * x[j];
    x[i] = rest / row[i];
  }
}

export function main(n = 1000) {
  const l = Array.from({ length: n }, () => new Float64Array(n));
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    x[i] = i + 1;
    const row = l[i];
    for (let j = 0; j < i; j++) row[j] = 1 / (i + j + 1);
    row[i] = 1;
  }
  for (let round = 0; round < 120; round++) solve(l, x, n);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += x[i];
  return sum;
}
