// Heat that spreads over an n by n plate whose upper edge is hot: each point becomes the mean of its neighbours.
#include "bench.h"

double run(int n) {
  double *from = calloc((size_t)n * n, sizeof(double)), *to = calloc((size_t)n * n, sizeof(double));
  for (int x = 0; x < n; x++) from[x] = to[x] = 100;
  for (int step = 0; step < 100; step++) {
    for (int y = 1; y < n - 1; y++) {
      const double *above = from + (y - 1) * n, *row = above + n, *below = row + n;
      double *restrict result = to + y * n;
      for (int x = 1; x < n - 1; x++) result[x] = 0.25 * (above[x] + below[x] + row[x - 1] + row[x + 1]);
    }
    double *held = from;
    from = to;
    to = held;
  }
  double sum = 0;
  for (int y = 0; y < n; y++) sum += from[y * n + n / 2];
  free(from);
  free(to);
  return sum;
}
