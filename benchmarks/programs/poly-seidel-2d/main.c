// Each point of a plane becomes the mean of itself and its eight neighbours, in place; the sum of the points.
#include "bench.h"

double run(int n) {
  double(*a)[n] = malloc(sizeof(double[n][n]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) a[i][j] = (i * (j + 2.0) + 2.0) / n;
  }

  for (int step = 0; step < 60; step++) {
    for (int i = 1; i < n - 1; i++) {
      for (int j = 1; j < n - 1; j++) {
        a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1]
                + a[i][j - 1] + a[i][j] + a[i][j + 1]
                + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9.0;
      }
    }
  }

  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) sum += a[i][j];
  }
  free(a);
  return sum;
}
