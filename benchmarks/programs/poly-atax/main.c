// The power method with y = At (A x): each product of a row is used for all of y at once. The sum of the last x.
#include "bench.h"

double run(int n) {
  int m = n + 100;
  double(*a)[n] = malloc(sizeof(double[m][n]));
  double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double)), *products = malloc(m * sizeof(double));
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) a[i][j] = 1.0 / (i + j + 1);
  }
  for (int j = 0; j < n; j++) x[j] = 1;

  for (int round = 0; round < 40; round++) {
    for (int j = 0; j < n; j++) y[j] = 0;
    for (int i = 0; i < m; i++) {
      products[i] = 0;
      for (int j = 0; j < n; j++) products[i] += a[i][j] * x[j];
      for (int j = 0; j < n; j++) y[j] += a[i][j] * products[i];
    }
    double largest = 0;
    for (int j = 0; j < n; j++) {
      if (y[j] > largest) largest = y[j];
    }
    for (int j = 0; j < n; j++) x[j] = y[j] / largest;
  }

  double sum = 0;
  for (int j = 0; j < n; j++) sum += x[j];
  free(a);
  free(x);
  free(y);
  free(products);
  return sum;
}
