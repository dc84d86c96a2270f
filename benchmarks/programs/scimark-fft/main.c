// The fast Fourier transform of n complex numbers, n a power of two, and back again, forty times; the sum of the
// last spectrum's amplitudes and of the numbers.
#include "bench.h"

static void transform(int n, double *restrict re, double *restrict im, double sign) {
  int mirrored = 0;
  for (int i = 0; i < n - 1; i++) {
    if (i < mirrored) {
      double held_re = re[i], held_im = im[i];
      re[i] = re[mirrored];
      im[i] = im[mirrored];
      re[mirrored] = held_re;
      im[mirrored] = held_im;
    }
    int bit = n >> 1;
    while ((mirrored & bit) != 0) {
      mirrored ^= bit;
      bit >>= 1;
    }
    mirrored |= bit;
  }

  // Half a turn at first, and half of the angle before in each further stage.
  double cosine = -1, sine = 0;
  for (int half = 1; half < n; half *= 2) {
    double w_re = 1, w_im = 0;
    for (int k = 0; k < half; k++) {
      for (int top = k; top < n; top += 2 * half) {
        int low = top + half;
        double turned_re = w_re * re[low] - w_im * im[low];
        double turned_im = w_re * im[low] + w_im * re[low];
        re[low] = re[top] - turned_re;
        im[low] = im[top] - turned_im;
        re[top] += turned_re;
        im[top] += turned_im;
      }
      double next = w_re * cosine - w_im * sine;
      w_im = w_re * sine + w_im * cosine;
      w_re = next;
    }
    cosine = half == 1 ? 0 : sqrt(0.5 + 0.5 * cosine);
    sine = half == 1 ? sign : sine / (2 * cosine);
  }
}

double run(int n) {
  double *re = malloc(n * sizeof(double)), *im = malloc(n * sizeof(double));
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525 + 1013904223;
    re[i] = seed / 4294967296.0;
    seed = seed * 1664525 + 1013904223;
    im[i] = seed / 4294967296.0;
  }
  double sum = 0;
  for (int round = 0; round < 40; round++) {
    transform(n, re, im, -1);
    sum = 0;
    for (int i = 0; i < n; i++) sum += sqrt(re[i] * re[i] + im[i] * im[i]);
    transform(n, re, im, 1);
    for (int i = 0; i < n; i++) {
      re[i] /= n;
      im[i] /= n;
    }
  }
  for (int i = 0; i < n; i++) sum += re[i] + im[i];
  free(re);
  free(im);
  return sum;
}
