// The start below n with the longest Collatz sequence.
#include "bench.h"

double run(int n) {
  int best = 0;
  int longest = 0;
  for (int start = 1; start < n; start++) {
    int length = 0;
    uint64_t x = start;
    while (x != 1) {
      x = x % 2 == 0 ? x / 2 : 3 * x + 1;
      length++;
    }
    if (length > longest) {
      longest = length;
      best = start;
    }
  }
  return best;
}
