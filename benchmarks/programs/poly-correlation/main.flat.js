// The correlation of each two of n variables, of which a table has n + 50 observations; the sum of the matrix.
export function main(n = 420) {
  const rows = n + 50;
  const data = new Float64Array(rows * n);
  const mean = new Float64Array(n);
  const deviation = new Float64Array(n);
  const result = new Float64Array(n * n);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < n; j++) data[i * n + j] = ((i * 7 + j * j) % 13) + i / 100;
  }

  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = 0, at = j; i < rows; i++, at += n) sum += data[at];
    mean[j] = sum / rows;
  }
  for (let j = 0; j < n; j++) {
    const middle = mean[j];
    let sum = 0;
    for (let i = 0, at = j; i < rows; i++, at += n) sum += (data[at] - middle) * (data[at] - middle);
    const root = Math.sqrt(sum / rows);
    // A variable that hardly varies is not scaled.
    deviation[j] = root < 0.1 ? 1 : root;
  }
  const root = Math.sqrt(rows);
  for (let i = 0; i < rows; i++) {
    const row = i * n;
    for (let j = 0; j < n; j++) data[row + j] = (data[row + j] - mean[j]) / (root * deviation[j]);
  }

  for (let i = 0; i < n; i++) {
    result[i * n + i] = 1;
    for (let j = i + 1; j < n; j++) {
      let sum = 0;
      for (let k = 0, row = 0; k < rows; k++, row += n) sum += data[row + i] * data[row + j];
      result[i * n + j] = sum;
      result[j * n + i] = sum;
    }
  }

  let sum = 0;
  for (let at = 0; at < n * n; at++) sum += result[at];
  return sum;
}
