// A sparse matrix of n rows with 50 entries each, multiplied by a vector, and by the result again, 80 times; the sum
// of the last result.
function multiply(values, columns, starts, x, y) {
  for (let row = 0, at = 0; row < y.length; row++) {
    const end = starts[row + 1];
    let sum = 0;
    for (; at < end; at++) sum += values[at] * x[columns[at]];
    y[row] = sum;
  }
}

export function main(n = 20000) {
  const perRow = 50;
  const values = new Float64Array(n * perRow);
  const columns = new Int32Array(n * perRow);
  const starts = new Int32Array(n + 1);
  for (let row = 0; row < n; row++) {
    starts[row] = row * perRow;
    for (let k = 0; k < perRow; k++) {
      values[row * perRow + k] = 1 / perRow + (k % 2 === 0 ? 0.001 : -0.001);
      columns[row * perRow + k] = (row * 31 + k * 197) % n;
    }
  }
  starts[n] = n * perRow;
  let x = new Float64Array(n);
  let y = new Float64Array(n);
  for (let i = 0; i < n; i++) x[i] = i % 100;
  for (let round = 0; round < 80; round++) {
    multiply(values, columns, starts, x, y);
    const held = x;
    x = y;
    y = held;
  }
  let sum = 0;
  for (let i = 0; i < n; i++) sum += x[i];
  return sum;
}
