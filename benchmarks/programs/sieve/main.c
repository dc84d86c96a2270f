// How many primes there are below n.
#include "bench.h"

double run(int n) {
  uint8_t *composite = calloc(n, 1);
  int count = 0;
  for (int i = 2; i < n; i++) {
    if (composite[i]) continue;
    count++;
    for (int64_t j = (int64_t)i * i; j < n; j += i) composite[j] = 1;
  }
  free(composite);
  return count;
}
