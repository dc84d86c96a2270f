// Heat that spreads along a rod of n points, from one array to another and back; the sum of the points.
#include "bench.h"

double run(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    a[i] = (i + 2.0) / n;
    b[i] = (i + 3.0) / n;
  }

  for (int step = 0; step < 24000; step++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++) a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }

  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  free(a);
  free(b);
  return sum;
}
