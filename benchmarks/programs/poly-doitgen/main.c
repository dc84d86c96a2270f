// Each row of a cube multiplied by a matrix, in place; the sum of the cube.
#include "bench.h"

double run(int n) {
  double(*cube)[n][n] = malloc(sizeof(double[n][n][n]));
  double(*matrix)[n] = malloc(sizeof(double[n][n]));
  double *row = malloc(n * sizeof(double));
  for (int r = 0; r < n; r++) {
    for (int q = 0; q < n; q++) {
      for (int p = 0; p < n; p++) cube[r][q][p] = (r * q + p) / 9.0;
    }
  }
  for (int s = 0; s < n; s++) {
    for (int p = 0; p < n; p++) matrix[s][p] = 1.0 / (s + p + 1);
  }

  for (int r = 0; r < n; r++) {
    for (int q = 0; q < n; q++) {
      for (int p = 0; p < n; p++) {
        row[p] = 0;
        for (int s = 0; s < n; s++) row[p] += cube[r][q][s] * matrix[s][p];
      }
      for (int p = 0; p < n; p++) cube[r][q][p] = row[p];
    }
  }

  double sum = 0;
  for (int r = 0; r < n; r++) {
    for (int q = 0; q < n; q++) {
      for (int p = 0; p < n; p++) sum += cube[r][q][p];
    }
  }
  free(cube);
  free(matrix);
  free(row);
  return sum;
}
