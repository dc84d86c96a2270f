// A sparse matrix of n rows with 50 entries each, multiplied by a vector, and by the result again, 80 times; the sum
// of the last result.
#include "bench.h"

static void multiply(int n, const double *restrict values, const int32_t *restrict columns,
                     const int32_t *restrict starts, const double *restrict x, double *restrict y) {
  for (int row = 0; row < n; row++) {
    double sum = 0;
    for (int at = starts[row]; at < starts[row + 1]; at++) sum += values[at] * x[columns[at]];
    y[row] = sum;
  }
}

double run(int n) {
  int per_row = 50;
  double *values = malloc((size_t)n * per_row * sizeof(double));
  int32_t *columns = malloc((size_t)n * per_row * sizeof(int32_t));
  int32_t *starts = malloc((n + 1) * sizeof(int32_t));
  for (int row = 0; row < n; row++) {
    starts[row] = row * per_row;
    for (int k = 0; k < per_row; k++) {
      values[row * per_row + k] = 1.0 / per_row + (k % 2 == 0 ? 0.001 : -0.001);
      columns[row * per_row + k] = (row * 31 + k * 197) % n;
    }
  }
  starts[n] = n * per_row;
  double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) x[i] = i % 100;
  for (int round = 0; round < 80; round++) {
    multiply(n, values, columns, starts, x, y);
    double *held = x;
    x = y;
    y = held;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  free(values);
  free(columns);
  free(starts);
  free(x);
  free(y);
  return sum;
}
