// Cholesky decomposition of a symmetric n by n matrix in its lower triangle; the sum of the triangle.
#include "bench.h"

double run(int n) {
  double(*a)[n] = calloc(n, sizeof *a);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) a[i][j] = 1.0 / (1 + i - j);
    a[i][i] = 5;
  }

  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++) a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = sqrt(a[i][i]);
  }

  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) sum += a[i][j];
  }
  free(a);
  return sum;
}
