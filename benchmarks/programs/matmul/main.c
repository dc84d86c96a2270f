// The product of two n by n matrices, rows innermost, and the sum of its diagonal.
#include "bench.h"

double run(int n) {
  double *a = malloc((size_t)n * n * sizeof(double)), *b = malloc((size_t)n * n * sizeof(double));
  double *c = calloc((size_t)n * n, sizeof(double));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[i * n + j] = (i * 7 + j * 3) % 11;
      b[i * n + j] = (i * 5 + j * 2) % 13;
    }
  }
  for (int i = 0; i < n; i++) {
    double *restrict row = c + i * n;
    for (int k = 0; k < n; k++) {
      double x = a[i * n + k];
      const double *restrict other = b + k * n;
      for (int j = 0; j < n; j++) row[j] += x * other[j];
    }
  }
  double trace = 0;
  for (int i = 0; i < n; i++) trace += c[i * n + i];
  free(a);
  free(b);
  free(c);
  return trace;
}
