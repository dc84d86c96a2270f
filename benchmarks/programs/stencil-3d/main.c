// Heat that spreads in a cube of n by n by n points from its hot lower side, in one array whose indices are computed.
#include "bench.h"

double run(int n) {
  int plane = n * n;
  double *from = calloc((size_t)n * plane, sizeof(double)), *to = calloc((size_t)n * plane, sizeof(double));
  for (int i = 0; i < plane; i++) from[i] = to[i] = 100;
  for (int step = 0; step < 60; step++) {
    for (int z = 1; z < n - 1; z++) {
      for (int y = 1; y < n - 1; y++) {
        const double *row = from + (z * n + y) * n;
        double *restrict result = to + (z * n + y) * n;
        for (int x = 1; x < n - 1; x++) {
          double around = row[x - 1] + row[x + 1] + row[x - n] + row[x + n] + row[x - plane] + row[x + plane];
          result[x] = 0.4 * row[x] + 0.1 * around;
        }
      }
    }
    double *held = from;
    from = to;
    to = held;
  }
  double sum = 0;
  for (int z = 0; z < n; z++) sum += from[(z * n + n / 2) * n + n / 2];
  free(from);
  free(to);
  return sum;
}
