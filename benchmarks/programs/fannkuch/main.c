// The most flips of a pancake stack of n, and a checksum over all permutations.
#include "bench.h"

#define MOST 16

double run(int n) {
  int32_t p[MOST], q[MOST], count[MOST];
  for (int i = 0; i < n; i++) p[i] = i;
  int most = 0, checksum = 0, parity = 0, r = n;
  for (;;) {
    for (; r > 1; r--) count[r - 1] = r;
    for (int i = 0; i < n; i++) q[i] = p[i];
    int flips = 0;
    for (int first = q[0]; first != 0; first = q[0]) {
      for (int i = 0, j = first; i < j; i++, j--) {
        int32_t held = q[i];
        q[i] = q[j];
        q[j] = held;
      }
      flips++;
    }
    if (flips > most) most = flips;
    checksum += parity == 0 ? flips : -flips;
    for (;;) {
      if (r == n) return checksum * 1000.0 + most;
      int32_t head = p[0];
      for (int i = 0; i < r; i++) p[i] = p[i + 1];
      p[r] = head;
      if (--count[r] > 0) break;
      r++;
    }
    parity = 1 - parity;
  }
}
