// D = alpha A B C + beta D, the product of A and B first; the sum of D.
export function run(n: i32): f64 {
  const inner = n + 10;
  const middle = n + 20;
  const width = n + 30;
  const alpha = 1.5;
  const beta = 1.2;
  const a = new StaticArray<f64>(n * inner);
  const b = new StaticArray<f64>(inner * middle);
  const c = new StaticArray<f64>(middle * width);
  const d = new StaticArray<f64>(n * width);
  const product = new StaticArray<f64>(n * middle);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < inner; j++) unchecked((a[i * inner + j] = (i + 1.0) / (i + j + 2)));
    for (let j = 0; j < width; j++) unchecked((d[i * width + j] = (i - j) / 7.0));
  }
  for (let i = 0; i < inner; i++) {
    for (let j = 0; j < middle; j++) unchecked((b[i * middle + j] = (i + j) / 5.0));
  }
  for (let i = 0; i < middle; i++) {
    for (let j = 0; j < width; j++) unchecked((c[i * width + j] = 1.0 / (i + j + 1)));
  }

  for (let i = 0; i < n; i++) {
    const row = i * inner;
    for (let j = 0; j < middle; j++) {
      let sum: f64 = 0;
      for (let k = 0, at = j; k < inner; k++, at += middle) sum += alpha * a[row + k] * b[at];
      unchecked((product[i * middle + j] = sum));
    }
  }
  for (let i = 0; i < n; i++) {
    const row = i * middle;
    for (let j = 0; j < width; j++) {
      let sum = unchecked(d[i * width + j] * beta);
      for (let k = 0, at = j; k < middle; k++, at += width) sum += product[row + k] * c[at];
      unchecked((d[i * width + j] = sum));
    }
  }

  let sum: f64 = 0;
  for (let at = 0; at < n * width; at++) sum += unchecked(d[at]);
  return sum;
}
