// Heat that spreads along a rod of n points, from one array to another and back; the sum of the points.
function spread(from, to, n) {
  let left = from[0];
  let here = from[1];
  for (let i = 1; i < n - 1; i++) {
    const right = from[i + 1];
    to[i] = 0.33333 * (left + here + right);
    left = here;
    here = right;
  }
}

export function main(n = 4000) {
  const a = new Float64Array(n);
  const b = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    a[i] = (i + 2) / n;
    b[i] = (i + 3) / n;
  }

  for (let step = 0; step < 24000; step++) {
    spread(a, b, n);
    spread(b, a, n);
  }

  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i];
  return sum;
}
