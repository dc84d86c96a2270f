// Running weighted sums over n doubles, again and again: each one waits for the one before it.
#include "bench.h"

double run(int n) {
  double *a = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) a[i] = i % 7;
  for (int turn = 0; turn < 100; turn++) {
    double last = a[0];
    for (int i = 1; i < n; i++) {
      last = a[i] * 0.5 + last * 0.25;
      a[i] = last;
    }
  }
  double result = a[n - 1];
  free(a);
  return result;
}
