// Cholesky decomposition of a symmetric n by n matrix, row by row; the sum of the diagonal.
#include "bench.h"

double run(int n) {
  double *a = calloc((size_t)n * n, sizeof(double));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) a[i * n + j] = 1.0 / (1 + i - j) + (i == j ? 4 : 0);
  }
  for (int i = 0; i < n; i++) {
    double *row = a + i * n;
    for (int j = 0; j < i; j++) {
      const double *other = a + j * n;
      double sum = row[j];
      for (int k = 0; k < j; k++) sum -= row[k] * other[k];
      row[j] = sum / other[j];
    }
    double rest = row[i];
    for (int k = 0; k < i; k++) rest -= row[k] * row[k];
    row[i] = sqrt(rest);
  }
  double trace = 0;
  for (int i = 0; i < n; i++) trace += a[i * n + i];
  free(a);
  return trace;
}
