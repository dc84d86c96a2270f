// The fast Fourier transform of n complex numbers, n a power of two, and back again, forty times; the sum of the
// last spectrum's amplitudes and of the numbers.
function transform(re, im, sign) {
  const n = re.length;
  let mirrored = 0;
  for (let i = 0; i < n - 1; i++) {
    if (i < mirrored) {
      const heldRe = re[i];
      const heldIm = im[i];
      re[i] = re[mirrored];
      im[i] = im[mirrored];
      re[mirrored] = heldRe;
      im[mirrored] = heldIm;
    }
    let bit = n >> 1;
    while ((mirrored & bit) !== 0) {
      mirrored ^= bit;
      bit >>= 1;
    }
    mirrored |= bit;
  }

  // Half a turn at first, and half of the angle before in each further stage.
  let cosine = -1;
  let sine = 0;
  for (let half = 1; half < n; half *= 2) {
    let wRe = 1;
    let wIm = 0;
    for (let k = 0; k < half; k++) {
      for (let top = k; top < n; top += 2 * half) {
        const low = top + half;
        const lowRe = re[low];
        const lowIm = im[low];
        const topRe = re[top];
        const topIm = im[top];
        const turnedRe = wRe * lowRe - wIm * lowIm;
        const turnedIm = wRe * lowIm + wIm * lowRe;
        re[low] = topRe - turnedRe;
        im[low] = topIm - turnedIm;
        re[top] = topRe + turnedRe;
        im[top] = topIm + turnedIm;
      }
      const next = wRe * cosine - wIm * sine;
      wIm = wRe * sine + wIm * cosine;
      wRe = next;
    }
    cosine = half === 1 ? 0 : Math.sqrt(0.5 + 0.5 * cosine);
    sine = half === 1 ? sign : sine / (2 * cosine);
  }
}

export function main(n = 16384) {
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    re[i] = (seed >>> 0) / 4294967296;
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    im[i] = (seed >>> 0) / 4294967296;
  }
  let sum = 0;
  for (let round = 0; round < 40; round++) {
    transform(re, im, -1);
    sum = 0;
    for (let i = 0; i < n; i++) sum += Math.sqrt(re[i] * re[i] + im[i] * im[i]);
    transform(re, im, 1);
    for (let i = 0; i < n; i++) {
      re[i] /= n;
      im[i] /= n;
    }
  }
  for (let i = 0; i < n; i++) sum += re[i] + im[i];
  return sum;
}
