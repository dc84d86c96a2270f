// Successive over-relaxation of n by n pseudo-random doubles, a hundred sweeps in place; the sum of the points.
#include "bench.h"

static void relax(int n, double g[n][n], double omega, int sweeps) {
  double quarter = omega * 0.25, rest = 1 - omega;
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int i = 1; i < n - 1; i++) {
      for (int j = 1; j < n - 1; j++) {
        g[i][j] = quarter * (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]) + rest * g[i][j];
      }
    }
  }
}

double run(int n) {
  double(*g)[n] = malloc(sizeof(double[n][n]));
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      seed = seed * 1664525 + 1013904223;
      g[i][j] = seed / 4294967296.0;
    }
  }
  relax(n, g, 1.25, 100);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) sum += g[i][j];
  }
  free(g);
  return sum;
}
