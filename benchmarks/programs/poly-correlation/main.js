// The correlation of each two of n variables, of which a table has n + 50 observations; the sum of the matrix.
function correlate(data, rows, columns) {
  const mean = new Float64Array(columns);
  const deviation = new Float64Array(columns);
  for (let j = 0; j < columns; j++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += data[i][j];
    mean[j] = sum / rows;
  }
  for (let j = 0; j < columns; j++) {
    const middle = mean[j];
    let sum = 0;
    for (let i = 0; i < rows; i++) {
      const away = data[i][j] - middle;
      sum += away * away;
    }
    const root = Math.sqrt(sum / rows);
    // A variable that hardly varies is not scaled.
    deviation[j] = root < 0.1 ? 1 : root;
  }
  const root = Math.sqrt(rows);
  for (let i = 0; i < rows; i++) {
    const row = data[i];
    for (let j = 0; j < columns; j++) row[j] = (row[j] - mean[j]) / (root * deviation[j]);
  }

  const result = Array.from({ length: columns }, () => new Float64Array(columns));
  for (let i = 0; i < columns; i++) {
    const own = result[i];
    own[i] = 1;
    for (let j = i + 1; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < rows; k++) {
        const row = data[k];
        sum += row[i] * row[j];
      }
      own[j] = sum;
      result[j][i] = sum;
    }
  }
  return result;
}

export function main(n = 420) {
  const rows = n + 50;
  const data = Array.from({ length: rows }, () => new Float64Array(n));
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < n; j++) data[i][j] = ((i * 7 + j * j) % 13) + i / 100;
  }
  const result = correlate(data, rows, n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) sum += result[i][j];
  }
  return sum;
}
