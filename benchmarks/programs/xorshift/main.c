// Draws n pseudo-random numbers of 64 bits (xorshift64*) and sums the upper bits of each.
#include "bench.h"

double run(int n) {
  uint64_t state = 0x9E3779B97F4A7C1;
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    sum += (state * 0x2545F4914F6CDD1D) >> 40;
  }
  return sum;
}
