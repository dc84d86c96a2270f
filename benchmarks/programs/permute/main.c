// Makes every order of six elements by swaps, n times, and counts the calls.
#include "bench.h"

typedef struct Permutation {
  int64_t count;
  int64_t *elements;
} Permutation;

static void swap(Permutation *p, int i, int j) {
  int64_t element = p->elements[i];
  p->elements[i] = p->elements[j];
  p->elements[j] = element;
}

static void permute(Permutation *p, int n) {
  p->count++;
  if (n == 0) return;
  int last = n - 1;
  permute(p, last);
  for (int i = last; i >= 0; i--) {
    swap(p, last, i);
    permute(p, last);
    swap(p, last, i);
  }
}

double run(int n) {
  int64_t total = 0;
  for (int i = 0; i < n; i++) {
    Permutation p = {0, malloc(6 * sizeof(int64_t))};
    for (int j = 0; j < 6; j++) p.elements[j] = j;
    permute(&p, 6);
    total += p.count;
    free(p.elements);
  }
  return total;
}
