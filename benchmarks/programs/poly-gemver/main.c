// Two outer products added to a matrix, and two products of it with vectors, ten times; the sum of the last vector.
#include "bench.h"

static double *vector(int n) { return calloc(n, sizeof(double)); }

double run(int n) {
  double alpha = 0.75, beta = 0.5;
  double(*a)[n] = malloc(sizeof(double[n][n]));
  double *u1 = vector(n), *v1 = vector(n), *u2 = vector(n), *v2 = vector(n);
  double *w = vector(n), *x = vector(n), *y = vector(n), *z = vector(n);
  for (int i = 0; i < n; i++) {
    u1[i] = i * 1.0 / n;
    v1[i] = 1.0 / (i + 1);
    u2[i] = 1 - u1[i];
    v2[i] = 1.0 / (i + 3);
    y[i] = (n - i) * 0.5 / n;
    z[i] = (i + 1) / 8.0;
    for (int j = 0; j < n; j++) a[i][j] = 1.0 / (i + j + 1);
  }

  for (int round = 0; round < 10; round++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) x[i] += beta * a[j][i] * y[j];
    }
    for (int i = 0; i < n; i++) x[i] += z[i];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) w[i] += alpha * a[i][j] * x[j];
    }
  }

  double sum = 0;
  for (int i = 0; i < n; i++) sum += w[i];
  free(a);
  free(u1);
  free(v1);
  free(u2);
  free(v2);
  free(w);
  free(x);
  free(y);
  free(z);
  return sum;
}
