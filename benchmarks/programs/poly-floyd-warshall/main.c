// The shortest ways between all of n places; the sum of their lengths.
#include "bench.h"

double run(int n) {
  int32_t(*distance)[n] = malloc(sizeof(int32_t[n][n]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) distance[i][j] = i == j ? 0 : (i * 31 + j * 17) % 97 * ((i + j) % 11) + 1;
  }

  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        int32_t through = distance[i][k] + distance[k][j];
        distance[i][j] = through < distance[i][j] ? through : distance[i][j];
      }
    }
  }

  int64_t sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) sum += distance[i][j];
  }
  free(distance);
  return sum;
}
