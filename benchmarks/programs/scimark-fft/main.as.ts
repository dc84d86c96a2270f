// The fast Fourier transform of n complex numbers, n a power of two, and back again, forty times; the sum of the
// last spectrum's amplitudes and of the numbers.
function transform(re: StaticArray<f64>, im: StaticArray<f64>, sign: f64): void {
  const n = re.length;
  let mirrored = 0;
  for (let i = 0; i < n - 1; i++) {
    if (i < mirrored) {
      const heldRe = unchecked(re[i]);
      const heldIm = unchecked(im[i]);
      unchecked((re[i] = re[mirrored]));
      unchecked((im[i] = im[mirrored]));
      unchecked((re[mirrored] = heldRe));
      unchecked((im[mirrored] = heldIm));
    }
    let bit = n >> 1;
    while ((mirrored & bit) !== 0) {
      mirrored ^= bit;
      bit >>= 1;
    }
    mirrored |= bit;
  }

  // Half a turn at first, and half of the angle before in each further stage.
  let cosine: f64 = -1;
  let sine: f64 = 0;
  for (let half = 1; half < n; half *= 2) {
    let wRe: f64 = 1;
    let wIm: f64 = 0;
    for (let k = 0; k < half; k++) {
      for (let top = k; top < n; top += 2 * half) {
        const low = top + half;
        const lowRe = unchecked(re[low]);
        const lowIm = unchecked(im[low]);
        const topRe = unchecked(re[top]);
        const topIm = unchecked(im[top]);
        const turnedRe = wRe * lowRe - wIm * lowIm;
        const turnedIm = wRe * lowIm + wIm * lowRe;
        unchecked((re[low] = topRe - turnedRe));
        unchecked((im[low] = topIm - turnedIm));
        unchecked((re[top] = topRe + turnedRe));
        unchecked((im[top] = topIm + turnedIm));
      }
      const next = wRe * cosine - wIm * sine;
      wIm = wRe * sine + wIm * cosine;
      wRe = next;
    }
    cosine = half === 1 ? 0 : Math.sqrt(0.5 + 0.5 * cosine);
    sine = half === 1 ? sign : sine / (2 * cosine);
  }
}

export function run(n: i32): f64 {
  const re = new StaticArray<f64>(n);
  const im = new StaticArray<f64>(n);
  let seed: u32 = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 1664525 + 1013904223;
    unchecked((re[i] = <f64>seed / 4294967296));
    seed = seed * 1664525 + 1013904223;
    unchecked((im[i] = <f64>seed / 4294967296));
  }
  let sum: f64 = 0;
  for (let round = 0; round < 40; round++) {
    transform(re, im, -1);
    sum = 0;
    for (let i = 0; i < n; i++) sum += unchecked(Math.sqrt(re[i] * re[i] + im[i] * im[i]));
    transform(re, im, 1);
    for (let i = 0; i < n; i++) {
      unchecked((re[i] /= n));
      unchecked((im[i] /= n));
    }
  }
  for (let i = 0; i < n; i++) sum += unchecked(re[i] + im[i]);
  return sum;
}
