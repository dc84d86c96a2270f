// The shortest ways between all of n places, on roads of pseudo-random length; the sum of their lengths.
#include "bench.h"

double run(int n) {
  int32_t *distances = malloc((size_t)n * n * sizeof(int32_t));
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      seed = seed * 1664525 + 1013904223;
      distances[i * n + j] = i == j ? 0 : 1 + (seed >> 16) % 10000;
    }
  }
  for (int k = 0; k < n; k++) {
    const int32_t *onward = distances + k * n;
    for (int i = 0; i < n; i++) {
      int32_t *row = distances + i * n;
      int32_t there = row[k];
      for (int j = 0; j < n; j++) {
        int32_t through = there + onward[j];
        row[j] = through < row[j] ? through : row[j];
      }
    }
  }
  int64_t sum = 0;
  for (int i = 0; i < n * n; i++) sum += distances[i];
  free(distances);
  return sum;
}
