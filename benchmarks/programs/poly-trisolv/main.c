// Forward substitution in a lower triangle, 120 times, each on the result of the one before; the sum of the last.
#include "bench.h"

static void solve(int n, double l[restrict n][n], double *restrict x, const double *restrict b) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++) x[i] -= l[i][j] * x[j];
    x[i] /= l[i][i];
  }
}

double run(int n) {
  double(*l)[n] = malloc(sizeof(double[n][n]));
  double *x = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    b[i] = i + 1;
    for (int j = 0; j < i; j++) l[i][j] = 1.0 / (i + j + 1);
    l[i][i] = 1;
  }
  for (int round = 0; round < 120; round++) {
    solve(n, l, x, b);
    for (int i = 0; i < n; i++) b[i] = x[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  free(l);
  free(x);
  free(b);
  return sum;
}
