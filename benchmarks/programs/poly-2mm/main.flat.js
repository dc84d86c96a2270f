// D = alpha A B C + beta D, the product of A and B first; the sum of D.
export function main(n = 320) {
  const inner = n + 10;
  const middle = n + 20;
  const width = n + 30;
  const alpha = 1.5;
  const beta = 1.2;
  const a = new Float64Array(n * inner);
  const b = new Float64Array(inner * middle);
  const c = new Float64Array(middle * width);
  const d = new Float64Array(n * width);
  const product = new Float64Array(n * middle);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < inner; j++) a[i * inner + j] = (i + 1) / (i + j + 2);
    for (let j = 0; j < width; j++) d[i * width + j] = (i - j) / 7;
  }
  for (let i = 0; i < inner; i++) {
    for (let j = 0; j < middle; j++) b[i * middle + j] = (i + j) / 5;
  }
  for (let i = 0; i < middle; i++) {
    for (let j = 0; j < width; j++) c[i * width + j] = 1 / (i + j + 1);
  }

  for (let i = 0; i < n; i++) {
    const row = i * inner;
    for (let j = 0; j < middle; j++) {
      let sum = 0;
      for (let k = 0, at = j; k < inner; k++, at += middle) sum += alpha * a[row + k] * b[at];
      product[i * middle + j] = sum;
    }
  }
  for (let i = 0; i < n; i++) {
    const row = i * middle;
    for (let j = 0; j < width; j++) {
      let sum = d[i * width + j] * beta;
      for (let k = 0, at = j; k < middle; k++, at += width) sum += product[row + k] * c[at];
      d[i * width + j] = sum;
    }
  }

  let sum = 0;
  for (let at = 0; at < n * width; at++) sum += d[at];
  return sum;
}
