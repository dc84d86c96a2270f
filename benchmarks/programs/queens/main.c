// How many ways there are to put n queens on a board.
#include "bench.h"

static int place(int n, int row, int columns, int left, int right) {
  if (row == n) return 1;
  int ways = 0;
  int free = ((1 << n) - 1) & ~(columns | left | right);
  while (free != 0) {
    int bit = free & -free;
    free ^= bit;
    ways += place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return ways;
}

double run(int n) { return place(n, 0, 0, 0, 0); }
