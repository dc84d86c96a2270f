// How many points of an n by n grid stay bounded for 50 turns.
#include "bench.h"

static int is_bounded(double cr, double ci) {
  double zr = 0, zi = 0;
  for (int i = 0; i < 50; i++) {
    double r2 = zr * zr, i2 = zi * zi;
    if (r2 + i2 > 4) return 0;
    zi = 2 * zr * zi + ci;
    zr = r2 - i2 + cr;
  }
  return 1;
}

double run(int n) {
  int inside = 0;
  for (int y = 0; y < n; y++) {
    for (int x = 0; x < n; x++) inside += is_bounded(3.0 * x / n - 2, 2.0 * y / n - 1);
  }
  return inside;
}
