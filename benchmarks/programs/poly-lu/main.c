// LU decomposition of an n by n matrix without pivots, row by row; the sum of both triangles.
#include "bench.h"

double run(int n) {
  double(*a)[n] = malloc(sizeof(double[n][n]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) a[i][j] = 1.0 / (i + j + 1);
    a[i][i] += 2;
  }

  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < n; j++) {
      for (int k = 0; k < i; k++) a[i][j] -= a[i][k] * a[k][j];
    }
  }

  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) sum += a[i][j];
  }
  free(a);
  return sum;
}
