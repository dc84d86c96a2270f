// The spectral norm of an infinite matrix, cut to n by n, by the power method.
#include "bench.h"

static inline double element(int i, int j) {
  return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

static void multiply(int n, const double *restrict v, double *restrict result) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += element(i, j) * v[j];
    result[i] = sum;
  }
}

static void multiply_transposed(int n, const double *restrict v, double *restrict result) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += element(j, i) * v[j];
    result[i] = sum;
  }
}

double run(int n) {
  double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double)), *w = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) u[i] = 1;
  for (int i = 0; i < 10; i++) {
    multiply(n, u, w);
    multiply_transposed(n, w, v);
    multiply(n, v, w);
    multiply_transposed(n, w, u);
  }
  double uv = 0, vv = 0;
  for (int i = 0; i < n; i++) {
    uv += u[i] * v[i];
    vv += v[i] * v[i];
  }
  free(u);
  free(v);
  free(w);
  return sqrt(uv / vv);
}
