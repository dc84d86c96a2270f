// A matrix and its transpose multiplied by a vector each, thirty times; the sum of both results.
export function main(n = 1000) {
  const a = Array.from({ length: n }, () => new Float64Array(n));
  const x1 = new Float64Array(n);
  const x2 = new Float64Array(n);
  const y1 = new Float64Array(n);
  const y2 = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    x1[i] = i / 3;
    x2[i] = (i + 1) / 7;
    y1[i] = 1 / (i + 3);
    y2[i] = 1 / (i + 4);
    const row = a[i];
    for (let j = 0; j < n; j++) row[j] = (i - j) / 16;
  }

  for (let round = 0; round < 30; round++) {
    for (let i = 0; i < n; i++) {
      const row = a[i];
      let sum = x1[i];
      for (let j = 0; j < n; j++) sum += row[j] * y1[j];
      x1[i] = sum;
    }
    for (let i = 0; i < n; i++) {
      let sum = x2[i];
      for (let j = 0; j < n; j++) sum += a[j][i] * y2[j];
      x2[i] = sum;
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) sum += x1[i] + x2[i];
  return sum;
}
