// A matrix and its transpose multiplied by a vector each, thirty times; the sum of both results.
#include "bench.h"

double run(int n) {
  double(*a)[n] = malloc(sizeof(double[n][n]));
  double *x1 = malloc(n * sizeof(double)), *x2 = malloc(n * sizeof(double));
  double *y1 = malloc(n * sizeof(double)), *y2 = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    x1[i] = i / 3.0;
    x2[i] = (i + 1) / 7.0;
    y1[i] = 1.0 / (i + 3);
    y2[i] = 1.0 / (i + 4);
    for (int j = 0; j < n; j++) a[i][j] = (i - j) / 16.0;
  }

  for (int round = 0; round < 30; round++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) x1[i] = x1[i] + a[i][j] * y1[j];
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) x2[i] = x2[i] + a[j][i] * y2[j];
    }
  }

  double sum = 0;
  for (int i = 0; i < n; i++) sum += x1[i] + x2[i];
  free(a);
  free(x1);
  free(x2);
  free(y1);
  free(y2);
  return sum;
}
