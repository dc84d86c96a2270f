// The product of two n by n matrices as the definition has it, columns innermost, and the sum of its diagonal.
export function main(n = 400) {
  const a = new Float64Array(n * n);
  const b = new Float64Array(n * n);
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      a[i * n + j] = (i * 7 + j * 3) % 11;
      b[i * n + j] = (i * 5 + j * 2) % 13;
    }
  }
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0, at = j; k < n; k++, at += n) sum += a[row + k] * b[at];
      c[row + j] = sum;
    }
  }
  let trace = 0;
  for (let i = 0; i < n; i++) trace += c[i * n + i];
  return trace;
}
