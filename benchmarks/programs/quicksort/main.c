// Sorts n pseudo-random ints by quicksort, and sums every thousandth.
#include "bench.h"

static void sort_range(int32_t *a, int from, int to) {
  if (from >= to) return;
  int32_t pivot = a[(from + to) / 2];
  int i = from;
  int j = to;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) {
      int32_t held = a[i];
      a[i] = a[j];
      a[j] = held;
      i++;
      j--;
    }
  }
  sort_range(a, from, j);
  sort_range(a, i, to);
}

double run(int n) {
  // All values are below 2^31.
  int32_t *a = malloc(n * sizeof *a);
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    a[i] = seed;
  }
  sort_range(a, 0, n - 1);
  int64_t sum = 0;
  for (int i = 0; i < n; i += 1000) sum += a[i];
  free(a);
  return sum;
}
