// C = alpha (A Bt + B At) + beta C, of which the lower triangle is enough; the sum of the triangle.
#include "bench.h"

double run(int n) {
  int m = n + 10;
  double alpha = 1.5, beta = 1.2;
  double(*a)[m] = malloc(sizeof(double[n][m]));
  double(*b)[m] = malloc(sizeof(double[n][m]));
  double(*c)[n] = malloc(sizeof(double[n][n]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      a[i][j] = (i + 1.0) / (j + 2);
      b[i][j] = (i - j) / 6.0;
    }
    for (int j = 0; j <= i; j++) c[i][j] = (i + j) / 4.0;
  }

  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      c[i][j] *= beta;
      for (int k = 0; k < m; k++) c[i][j] += alpha * (a[i][k] * b[j][k] + b[i][k] * a[j][k]);
    }
  }

  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) sum += c[i][j];
  }
  free(a);
  free(b);
  free(c);
  return sum;
}
