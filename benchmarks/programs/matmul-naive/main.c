// The product of two n by n matrices as the definition has it, columns innermost, and the sum of its diagonal.
#include "bench.h"

double run(int n) {
  double *a = malloc((size_t)n * n * sizeof(double)), *b = malloc((size_t)n * n * sizeof(double));
  double *restrict c = malloc((size_t)n * n * sizeof(double));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[i * n + j] = (i * 7 + j * 3) % 11;
      b[i * n + j] = (i * 5 + j * 2) % 13;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
  double trace = 0;
  for (int i = 0; i < n; i++) trace += c[i * n + i];
  free(a);
  free(b);
  free(c);
  return trace;
}
