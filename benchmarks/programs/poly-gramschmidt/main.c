// QR decomposition of n + 50 by n pseudo-random doubles, column by column; the sum of R.
#include "bench.h"

static void decompose(int rows, int columns, double a[restrict rows][columns], double q[restrict rows][columns],
                      double r[restrict columns][columns]) {
  for (int k = 0; k < columns; k++) {
    double norm = 0;
    for (int i = 0; i < rows; i++) norm += a[i][k] * a[i][k];
    r[k][k] = sqrt(norm);
    for (int i = 0; i < rows; i++) q[i][k] = a[i][k] / r[k][k];
    for (int j = k + 1; j < columns; j++) {
      r[k][j] = 0;
      for (int i = 0; i < rows; i++) r[k][j] += q[i][k] * a[i][j];
      for (int i = 0; i < rows; i++) a[i][j] -= q[i][k] * r[k][j];
    }
  }
}

double run(int n) {
  int rows = n + 50;
  double(*a)[n] = malloc(sizeof(double[rows][n]));
  double(*q)[n] = malloc(sizeof(double[rows][n]));
  double(*r)[n] = malloc(sizeof(double[n][n]));
  uint32_t seed = 42;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < n; j++) {
      seed = seed * 1664525 + 1013904223;
      a[i][j] = seed / 4294967296.0;
    }
  }
  decompose(rows, n, a, q, r);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) sum += r[i][j];
  }
  free(a);
  free(q);
  free(r);
  return sum;
}
