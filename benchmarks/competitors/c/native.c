// A kernel as a program: `kernel N` says that it is loaded, reads from its input how many runs are wanted, line by line,
// and answers each run with its milliseconds and its result.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double run(int n);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  if (count != 2) return 1;
  int n = atoi(arguments[1]);
  char line[32];
  puts("loaded");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    for (int turns = atoi(line); turns > 0; turns--) {
      double began = now();
      double result = run(n);
      double took = now() - began;
      printf("%.6f %.17g\n", took, result);
    }
    fflush(stdout);
  }
  return 0;
}
