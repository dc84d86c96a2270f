// LU decomposition of an n by n matrix of pseudo-random doubles, with row pivots; the sum of the pivots' sizes.
#include "bench.h"

double run(int n) {
  double *store = malloc((size_t)n * n * sizeof(double));
  double **a = malloc(n * sizeof(double *));
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    a[i] = store + (size_t)i * n;
    for (int j = 0; j < n; j++) {
      seed = seed * 1664525 + 1013904223;
      a[i][j] = seed / 4294967296.0;
    }
  }
  double sum = 0;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    double most = fabs(a[k][k]);
    for (int i = k + 1; i < n; i++) {
      double size = fabs(a[i][k]);
      if (size > most) {
        most = size;
        pivot = i;
      }
    }
    double *restrict top = a[pivot];
    a[pivot] = a[k];
    a[k] = top;
    double scale = 1 / top[k];
    for (int i = k + 1; i < n; i++) {
      double *restrict row = a[i];
      double factor = row[k] *= scale;
      for (int j = k + 1; j < n; j++) row[j] -= factor * top[j];
    }
    sum += most;
  }
  free(store);
  free(a);
  return sum;
}
