// The correlation of each two of n variables, of which a table has n + 50 observations; the sum of the matrix.
export function run(n: i32): f64 {
  const rows = n + 50;
  const data = new StaticArray<f64>(rows * n);
  const mean = new StaticArray<f64>(n);
  const deviation = new StaticArray<f64>(n);
  const result = new StaticArray<f64>(n * n);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < n; j++) unchecked((data[i * n + j] = ((i * 7 + j * j) % 13) + i / 100.0));
  }

  for (let j = 0; j < n; j++) {
    let sum: f64 = 0;
    for (let i = 0, at = j; i < rows; i++, at += n) sum += unchecked(data[at]);
    unchecked((mean[j] = sum / rows));
  }
  for (let j = 0; j < n; j++) {
    const middle = unchecked(mean[j]);
    let sum: f64 = 0;
    for (let i = 0, at = j; i < rows; i++, at += n) sum += unchecked((data[at] - middle) * (data[at] - middle));
    const root = Math.sqrt(sum / rows);
    // A variable that hardly varies is not scaled.
    unchecked((deviation[j] = root < 0.1 ? 1 : root));
  }
  const root = Math.sqrt(rows);
  for (let i = 0; i < rows; i++) {
    const row = i * n;
    for (let j = 0; j < n; j++) unchecked((data[row + j] = (data[row + j] - mean[j]) / (root * deviation[j])));
  }

  for (let i = 0; i < n; i++) {
    unchecked((result[i * n + i] = 1));
    for (let j = i + 1; j < n; j++) {
      let sum: f64 = 0;
      for (let k = 0, row = 0; k < rows; k++, row += n) sum += unchecked(data[row + i] * data[row + j]);
      unchecked((result[i * n + j] = sum));
      unchecked((result[j * n + i] = sum));
    }
  }

  let sum: f64 = 0;
  for (let at = 0; at < n * n; at++) sum += unchecked(result[at]);
  return sum;
}
