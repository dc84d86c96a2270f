// LU decomposition of n by n pseudo-random doubles with partial pivoting; the sum of both triangles, and of the
// places of the pivots.
#include "bench.h"

static void factor(int n, double **a, int *pivots) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
    }
    pivots[k] = pivot;
    if (pivot != k) {
      double *held = a[k];
      a[k] = a[pivot];
      a[pivot] = held;
    }
    for (int i = k + 1; i < n; i++) a[i][k] /= a[k][k];
    for (int i = k + 1; i < n; i++) {
      for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
    }
  }
}

double run(int n) {
  double *store = malloc((size_t)n * n * sizeof(double));
  double **a = malloc(n * sizeof(double *));
  int *pivots = malloc(n * sizeof(int));
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    a[i] = store + (size_t)i * n;
    for (int j = 0; j < n; j++) {
      seed = seed * 1664525 + 1013904223;
      a[i][j] = seed / 4294967296.0;
    }
  }
  factor(n, a, pivots);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += pivots[i];
    for (int j = 0; j < n; j++) sum += a[i][j];
  }
  free(store);
  free(a);
  free(pivots);
  return sum;
}
