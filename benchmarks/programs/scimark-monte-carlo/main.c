// Pi by n pseudo-random points in a square, of which those count that lie in the quarter of a circle. The numbers are
// those of a lagged Fibonacci generator: each is the difference of the ones 5 and 17 before it.
#include "bench.h"

typedef struct Random {
  int32_t last[17];
  int oldest, recent;
} Random;

static Random seeded(int64_t seed) {
  Random random = {{0}, 0, 12};
  for (int i = 0; i < 17; i++) {
    seed = seed * 16807 % 2147483647;
    random.last[i] = seed;
  }
  return random;
}

static double next(Random *random) {
  int32_t value = random->last[random->recent] - random->last[random->oldest];
  if (value < 0) value += 2147483647;
  random->last[random->oldest] = value;
  random->oldest++;
  if (random->oldest == 17) random->oldest = 0;
  random->recent++;
  if (random->recent == 17) random->recent = 0;
  return value / 2147483647.0;
}

double run(int n) {
  Random random = seeded(42);
  int inside = 0;
  for (int i = 0; i < n; i++) {
    double x = next(&random), y = next(&random);
    if (x * x + y * y <= 1) inside++;
  }
  return 4.0 * inside / n;
}
