// How many letters have to be inserted, removed or replaced to turn one text of n letters into another one: two rows,
// the letters read where they are compared.
#include "bench.h"

static char *random_text(int length, uint32_t seed) {
  char *text = malloc(length + 1);
  for (int i = 0; i < length; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    text[i] = "etaoinsh"[seed >> 16 & 7];
  }
  text[length] = 0;
  return text;
}

static int min(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, int a_length, const char *b, int b_length) {
  int *previous = malloc((b_length + 1) * sizeof *previous);
  int *current = malloc((b_length + 1) * sizeof *current);
  for (int j = 0; j <= b_length; j++) previous[j] = j;
  for (int i = 1; i <= a_length; i++) {
    current[0] = i;
    for (int j = 1; j <= b_length; j++) {
      int cost = a[i - 1] == b[j - 1] ? 0 : 1;
      int removed = previous[j] + 1;
      int inserted = current[j - 1] + 1;
      int replaced = previous[j - 1] + cost;
      current[j] = min(min(removed, inserted), replaced);
    }
    int *swapped = previous;
    previous = current;
    current = swapped;
  }
  int result = previous[b_length];
  free(previous);
  free(current);
  return result;
}

double run(int n) {
  char *a = random_text(n, 42);
  char *b = random_text(n, 43);
  int result = distance(a, n, b, n);
  free(a);
  free(b);
  return result;
}
