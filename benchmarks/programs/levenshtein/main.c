// How many letters have to be inserted, removed or replaced to turn one text of n letters into another one.
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
  int *row = malloc((b_length + 1) * sizeof *row);
  for (int j = 0; j <= b_length; j++) row[j] = j;
  for (int i = 0; i < a_length; i++) {
    char letter = a[i];
    int diagonal = i;
    int left = i + 1;
    row[0] = left;
    for (int j = 0; j < b_length; j++) {
      int above = row[j + 1];
      int replaced = diagonal + (letter != b[j]);
      left = min(replaced, min(above, left) + 1);
      diagonal = above;
      row[j + 1] = left;
    }
  }
  int result = row[b_length];
  free(row);
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
