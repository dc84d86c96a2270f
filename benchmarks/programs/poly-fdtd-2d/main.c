// An electromagnetic wave in a plane, by finite differences in time; the sum of the magnetic field.
#include "bench.h"

double run(int n) {
  int m = n + 40;
  double(*ex)[m] = malloc(sizeof(double[n][m]));
  double(*ey)[m] = malloc(sizeof(double[n][m]));
  double(*hz)[m] = malloc(sizeof(double[n][m]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      ex[i][j] = i * 1.0 / (j + 1);
      ey[i][j] = j * 1.0 / (i + 2);
      hz[i][j] = 1.0 / (i + j + 3);
    }
  }

  for (int step = 0; step < 100; step++) {
    for (int j = 0; j < m; j++) ey[0][j] = step;
    for (int i = 1; i < n; i++) {
      for (int j = 0; j < m; j++) ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 1; j < m; j++) ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
    }
    for (int i = 0; i < n - 1; i++) {
      for (int j = 0; j < m - 1; j++) {
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
      }
    }
  }

  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) sum += hz[i][j];
  }
  free(ex);
  free(ey);
  free(hz);
  return sum;
}
