// The correlation of each two of n variables, of which a table has n + 50 observations; the sum of the matrix.
#include "bench.h"

static void correlate(int rows, int columns, double data[restrict rows][columns],
                      double result[restrict columns][columns]) {
  double *mean = calloc(columns, sizeof(double)), *deviation = calloc(columns, sizeof(double));
  for (int j = 0; j < columns; j++) {
    for (int i = 0; i < rows; i++) mean[j] += data[i][j];
    mean[j] /= rows;
  }
  for (int j = 0; j < columns; j++) {
    for (int i = 0; i < rows; i++) deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    deviation[j] = sqrt(deviation[j] / rows);
    // A variable that hardly varies is not scaled.
    if (deviation[j] < 0.1) deviation[j] = 1;
  }
  double root = sqrt(rows);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) data[i][j] = (data[i][j] - mean[j]) / (root * deviation[j]);
  }

  for (int i = 0; i < columns; i++) {
    result[i][i] = 1;
    for (int j = i + 1; j < columns; j++) {
      for (int k = 0; k < rows; k++) result[i][j] += data[k][i] * data[k][j];
      result[j][i] = result[i][j];
    }
  }
  free(mean);
  free(deviation);
}

double run(int n) {
  int rows = n + 50;
  double(*data)[n] = malloc(sizeof(double[rows][n]));
  double(*result)[n] = calloc(n, sizeof *result);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < n; j++) data[i][j] = (i * 7 + j * j) % 13 + i / 100.0;
  }
  correlate(rows, n, data, result);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) sum += result[i][j];
  }
  free(data);
  free(result);
  return sum;
}
