// D = alpha A B C + beta D, the product of A and B first; the sum of D.
#include "bench.h"

double run(int n) {
  int inner = n + 10, middle = n + 20, width = n + 30;
  double alpha = 1.5, beta = 1.2;
  double(*a)[inner] = malloc(sizeof(double[n][inner]));
  double(*b)[middle] = malloc(sizeof(double[inner][middle]));
  double(*c)[width] = malloc(sizeof(double[middle][width]));
  double(*d)[width] = malloc(sizeof(double[n][width]));
  double(*product)[middle] = calloc(n, sizeof *product);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < inner; j++) a[i][j] = (i + 1.0) / (i + j + 2);
    for (int j = 0; j < width; j++) d[i][j] = (i - j) / 7.0;
  }
  for (int i = 0; i < inner; i++) {
    for (int j = 0; j < middle; j++) b[i][j] = (i + j) / 5.0;
  }
  for (int i = 0; i < middle; i++) {
    for (int j = 0; j < width; j++) c[i][j] = 1.0 / (i + j + 1);
  }

  for (int i = 0; i < n; i++) {
    for (int j = 0; j < middle; j++) {
      for (int k = 0; k < inner; k++) product[i][j] += alpha * a[i][k] * b[k][j];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < width; j++) {
      d[i][j] *= beta;
      for (int k = 0; k < middle; k++) d[i][j] += product[i][k] * c[k][j];
    }
  }

  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < width; j++) sum += d[i][j];
  }
  free(a);
  free(b);
  free(c);
  free(d);
  free(product);
  return sum;
}
