// A sparse matrix of n rows with 50 entries each, multiplied by a vector, and by the result again, 80 times; the sum
// of the last result.
function multiply(
  values: StaticArray<f64>,
  columns: StaticArray<i32>,
  starts: StaticArray<i32>,
  x: StaticArray<f64>,
  y: StaticArray<f64>,
): void {
  const n = y.length;
  for (let row = 0, at = 0; row < n; row++) {
    const end = unchecked(starts[row + 1]);
    let sum: f64 = 0;
    for (; at < end; at++) sum += unchecked(values[at] * x[columns[at]]);
    unchecked((y[row] = sum));
  }
}

export function run(n: i32): f64 {
  const perRow = 50;
  const values = new StaticArray<f64>(n * perRow);
  const columns = new StaticArray<i32>(n * perRow);
  const starts = new StaticArray<i32>(n + 1);
  for (let row = 0; row < n; row++) {
    unchecked((starts[row] = row * perRow));
    for (let k = 0; k < perRow; k++) {
      unchecked((values[row * perRow + k] = 1.0 / perRow + (k % 2 === 0 ? 0.001 : -0.001)));
      unchecked((columns[row * perRow + k] = (row * 31 + k * 197) % n));
    }
  }
  unchecked((starts[n] = n * perRow));
  let x = new StaticArray<f64>(n);
  let y = new StaticArray<f64>(n);
  for (let i = 0; i < n; i++) unchecked((x[i] = i % 100));
  for (let round = 0; round < 80; round++) {
    multiply(values, columns, starts, x, y);
    const held = x;
    x = y;
    y = held;
  }
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) sum += unchecked(x[i]);
  return sum;
}
